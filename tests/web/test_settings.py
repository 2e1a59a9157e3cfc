"""The settings of a server: by option, environment and file; and what `perankh serve --check` says about them."""

from __future__ import annotations

import argparse
import datetime
import socket
import sqlite3
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from perankh.cli import main
from perankh.errors import BadOption
from perankh.web.cli import add_serve
from perankh.web.settings import Found, Settings, option_of, read_settings, unknown_variables, variable_of
from perankh.web.storage import VERSION, Storage

from .receivers import MailServer

TOKEN = "a-token-of-enough-characters"


def read(arguments: list[str], environment: dict[str, str] | None = None) -> Found:
    parser = argparse.ArgumentParser()
    add_serve(parser)
    return read_settings(parser.parse_args(arguments), environment or {})


# --- Where settings come from -----------------------------------------------------------------------------------------------

VALUES: dict[str, tuple[str, Any]] = {  # a value of each kind as it is written in options and variables, and what it means
    "SECONDS": ("30", 30),
    "N": ("31", 31),
    "DAYS": ("32", 32),
    "": ("yes", True),
    "FOLDER": ("/srv/data", "/srv/data"),
    "URL": ("https://games.example.org", "https://games.example.org"),
    "NAME": ("ada", "ada"),
    "ADDRESS[/BITS]": ("10.0.0.0/8", "10.0.0.0/8"),
    "ADDRESS": ("192.0.2.1", "192.0.2.1"),
    "HOST[:PORT]": ("mail.example.org:25", "mail.example.org:25"),
    "HOST:PORT": ("chat.lan:80", "chat.lan:80"),
    "WORD": (TOKEN, TOKEN),
    "LEVEL": ("debug", "debug"),
}
OWN = {
    "smtp_security": ("tls", "tls"),
    "bot_levels": ("priest", "priest"),
    "log_format": ("json", "json"),
    "thinking": ("elsewhere", "elsewhere"),
}


def test_every_setting_can_be_given_in_three_ways(tmp_path: Path) -> None:
    file = tmp_path / "perankh.toml"
    for one in fields(Settings):
        written, value = OWN.get(one.name) or VALUES[one.metadata["metavar"]]
        expected = (value,) if isinstance(one.default, tuple) else value
        in_file = f'"{value}"' if isinstance(value, str) else str(value).lower()
        file.write_text(f"{one.name} = {f'[{in_file}]' if isinstance(one.default, tuple) else in_file}\n")
        for source, found in (
            ("option", read([option_of(one.name), written])),
            ("environment", read([], {variable_of(one.name): written})),
            ("file", read(["--config", str(file)])),
            ("file", read([], {"PERANKH_CONFIG": str(file)})),
        ):
            assert getattr(found.settings, one.name) == expected, one.name
            assert found.sources[one.name] == source
            assert sum(source != "default" for source in found.sources.values()) == 1


def test_an_option_goes_before_a_variable_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "perankh.toml"
    file.write_text('port = 1\nworkers = 1\nbot_rest = 1\nno_open = true\ntrusted_proxy = ["10.0.0.1"]\n')
    environment = {
        "PERANKH_PORT": "2",
        "PERANKH_WORKERS": "2",
        "PERANKH_TRUSTED_PROXY": "10.0.0.2, 10.0.0.3",
        "PERANKH_HOST": " ",
    }
    its = read(["--config", str(file), "--port", "3", "--no-open=no"], environment).settings
    assert (its.port, its.workers, its.bot_rest, its.connections) == (3, 2, 1, 4000)
    assert (its.no_open, its.trusted_proxy, its.host) == (False, ("10.0.0.2", "10.0.0.3"), "127.0.0.1")
    assert unknown_variables(environment | {"PERANKH_PROT": "1", "PERANKH_GAMES": "x"}) == ["PERANKH_PROT"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("prot = 8000", "prot: there is no such setting; do you mean port?"),
        ("[limits]\nconnections = 5", "limits: there is no such setting"),
        ('port = "8000x"', "port: '8000x' is not a whole number from 0 to 65535"),
        ("port = 70000", "port: 70000 is not a whole number from 0 to 65535"),
        ("port = true", "port: True is not a whole number"),
        ("port = 80.5", "port: 80.5 is not a whole number"),
        ("workers = 0", "workers: 0 is not a whole number from 1"),
        ("no_open = 1", "no_open: 1 is not one of 1, yes, true"),
        ('trusted_proxy = "10.0.0.1"', "trusted_proxy: '10.0.0.1' is not a list of texts"),
        ('trusted_proxy = ["10.0.0.1", "x"]', "trusted_proxy: trusted proxy 'x' is not an IP address or network"),
        ('public_address = "games.example.org"', "public_address: public address 'games.example.org' is not of the form"),
        ('alert_host = ["chat.lan"]', "alert_host: alert host 'chat.lan' is not of the form"),
        ('bot_levels = ["scribe", "sphinx"]', "bot_levels: 'sphinx' is not one of apprentice, scribe, priest, architect"),
        ('smtp_security = "ssl"', "smtp_security: 'ssl' is not one of starttls, tls, none"),
        ("host = 5", "host: 5 is not a text"),
        ('metrics_token = "short"', "metrics_token: it is shorter than 16 characters"),
        ("smtp_password = 1234", "smtp_password: it is not a text"),
        ('traces = "127.0.0.1:4318"', "traces: '127.0.0.1:4318' is not an address like http://127.0.0.1:4318"),
        ("port = ", "is not TOML"),
    ],
)
def test_a_bad_file_is_refused_with_key_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    file = tmp_path / "perankh.toml"
    file.write_text(line)
    assert main(["serve", "--config", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"perankh: {file}: ")
    assert said in error
    assert error.count("\n") == 1
    assert "1234" not in error


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"none\.toml: cannot be read: No such file"):
        read(["--config", str(tmp_path / "none.toml")])


