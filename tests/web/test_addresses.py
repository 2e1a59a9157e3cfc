"""Where others find the server, with given network cards; who may open it to the network; link previews and icons."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest
import zxingcpp
from PIL import Image

from perankh.engine.words import LANGUAGES
from perankh.scene.png import png, without_variables
from perankh.web import catalog, preview
from perankh.web.addresses import Interface, Reach, interfaces
from perankh.web.installable import ICONS
from perankh.web.invitation import qr_code
from perankh.web.position import SPECTATOR
from perankh.web.site import make_site

from .conftest import Person

HOME = [Interface("wlan0", "192.168.1.23"), Interface("eth0", "10.0.0.5"), Interface("wlan0", "fd00::5")]
SERVER = [Interface("eth0", "10.0.0.5"), Interface("eth1", "93.184.216.34")]


def card(address: str, family: int = socket.AF_INET) -> Any:
    return SimpleNamespace(family=family, address=address)


def test_cards_that_others_can_use() -> None:
    found = {
        "lo": [card("127.0.0.1"), card("::1", socket.AF_INET6)],
        "tun0": [card("100.100.1.2")],
        "eth0": [card("10.0.0.5"), card("fe80::1%eth0", socket.AF_INET6), card("00:11:22:33:44:55", 17)],
        "wlan0": [card("192.168.1.23"), card("fd00::5", socket.AF_INET6)],
        "eth1": [card("192.168.7.7")],
        "docker0": [card("172.17.0.1")],
        "eth2": [card("169.254.3.4")],
    }
    states = {name: SimpleNamespace(isup=name != "eth1") for name in found}
    listed = [interface.address for interface in interfaces(found, states)]
    assert listed == ["192.168.1.23", "10.0.0.5", "100.100.1.2", "fd00::5"]


def reach(cards: list[Interface], host: str = "127.0.0.1", public: str | None = None, allowed: tuple[str, ...] = ()) -> Reach:
    return Reach(make_site(host, public, allowed), host, 8000, lambda: cards)


def test_near_and_far() -> None:
    everywhere = reach(HOME, "0.0.0.0")
    assert everywhere.own == "http://127.0.0.1:8000"
    assert everywhere.near() == ["http://192.168.1.23:8000", "http://10.0.0.5:8000"]
    assert everywhere.far() == []
    assert reach(HOME[2:], "::").near() == ["http://[fd00::5]:8000"]
    assert reach(HOME, "10.0.0.5").near() == ["http://10.0.0.5:8000"]
    assert reach(HOME, "games.lan").near() == ["http://games.lan:8000"]
    assert reach(SERVER, "0.0.0.0").far() == ["http://93.184.216.34:8000"]
    public = reach(SERVER, "0.0.0.0", "https://games.example.org")
    assert (public.near(), public.far()) == ([], ["https://games.example.org"])
    both = reach(SERVER, "0.0.0.0", "https://games.example.org", ("10.0.0.5",))
    assert both.links("games.example.org", "https") == [("far", "https://games.example.org"), ("near", "http://10.0.0.5:8000")]


def test_a_loopback_link_is_never_offered() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "127.0.0.2"):
        alone = reach(HOME, host)
        assert (alone.near(), alone.far()) == ([], [])
        assert alone.links("127.0.0.1:8000", "http") == alone.links("localhost:8000", "http") == []
    assert reach(HOME, "127.0.0.1", "http://localhost:9000").links("localhost:9000", "http") == []


def test_the_name_under_which_the_reader_has_come_is_first_and_strangers_learn_nothing_of_the_networks() -> None:
    everywhere = reach(HOME, "0.0.0.0")
    assert everywhere.links("10.0.0.5:8000", "http")[0] == ("near", "http://10.0.0.5:8000")
    assert len(everywhere.links("10.0.0.5:8000", "http")) == 2
    assert everywhere.links("box.local:8000", "http")[0] == ("near", "http://box.local:8000")
    assert everywhere.links("games.example.org", "https") == [("far", "https://games.example.org")]
    assert reach(SERVER, "0.0.0.0").links("93.184.216.34:8000", "http") == [("far", "http://93.184.216.34:8000")]


def test_what_can_be_opened() -> None:
    alone = reach(HOME)
    assert alone.to_open() == []  # nobody can make it listen
    alone.listen = lambda _: None  # type: ignore[assignment, return-value]
    assert alone.to_open() == HOME[:2]
    for other in (reach(HOME, "0.0.0.0"), reach(HOME, "127.0.0.1", "https://games.example.org")):
        other.listen = alone.listen
        assert other.to_open() == []
    internet = reach(SERVER)
    internet.listen = alone.listen
    assert internet.to_open() == SERVER[:1]  # one click never opens it to the internet


def test_only_somebody_at_the_computer_opens_it_to_the_network(server: Any, person: Callable[[], Person]) -> None:
    ann = person()
    table = ann.table()
    assert ann.ask("GET", f"/api/tables/{table}/invitation")["links"] == []
    for headers in ({"X-Forwarded-For": "10.0.0.9"}, {"Forwarded": "for=10.0.0.9"}, {"Via": "1.1 proxy"}):
        assert ann.ask("GET", f"/api/tables/{table}/invitation", headers=headers)["may_open"] is False
        assert ann.ask("POST", "/api/me/code", status=201, headers=headers)["may_open"] is False
        ann.ask("POST", "/api/network", status=403, headers=headers)
    ann.ask("POST", "/api/network", status=421, headers={"Host": "evil.example"})
    ann.ask("POST", "/api/network", status=403, headers={"Origin": "http://evil.example"})


def test_codes_say_what_they_should() -> None:
    for text in ("http://192.168.1.23:8000/t/abcdefghijkl", "https://games.example.org/t/____________"):
        assert read_code(qr_code(text)) == text


def read_code(address: str) -> str:
    """What a QR code says."""
    picture = Image.open(io.BytesIO(png(unquote(address.partition(",")[2]), 400)))
    (found,) = zxingcpp.read_barcodes(picture)
    return found.text


# --- Pictures ------------------------------------------------------------------------------------------------------------


def test_previews_show_the_position_to_those_who_know_nothing(person: Callable[[], Person]) -> None:
    ann, bob = person(), person()
    table = ann.table()
    waiting = size_of(bob, table)
    assert waiting[0] == preview.WIDTH
    bob.sit(table)
    before = bob.http.get(f"/t/{table}/preview.png").content
    ann.move(table, 0, "d")
    after = bob.http.get(f"/t/{table}/preview.png")
    assert after.headers["content-type"] == "image/png"
    assert before != after.content == bob.http.get(f"/t/{table}/preview.png").content
    page = bob.http.get(f"/t/{table}").text
    assert f'<meta property="og:image" content="{ann.server.address}/t/{table}/preview.png' in page
    assert 'property="og:title" content="Connect Four"' in page
    assert bob.http.get("/t/____________/preview.png").status_code == 404


def size_of(person: Person, table: str) -> tuple[int, int]:
    return Image.open(io.BytesIO(person.http.get(f"/t/{table}/preview.png").content)).size


@pytest.mark.parametrize("name", sorted(catalog.offered_games()))
def test_pictures_have_no_variable_left(name: str) -> None:
    """The renderer would draw what it does not know in black. All games, with light and dark pieces."""
    game = catalog.offered_games()[name]
    state = game.new_state(game.players[-1], 5, {})
    from perankh.scene import draw

    scene = game.drawing.scene(game.veiled(state, SPECTATOR), SPECTATOR, "en", "wide")
    drawn = without_variables(draw(scene, game.art))
    body = drawn.partition(">")[2]
    assert "var(" not in body
    assert "--" not in body.replace("<!--", "").replace("-->", "")


def test_marks_on_light_pieces_are_dark() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><defs><symbol id="s" viewBox="0 0 10 10">'
        '<rect width="10" height="10" fill="var(--mark, var(--alabaster))"/></symbol></defs>\n'
        '<g data-id="a" style="--mark:var(--on-white)"><use href="#s" width="10" height="10"/></g>\n'
        '<g data-id="b"><use href="#s" x="10" width="10" height="10"/></g></svg>'
    )
    picture = Image.open(io.BytesIO(png(svg, 20))).convert("RGB")
    assert picture.getpixel((5, 5)) == (0x2A, 0x21, 0x1A)
    assert picture.getpixel((15, 5)) == (0xFD, 0xF8, 0xEC)


def test_the_app_can_be_installed(person: Callable[[], Person]) -> None:
    ann = person()
    for lang in LANGUAGES:
        facts = ann.http.get(f"/manifest-{lang}.webmanifest").json()
        assert (facts["lang"], facts["display"], facts["start_url"]) == (lang, "standalone", "/")
        for icon in facts["icons"]:
            answer = ann.http.get(icon["src"])
            assert answer.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                assert "x".join(map(str, Image.open(io.BytesIO(answer.content)).size)) == icon["sizes"]
        assert ann.http.get(f"/offline/{lang}").status_code == 200
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in facts["icons"]}
    assert len(facts["icons"]) == 1 + sum(len(sizes) for _, sizes in ICONS.values())
    for wrong in ("/icon/icon-191.png", "/icon/none-192.png", "/manifest-xx.webmanifest", "/offline/xx"):
        assert ann.http.get(wrong).status_code == 404
    assert "javascript" in ann.http.get("/service-worker.js").headers["content-type"]


def test_links_of_a_server_below_a_folder() -> None:
    site = make_site("127.0.0.1", "https://example.org/games/")
    assert site.root == "/games"
    assert Reach(site, "127.0.0.1", 8000, list).far() == ["https://example.org/games"]
    assert make_site("127.0.0.1", "https://example.org/").root == ""
