"""A bot that sits down at a table and plays: python api_bot.py http://127.0.0.1:8000 TABLE"""

import hashlib
import json
import random
import secrets
import sys
import urllib.request

from websockets.sync.client import connect

table = f"{sys.argv[1].rstrip('/')}/api/tables/{sys.argv[2]}"
commitment = json.load(urllib.request.urlopen(table))["deal"]["commitment"]
body = json.dumps({"name": "Thoth", "contribution": secrets.token_hex(32)}).encode()
request = urllib.request.Request(f"{table}/seats", body, {"Content-Type": "application/json"})
seat = json.load(urllib.request.urlopen(request))
live = f"{table.replace('http', 'ws', 1)}/live"
with connect(live, additional_headers={"Authorization": f"Bearer {seat['token']}"}, max_size=None) as socket:
    for frame in map(json.loads, socket):
        if frame.get("status") == "over":
            assert hashlib.sha256(bytes.fromhex(frame["deal"]["secret"])).hexdigest() == commitment, "the shuffle was not fair"
            print(frame["result"]["reason"], frame["result"]["scores"])
            break
        if frame.get("moves"):
            move = {"type": "move", "number": frame["number"], "code": random.choice(frame["moves"])["code"]}
            socket.send(json.dumps(move))
