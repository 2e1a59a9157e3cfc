"""The commands of those who run a server: serve, work, backup, restore, admin."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from perankh.errors import BadOption, PerankhError
from perankh.web.settings import Found, Settings, add_settings, read_settings

FAILED = 1  # the status if a check failed
STATUSES = ("waiting", "playing", "over", "closed")


def add_web(commands: Any) -> None:
    """All commands about the server."""
    add_serve(commands.add_parser("serve", help="start the web server, to play in the browser"))
    work = commands.add_parser("work", help="work for servers on a PostgreSQL database: bots, hints and analyses")
    add_settings(work, "data", "workers", "log_format", "log_level")
    work.set_defaults(command=run_work)
    backup = commands.add_parser("backup", help="copy all tables into one file; the server may run")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file to write; it must not exist")
    add_settings(backup, "data")
    backup.set_defaults(command=run_backup)
    restore = commands.add_parser("restore", help="replace all tables by those of a backup; the server may run")
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument(
        "--force", action="store_true", help="replace existing tables; a copy of them is kept beside the database"
    )
    add_settings(restore, "data")
    restore.set_defaults(command=run_restore)
    add_admin(commands.add_parser("admin", help="look after tables and bans; the server may run"))


# --- serve -------------------------------------------------------------------------------------------------------------------


def add_serve(serve: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    serve.epilog = (
        "Each option can be given by an environment variable, such as PERANKH_PORT for --port, and by the file of --config, "
        "such as port = 8000. An option goes before a variable, a variable before the file."
    )
    serve.add_argument("--check", action="store_true", help="print the settings, say what is wrong, and do not start")
    add_settings(serve)
    serve.set_defaults(command=run_serve)


def run_serve(options: argparse.Namespace) -> int:
    """Start the web server, or check what it needs."""
    found = read_settings(options)
    if options.check:
        return run_check(found)
    from perankh.web.alerts import AlertSettings
    from perankh.web.logs import start_logs
    from perankh.web.mail import mail_server
    from perankh.web.outbound import checked_hosts
    from perankh.web.serve import serve

    its = found.settings
    start_logs(its.log_format, its.log_level, its.access_log, its.smtp_password, its.metrics_token)
    mail = mail_server(its.smtp, its.mail_from, its.smtp_security, its.smtp_user, its.smtp_password)
    serve(
        its.host,
        its.port,
        its.data,
        not its.no_open,
        warm=True,
        own_logs=True,
        limits=limits_of(its),
        public_address=its.public_address,
        allowed_hosts=its.allowed_host,
        trusted_proxies=its.trusted_proxy,
        drain=its.drain,
        alerts=AlertSettings(mail, checked_hosts(its.alert_host)),
        workers=its.workers,
        elsewhere=its.thinking == "elsewhere",
        levels=its.bot_levels,
        rest=its.bot_rest,
        person_tables=its.person_tables,
        keep_tables=its.keep_tables,
        keep_lobbies=its.keep_lobbies,
        metrics_token=its.metrics_token,
        send_traces=its.traces,
    )
    return 0


def limits_of(its: Settings) -> Any:
    """The limits that settings describe."""
    from perankh.web.limits import Limits

    def hourly(number: int) -> tuple[float, float]:
        return (number / 3600, max(1, number / 12))

    return Limits(
        connections=its.connections,
        address_connections=its.address_connections,
        sockets=its.address_sockets,
        address=(its.address_requests, 10 * its.address_requests),
        tables=hourly(its.address_tables),
        uploads=hourly(its.address_uploads),
    )


def run_check(found: Found) -> int:
    """Print the settings in force and what is wrong with them."""
    from perankh.web.check import WRONG, all_findings

    for line in found.lines():
        print(line)
    print(flush=True)
    findings = list(all_findings(found))
    for finding in findings:
        print(f"{finding.level}: {finding.text}")
    wrong = sum(finding.level == WRONG for finding in findings)
    print(f"{wrong} wrong" if wrong else "nothing is wrong")
    return FAILED if wrong else 0


# --- work ---------------------------------------------------------------------------------------------------------------------


def run_work(options: argparse.Namespace) -> int:
    """Work for servers until told to stop."""
    from perankh.web.logs import start_logs
    from perankh.web.work import work

    its = read_settings(options).settings
    start_logs(its.log_format, its.log_level, False)
    work(str(data_of(options)), its.workers)
    return 0


# --- backup and restore --------------------------------------------------------------------------------------------------------


def data_of(options: argparse.Namespace) -> Any:
    """Where the data are, as the settings say."""
    from perankh.web.serve import data_folder

    return read_settings(options).settings.data or data_folder()


def run_backup(options: argparse.Namespace) -> int:
    """Copy all tables into one file."""
    from perankh.web.backup import backup

    counts = backup(data_of(options), options.file)
    print(f"{options.file} holds {counts['tables']} tables with {counts['moves']} moves")
    return 0


def run_restore(options: argparse.Namespace) -> int:
    """Put the tables of a backup in place of all others."""
    from perankh.web.backup import restore

    counts, kept = restore(data_of(options), options.file, options.force)
    print(f"{counts['tables']} tables with {counts['moves']} moves are restored")
    if kept:
        print(f"the data before are kept in {kept}")
    return 0


# --- admin ---------------------------------------------------------------------------------------------------------------------


def add_admin(admin: argparse.ArgumentParser) -> None:
    """What the host can do with tables and addresses."""
    parts = admin.add_subparsers(metavar="WHAT", required=True)

    def part(name: str, run: Any, help: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = parts.add_parser(name, help=help)
        add_settings(made, "data")
        made.set_defaults(command=run)
        return made

    shown = part("list", run_list, "list tables, the one that changed last first; or the bans")
    shown.add_argument("--game", help="only tables of this game")
    shown.add_argument("--status", choices=STATUSES, help="only tables with this status")
    shown.add_argument(
        "--unchanged", type=int, default=0, metavar="DAYS", help="only tables at which nothing has changed for so many days"
    )
    shown.add_argument("--limit", type=int, default=100, metavar="N", help="list at most N tables (default 100)")
    shown.add_argument("--bans", action="store_true", help="list the banned networks instead of tables")
    shown.add_argument("--json", action="store_true", help="as JSON")
    for name, run, help in (
        ("close", run_close, "end tables: they can still be looked at, by everybody from every seat"),
        ("delete", run_delete, "delete tables with everything that belongs to them"),
    ):
        part(name, run, help).add_argument("tables", nargs="+", metavar="TABLE")
    export = part("export", run_export, "write the match file of a table, with its seed even while the match goes on")
    export.add_argument("table", metavar="TABLE")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write (default: print it)")
    ban = part("ban", run_ban, "let nobody in from an address or network; live connections end within seconds")
    ban.add_argument("address", metavar="ADDRESS[/BITS]")
    ban.add_argument("--days", type=int, metavar="N", help="how long (default: until it is unbanned)")
    ban.add_argument("--reason", default="", metavar="TEXT", help="a note for the list of bans")
    part("unban", run_unban, "lift a ban").add_argument("address", metavar="ADDRESS[/BITS]")


def run_list(options: argparse.Namespace) -> int:
    """Print tables or bans."""
    from perankh.web import admin, bans

    if options.unchanged < 0 or options.limit < 1:
        raise BadOption("--unchanged and --limit take a whole number that is not negative")
    with admin.opened(data_of(options), writes=False) as connection:
        if options.bans:
            rows = [row._asdict() for row in bans.select_bans(connection)]
        else:
            rows = admin.listed(connection, options.game, options.status, options.unchanged, options.limit)
    if options.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    for row in rows:
        if options.bans:
            print(f"{row['network']}  {until(row['until'])}  {row['reason']}".rstrip())
        else:
            facts = f"{row['id']}  {row['game']:10} {row['status']:8} {row['moves']:5}  {moment(row['updated'])}"
            print(f"{facts}  {', '.join(row['seats'])}")
    return 0


def moment(stamp: float) -> str:
    """A moment for reading."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(stamp))


