"""Attacks on who somebody is: guessed and used codes, devices that were signed out, foreign sites, other people's data."""

from __future__ import annotations

import asyncio
import random
import secrets

from perankh.web.codes import LENGTH, SIGNS
from perankh.web.recovery import LIST

from .house import House
from .people import GONE, Person, addresses, need, next_view
from .registry import attack
from .visitors import refused

JOIN = "/api/me/join"


async def code_of(person: Person) -> str:
    """A transfer code of somebody."""
    return str((await person.must("POST", "/api/me/code"))["code"])


@attack()
async def guess_codes_and_phrases(house: House, seed: int) -> str:
    """Nobody guesses a transfer code or a recovery phrase, and an address that tries is soon refused."""
    where, luck = addresses(71), random.Random(seed)
    victims = [Person(house, next(where)) for _ in range(5)]
    shown = [await code_of(victim) for victim in victims]
    await victims[0].must("POST", "/api/me/recovery")
    tried = stopped = 0
    for _ in range(4):
        guesser = Person(house, next(where))
        near = luck.choice(shown)
        for n in range(30):
            if n % 6 == 5:
                guess = {"phrase": " ".join(luck.choice(LIST)[0] for _ in range(10))}
            elif n % 2:  # one sign of a real code is wrong
                place = luck.choice([place for place, sign in enumerate(near) if sign != "-"])
                guess = {"code": near[:place] + luck.choice([sign for sign in SIGNS if sign != near[place]]) + near[place + 1 :]}
            else:
                guess = {"code": "".join(luck.choice(SIGNS) for _ in range(LENGTH))}
            answer = await guesser.ask("POST", JOIN, guess)
            need(answer.status in (403, 429), f"a guess is answered {answer.status}: {answer.body[:200]!r}")
            tried += answer.status == 403
            stopped += answer.status == 429
        need(guesser.token is None, "somebody who guessed wrong was given a token")
    need(stopped > 0, "an address may guess as often as it likes")
    await Person(house, next(where)).must("POST", JOIN, {"code": shown[1]})  # others are not shut out by it
    return f"{tried} guesses, {stopped} more refused unread"


@attack()
async def use_a_code_twice(house: House, seed: int) -> str:
    """Of many who use the same code at the same moment one gets in, and later nobody."""
    where = addresses(72)
    victim = Person(house, next(where))
    code = await code_of(victim)
    many = [Person(house, next(where)) for _ in range(12)]
    answers = await asyncio.gather(*(person.ask("POST", JOIN, {"code": code}) for person in many))
    inside = [person for person, answer in zip(many, answers, strict=True) if answer.status == 200]
    need(len(inside) == 1, f"{len(inside)} devices were added by one code")
    need(refused(await Person(house, next(where)).ask("POST", JOIN, {"code": code})), "a used code is good again")
    devices = (await victim.must("GET", "/api/me"))["devices"]
    need(len(devices) == 2, f"the victim has {len(devices)} devices")
    return "one of 12"


@attack()
async def go_on_as_a_device_that_was_signed_out(house: House, seed: int) -> str:
    """A device that was signed out sees and does nothing any more: open connections, tokens, codes it had shown."""
    where = addresses(73)
    owner, thief = Person(house, next(where)), Person(house, next(where))
    table = await owner.table("mural", 2, seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}], ready=True)
    await thief.must("POST", JOIN, {"code": await code_of(owner)})
    kept = await code_of(thief)
    async with thief.live(table) as socket:
        need((await next_view(socket))["own"] == [0], "a device of a person is not that person")
        await owner.must("DELETE", "/api/me/devices")
        try:
            while True:
                await asyncio.wait_for(socket.recv(), 10)
        except TimeoutError:
            need(False, "the live connection of a device that was signed out stays open")
        except GONE:
            pass
    for method, path, body in (
        ("GET", f"/api/tables/{table}?viewer=0", None),
        ("POST", f"/api/tables/{table}/moves", {"number": 0, "code": "deck"}),
        ("GET", "/api/me", None),
        ("POST", "/api/me/code", None),
        ("POST", "/api/me/recovery", None),
        ("POST", "/api/me/export", None),
        ("DELETE", "/api/me/devices", None),
        ("DELETE", "/api/me", {"everything": True}),
    ):
        answer = await thief.ask(method, path, body)
        need(answer.status == 401, f"{method} {path} of a device that was signed out: {answer.status}")
    cookie = {"Cookie": f"perankh={thief.token}"}
    thief.token = None
    seen = await thief.ask("GET", f"/api/tables/{table}", headers=cookie)
    need(seen.json()["own"] == [], "a cookie of a device that was signed out has seats")
    need(refused(await Person(house, next(where)).ask("POST", JOIN, {"code": kept})), "a code of a signed-out device is good")
    need((await owner.view(table))["own"] == [0], "the owner has lost the seat")
    return "signed out at once"


@attack()
async def keep_a_token_that_is_known(house: House, seed: int) -> str:
    """Whoever knew the token of a device before it was given to somebody learns nothing by it afterwards (fixation)."""
    where = addresses(74)
    owner, planted = Person(house, next(where)), secrets.token_urlsafe(32)
    table = await owner.table("mural", 2)
    device = Person(house, next(where), planted)
    await device.must("POST", JOIN, {"code": await code_of(owner)})
    need(device.token != planted, "a device keeps its token when it comes to belong to somebody")
    attacker = Person(house, next(where), planted)
    need((await attacker.view(table))["own"] == [], "a token that was planted has the seats of somebody else")
    need((await attacker.must("GET", "/api/tables")) == [], "a token that was planted lists somebody else's tables")
    return "a new token"


@attack()
async def act_for_a_person_from_elsewhere(house: House, seed: int) -> str:
    """Another site cannot use a browser to add a device, to sign out or to delete; nobody reaches another person's data."""
    where = addresses(75)
    victim, other = Person(house, next(where)), Person(house, next(where))
    await victim.must("PATCH", "/api/me", {"name": "Victim"})
    await victim.must("POST", "/api/me/recovery")
    await other.must("PATCH", "/api/me", {"name": "Other"})
    code = await code_of(other)
    tried = 0
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        cookie = headers | {"Cookie": f"perankh={victim.token}"}
        browser = Person(house, victim.address)
        for method, path, body in (
            ("POST", JOIN, {"code": code}),
            ("POST", "/api/me/code", None),
            ("POST", "/api/me/recovery", None),
            ("POST", "/api/me/export", None),
            ("PATCH", "/api/me", {"name": "Evil"}),
            ("DELETE", "/api/me/recovery", None),
            ("DELETE", "/api/me/devices", None),
            ("DELETE", "/api/me", {"everything": True}),
        ):
            answer = await browser.ask(method, path, body, headers=cookie)
            need(answer.status in (403, 429), f"{method} {path} from another site: {answer.status}")
            tried += 1
    mine = (await victim.must("GET", "/api/me"))["devices"][0]["id"]
    need(refused(await other.ask("DELETE", f"/api/me/devices/{mine}")), "somebody signs out another person's device")
    need((await victim.must("GET", "/api/me"))["name"] == "Victim", "another site has changed a name")
    return f"{tried} requests refused"
