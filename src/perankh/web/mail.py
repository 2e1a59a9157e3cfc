"""E-mail by SMTP, where the host has configured it."""

from __future__ import annotations

import re
import smtplib
import ssl
from dataclasses import dataclass
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import formatdate

from perankh.errors import BadOption
from perankh.web.outbound import BadTarget, Unreachable

PORTS = {"starttls": 587, "tls": 465, "none": 25}
PATIENCE = 15.0  # seconds for a step of sending
# One address, without a name, comments or quotes: nobody can smuggle a second one in.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}")


class LinkHeader(UnstructuredHeader):
    """A header with a link, which is never folded or encoded: mail programs would not recognise it."""

    def fold(self, *, policy: Policy) -> str:
        """The header as it is sent."""
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]


headers = HeaderRegistry()
headers.map_to_type("list-unsubscribe", LinkHeader)  # type: ignore[arg-type]
POLICY = SMTP.clone(header_factory=headers)


@dataclass(frozen=True)
class MailServer:
    """The SMTP server that takes our mail, and the sender that it may come from."""

    host: str
    port: int
    sender: str
    security: str = "starttls"  # one of PORTS
    user: str | None = None
    password: str | None = None


def mail_server(
    smtp: str | None, sender: str | None, security: str = "starttls", user: str | None = None, password: str | None = None
) -> MailServer | None:
    """The mail server of the settings; none without `smtp`. Refuses settings that make no sense."""
    if not smtp:
        return None
    if not sender or not ADDRESS.fullmatch(sender):
        raise BadOption("e-mail needs the address it comes from: --mail-from games@example.org")
    host, _, port = smtp.rpartition(":") if re.search(r":\d+$", smtp) else (smtp, "", str(PORTS[security]))
    if not host or not 0 < int(port) < 65536:
        raise BadOption(f"mail server {smtp!r} is not of the form smtp.example.org:587")
    if (user is None) != (password is None):
        raise BadOption("the mail server needs both --smtp-user and PERANKH_SMTP_PASSWORD, or neither")
    return MailServer(host, int(port), sender, security, user, password)


def checked_address(text: str) -> str:
    """An e-mail address."""
    address = text.strip()
    if len(address) > 254 or not ADDRESS.fullmatch(address):
        raise BadTarget("this is not an e-mail address such as ann@example.org")
    return address


def send(server: MailServer, name: str, to: str, subject: str, text: str, stop: str | None, id: str) -> None:
    """Send a message. `name`: the sender's; `stop` is the link that ends such messages. Blocks: runs in a thread."""
    message = EmailMessage(POLICY)
    message["From"] = Address(name, addr_spec=server.sender)
    message["To"], message["Subject"] = to, subject
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{id}@{server.sender.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    if stop:
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text)
    try:
        with opened(server) as connection:
            connection.send_message(message)
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
        codes = [code for code, _ in error.recipients.values()] if isinstance(error, smtplib.SMTPRecipientsRefused) else []
        code = codes[0] if codes else getattr(error, "smtp_code", 0)
        if 500 <= code < 600 and not isinstance(error, smtplib.SMTPAuthenticationError):
            raise BadTarget(f"the mail server refuses the message: {code}") from None
        raise Unreachable(f"{server.host}: {error}") from None
    except (smtplib.SMTPException, OSError) as error:
        raise Unreachable(f"{server.host}: {error}") from None


def opened(server: MailServer, patience: float = PATIENCE) -> smtplib.SMTP:
    """A connection to the mail server, encrypted unless the settings say otherwise."""
    context = ssl.create_default_context()
    if server.security == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=patience, context=context)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=patience)
    if server.security == "starttls":
        connection.starttls(context=context)
    if server.user is not None and server.password is not None:
        connection.login(server.user, server.password)
    return connection