def until(stamp: float | None) -> str:
    """The end of a ban for reading."""
    return f"until {moment(stamp)}" if stamp else "for good"


def run_close(options: argparse.Namespace) -> int:
    """Close tables."""
    from perankh.web import admin

    with admin.opened(data_of(options)) as connection:
        admin.close(connection, options.tables)
    print(f"closed: {', '.join(options.tables)}")
    return 0


def run_delete(options: argparse.Namespace) -> int:
    """Delete tables."""
    from perankh.web import admin

    with admin.opened(data_of(options)) as connection:
        admin.delete(connection, options.tables)
    print(f"deleted: {', '.join(options.tables)}")
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write a match file."""
    from perankh.web import admin

    with admin.opened(data_of(options), writes=False) as connection:
        text = admin.match_file(connection, options.table)
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        options.output.write_text(text, "utf-8")
    except OSError as error:
        raise PerankhError(f"{options.output}: cannot be written: {error.strerror}") from None
    return 0


def run_ban(options: argparse.Namespace) -> int:
    """Ban a network."""
    from perankh.web import admin, bans

    if options.days is not None and options.days < 1:
        raise BadOption("--days takes a whole number from 1")
    network = bans.checked_ban(options.address)
    end = time.time() + admin.DAY * options.days if options.days else None
    with admin.opened(data_of(options)) as connection:
        bans.insert_ban(connection, network, options.reason, end)
    print(f"{network} is banned {until(end)}")
    return 0


def run_unban(options: argparse.Namespace) -> int:
    """Lift a ban."""
    from perankh.web import admin, bans

    network = bans.checked_ban(options.address)
    with admin.opened(data_of(options)) as connection:
        if not bans.delete_ban(connection, network):
            raise BadOption(f"{network} is not banned")
    print(f"{network} may come again")
    return 0
