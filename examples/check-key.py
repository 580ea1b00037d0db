#!/usr/bin/env python3
"""Says whether a user holds a key. Needs no token. Exits with 0 if the user does, 1 if not, 2 if that is unknown.

Usage: python3 examples/check-key.py http://localhost:3000 <username> <key>
"""
import json
import sys
from http.client import HTTPException
from urllib.parse import quote, urlencode
from urllib.request import urlopen

if len(sys.argv) != 4:
    print("Usage: check-key.py http://localhost:3000 <username> <key>", file=sys.stderr)
    sys.exit(2)
base, username, key = sys.argv[1:]
try:
    with urlopen(f"{base}/keys/check/{quote(username)}?{urlencode({'key': key})}", timeout=30) as response:
        held = json.load(response)["owned"]
except (OSError, HTTPException, ValueError) as error:
    print(f"{base} did not respond as expected: {error}", file=sys.stderr)
    sys.exit(2)
print(f"{username} {'holds' if held else 'does not hold'} the key.")
sys.exit(0 if held else 1)
