"""Attacks on what people do together: doors with passwords, the chat, resigning for others, deleting others' tables."""

from __future__ import annotations

import json

from .house import House
from .people import GONE, Person, addresses, need, next_view, seated
from .registry import attack
from .visitors import refused


@attack()
async def open_a_door_without_the_password(house: House, seed: int) -> str:
    """A table with a password shows nothing to a stranger: no page, no answer, no live connection, no file. Guessing is slow."""
    where = addresses(70)
    table, people = await seated(house, where, "mural", 2, public=True)
    await people[0].must("PATCH", f"/api/tables/{table}", {"password": "open sesame"})
    stranger = Person(house, next(where))
    place = f"/api/tables/{table}"
    tried = 0
    for path in ("", "?at=0", "?viewer=0", "/file", "/analysis", "/chat"):
        answer = await stranger.ask("GET", place + path)
        need(answer.status == 403 and b'"scene"' not in answer.body, f"{path} is answered {answer.status} without the password")
        tried += 1
    for path, body in (("/seats", {}), ("/chat", {"text": "x", "name": "Owl"}), ("/requests", {"what": "join", "seat": 1})):
        need((await stranger.ask("POST", place + path, body)).status == 403, f"{path} can be asked for without the password")
        tried += 1
    page = await stranger.ask("GET", f"/t/{table}")
    need(page.status == 403 and b"data-game" not in page.body, "the page of the table is shown without the password")
    try:
        async with stranger.live(table) as socket:
            need("scene" not in json.loads(await socket.recv()), "a live connection is served without the password")
            await socket.recv()
            need(False, "a live connection stays open without the password")
    except GONE:
        pass
    answers = [(await stranger.ask("POST", f"{place}/enter", {"password": f"guess {n}"})).status for n in range(40)]
    need(200 not in answers, "a wrong password opens the door")
    need(answers.count(403) < 20, f"{answers.count(403)} passwords can be tried at once")
    await people[1].view(table)  # the players are not locked out
    return f"{tried} ways tried, {answers.count(403)} passwords"


@attack()
async def tell_hidden_cards_from_the_gallery(house: House, seed: int) -> str:
    """What spectators say does not reach players while the match runs; who has seen a hand and left it says nothing."""
    where = addresses(71)
    table, people = await seated(house, where, "mural", 3)
    owl = Person(house, next(where))
    place = f"/api/tables/{table}/chat"
    async with people[0].live(table, "since=0&chat=1") as socket:
        await next_view(socket)
        await owl.must("POST", place, {"text": "she holds the sphinx", "name": "Owl"})
        await people[1].must("POST", place, {"text": "nothing yet"})
        heard = ""
        while "nothing yet" not in heard:
            heard += str(await socket.recv())
    need("sphinx" not in heard, "a player hears the gallery")
    for query in ("", "?since=1", "?since=0"):
        answer = await people[1].ask("GET", place + query)
        need(b"sphinx" not in answer.body, "a player reads the gallery")
    await people[2].must("PATCH", f"/api/tables/{table}/seats/2", {"kind": "open"})
    left = await people[2].ask("POST", place, {"text": "Red holds the sphinx", "name": "Owl 2"})
    need(refused(left), "who has left a hand tells of it")
    return "nothing was told"


@attack()
async def flood_the_chat(house: House, seed: int) -> str:
    """One address with many tokens does not fill the chat, and nobody else is kept from talking."""
    where = addresses(72)
    table, people = await seated(house, where, "connect_four", 2)
    place, taken = f"/api/tables/{table}/chat", 0
    for n in range(150):
        crowd = Person(house, "127.72.9.9")
        answer = await crowd.ask("POST", place, {"text": f"noise {n}", "name": f"Crowd {n}"})
        need(answer.status in (200, 429), f"a message is answered {answer.status}")
        taken += answer.status == 200
        crowd.close()
    need(taken < 100, f"{taken} messages of one address at once")
    await people[1].must("POST", place, {"text": "still here"})
    return f"{taken} of 150 messages"


@attack()
async def resign_and_delete_for_others(house: House, seed: int) -> str:
    """Nobody gives up another's match, and a match of several people is deleted when all agree."""
    where = addresses(73)
    table, people = await seated(house, where, "connect_four", 2)
    stranger = Person(house, next(where))
    await stranger.table("connect_four", 2)  # has a token now
    place = f"/api/tables/{table}"
    for person in (stranger, people[1]):
        need(refused(await person.ask("POST", f"{place}/resign", {"seat": 0})), "somebody resigns for another")
    for person in (stranger, *people):
        need(refused(await person.ask("DELETE", place)), "somebody deletes a match of others")
        if person is not people[0]:
            need(refused(await person.ask("PATCH", place, {"public": True})), "somebody else than its creator lists a table")
    need(refused(await stranger.ask("POST", f"{place}/requests", {"what": "delete", "seat": 0})), "a stranger asks to delete")
    await people[0].must("POST", f"{place}/requests", {"what": "delete", "seat": 0})
    need(refused(await people[0].ask("POST", f"{place}/votes", {"what": "delete", "agree": True})), "one agrees with oneself")
    need((await people[1].view(table))["status"] == "playing", "the match is gone")
    await people[1].must("POST", f"{place}/votes", {"what": "delete", "agree": True})
    for person in (stranger, *people):
        need((await person.ask("GET", place)).status == 404, "a deleted table can be seen")
    return "refused"
