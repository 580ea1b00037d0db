#!/usr/bin/env python3
"""Links this terminal to a user, then says who it is and whether the user holds a key. Needs the standard library only.

Usage: python3 examples/link.py http://localhost:3000 [key]
"""
import json
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

NO_ANSWER = (OSError, HTTPException, ValueError)  # nobody there, cut off, or a page of a proxy on the way


def ask(path, headers=None, **parameters):
    """The answer and its headers. A refusal is an answer too."""
    address = f"{base}{path}?{urlencode(parameters)}" if parameters else base + path
    try:
        with urlopen(Request(address, headers={"User-Agent": "link.py", **(headers or {})}), timeout=30) as answer:
            return json.load(answer), answer.headers
    except HTTPError as refusal:
        return json.load(refusal), refusal.headers


def link():
    """The user's token, or None where the code has expired."""
    asked, headers = ask("/link/code")
    if "error" in asked:
        sys.exit(f"No code: {asked['error']}")
    print(f"Open {base}/link and enter: {asked['code']}", flush=True)
    give_up = time.monotonic() + int(headers.get("Link-Expires-In", 600))
    pause = int(headers.get("Link-Interval", 2))
    # Sent back, it lets nobody else collect the token, and this program from any network.
    secret = {"Link-Secret": headers["Link-Secret"]} if "Link-Secret" in headers else {}
    while time.monotonic() < give_up:
        time.sleep(pause)
        try:
            answer, headers = ask("/link/user", secret, code=asked["code"])
        except NO_ANSWER:
            continue  # Ask again: nothing is lost by that.
        if answer.get("linked"):
            return answer["token"]
        pause = max(pause, int(headers.get("Retry-After", 0)))
    return None


base = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000"
try:
    token = link() or sys.exit("The code has expired, or was denied.")
    me, _ = ask("/me", {"Authorization": f"Bearer {token}"})
    print(f"Linked to {me['username']}.")
    if len(sys.argv) > 2:
        held, _ = ask(f"/keys/check/{quote(me['username'])}", key=sys.argv[2])
        print(f"{me['username']} {'holds' if held['owned'] else 'does not hold'} it.")
except NO_ANSWER as error:
    sys.exit(f"{base} does not answer as it should: {error}")
