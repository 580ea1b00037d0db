#!/usr/bin/env python3
"""Signs a user in at this terminal, then says who it is. Needs the standard library only.

Usage: python3 examples/link.py http://localhost:3000
"""
import json
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

NO_RESPONSE = (OSError, HTTPException, ValueError)  # no service, a broken connection, or a proxy's own page


def ask(path, headers=None, **parameters):
    """The response and its headers. A refusal is a response too."""
    address = f"{base}{path}?{urlencode(parameters)}" if parameters else base + path
    try:
        with urlopen(Request(address, headers={"User-Agent": "link.py", **(headers or {})}), timeout=40) as response:
            return json.load(response), response.headers
    except HTTPError as refusal:
        return json.load(refusal), refusal.headers


def link():
    """The user's token, or None if the code was denied or has expired."""
    # Enough to know who the user is; "read" also reads their keys and files.
    issued, headers = ask("/link/code", name="link.py", access="identity")
    if "error" in issued:
        sys.exit(f"Couldn't get a code: {issued['error']}")
    print(f"Open {base}/link?code={issued['code']} and check that the letters match: {issued['code']}", flush=True)
    give_up, interval = time.monotonic() + int(headers["Link-Expires-In"]), int(headers["Link-Interval"])
    # With the secret, only this program can collect the token, from any network.
    waiting = {"Prefer": "wait=25", "Link-Secret": headers["Link-Secret"]}
    while time.monotonic() < give_up:
        try:
            response, headers = ask("/link/status", waiting, code=issued["code"])
            status = response.get("status")
            if status in ("linked", "collected"):
                response, headers = ask("/link/user", waiting, code=issued["code"])
        except NO_RESPONSE:
            status, response, headers = "", {}, {}  # Ask again: nothing is lost by that.
        if response.get("linked") or status in ("denied", "expired", "collected"):
            return response.get("token")
        if "Preference-Applied" not in headers:  # The service did not wait, so this program does.
            time.sleep(max(interval, int(headers.get("Retry-After", 0))))
    return None


base = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000"
try:
    token = link() or sys.exit("The code was denied, or has expired.")
    me, _ = ask("/me", {"Authorization": f"Bearer {token}"})
    print(f"Linked to {me['username']}.")
except NO_RESPONSE as error:
    sys.exit(f"{base} did not respond as expected: {error}")
