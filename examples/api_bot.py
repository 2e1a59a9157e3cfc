"""A bot that sits down at a table and plays: python api_bot.py http://127.0.0.1:8000 TABLE"""

import json
import random
import sys
import urllib.request

from websockets.sync.client import connect

address, table = sys.argv[1].rstrip("/"), sys.argv[2]
body = json.dumps({"name": "Thoth"}).encode()
request = urllib.request.Request(f"{address}/api/tables/{table}/seats", body, {"Content-Type": "application/json"})
seat = json.load(urllib.request.urlopen(request))
live = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/live"
with connect(live, additional_headers={"Authorization": f"Bearer {seat['token']}"}, max_size=None) as socket:
    for frame in map(json.loads, socket):
        if frame.get("status") == "over":
            print(frame["result"]["reason"], frame["result"]["scores"])
            break
        if frame.get("moves"):
            move = {"type": "move", "number": frame["number"], "code": random.choice(frame["moves"])["code"]}
            socket.send(json.dumps(move))