# --- The check ------------------------------------------------------------------------------------------------------------------


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Status and output of the check."""
    status = main(["serve", "--check", "--port", "0", *arguments])
    printed = capsys.readouterr()
    assert not printed.err
    return status, printed.out


def test_a_sound_server_has_nothing_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mail = MailServer()
    try:
        sending = ["--smtp", f"127.0.0.1:{mail.port}", "--smtp-security", "none", "--mail-from", "games@example.org"]
        status, text = check(capsys, "--data", str(tmp_path / "data"), "--metrics-token", TOKEN, *sending)
    finally:
        mail.stop()
    assert (status, text.splitlines()[-1]) == (0, "nothing is wrong")
    assert "port = 0  (option)" in text
    assert "metrics_token = (secret)  (option)" in text
    assert "there are no data yet" in text
    assert TOKEN not in text
    assert not (tmp_path / "data").exists()  # nothing was made


def test_the_check_names_everything_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    port = taken.getsockname()[1]
    file = tmp_path / "perankh.toml"
    file.write_text('smtp_password = "geheimes Wort"\nsmtp_user = "games"\n')
    file.chmod(0o644)
    (tmp_path / "data").write_text("a file")
    monkeypatch.setenv("PERANKH_TRUSTED_PROXIES", "10.0.0.1")
    wrong = ["--port", str(port), "--config", str(file), "--data", str(tmp_path / "data"), "--trusted-proxy", "0.0.0.0/0"]
    wrong += ["--public-address", "http://games.example.org", "--smtp", "127.0.0.1:1", "--mail-from", "games@example.org"]
    wrong += ["--traces", "http://ada:geheim@127.0.0.1:1"]
    status, text = check(capsys, *wrong)
    taken.close()
    assert status == 1
    for said in (
        f"wrong: port {port} on 127.0.0.1 is in use",
        "wrong: " + str(file) + ": other users can read smtp_password",
        "data: cannot be used for data: it is not a folder",
        "wrong: trusted proxy 0.0.0.0/0: everybody would be believed",
        "wrong: http://games.example.org: not https",
        "wrong: mail server 127.0.0.1:1 does not answer",
        "doubtful: PERANKH_TRUSTED_PROXIES: there is no such setting",
        "wrong: the collector of traces http://ada:(secret)@127.0.0.1:1/v1/traces does not answer",
        "7 wrong",
    ):
        assert said in text, said
    assert "geheim" not in text


def test_the_check_looks_at_the_database(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = check(capsys, "--data", database)
    assert (status, "there are no data yet" in text) == (0, True)
    storage = Storage(database)
    status, text = check(capsys, "--data", database)
    storage.close()
    assert (status, "uses these data" in text) == (0, False)  # several servers may
    status, text = check(capsys, "--data", "postgresql://nobody:geheim@127.0.0.1:1/none")
    assert (status, "Connection refused" in text, "geheim" in text) == (1, True, False)
    Storage(tmp_path).close()
    with sqlite3.connect(tmp_path / "perankh.db") as newer:
        newer.execute("UPDATE schema SET version = ?", [VERSION + 1])
    status, text = check(capsys, "--data", str(tmp_path))
    assert (status, f"the data are of version {VERSION + 1}" in text) == (1, True)


@contextmanager
def https_server(folder: Path, days: int) -> Iterator[tuple[int, Path]]:
    """A port that answers with a certificate for localhost of our own making, which ends in so many days; and its file."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(7)
    made = made.not_valid_before(now - datetime.timedelta(days=40)).not_valid_after(now + datetime.timedelta(days=days))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate, private = folder / f"certificate{days}.pem", folder / "key.pem"
    certificate.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        try:
            while True:
                connection = listening.accept()[0]
                try:
                    context.wrap_socket(connection, server_side=True).close()
                except OSError:
                    connection.close()
        except OSError:
            return  # closed

    threading.Thread(target=answer, daemon=True).start()
    yield listening.getsockname()[1], certificate
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def test_the_check_looks_at_the_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ("--data", str(tmp_path / "data"), "--trusted-proxy", "127.0.0.1", "--public-address")
    with https_server(tmp_path, 5) as (port, certificate):
        status, text = check(capsys, *usual, f"https://localhost:{port}")
        assert (status, f"wrong: the certificate of localhost:{port} is not accepted" in text) == (1, True)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        status, text = check(capsys, *usual, f"https://localhost:{port}")
        assert (status, f"doubtful: the certificate of localhost:{port} ends in 4 days" in text) == (0, True)
    status, text = check(capsys, *usual, f"https://localhost:{port}")
    assert (status, "does not answer with https yet" in text) == (0, True)
