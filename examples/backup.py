#!/usr/bin/env python3
"""Keeps a copy of everything that a user has stored. Downloads only if it has changed. Needs the standard library only.

Usage: TOKEN=lk_… python3 examples/backup.py http://localhost:3000 files.json
"""
import json
import os
import sys
from http.client import HTTPException
from pathlib import Path
from shutil import copyfileobj
from urllib.error import HTTPError
from urllib.request import Request, urlopen

token = os.environ.get("TOKEN", "")
if not token or not token.isascii():
    sys.exit("Set the variable TOKEN to the user's token.")
base = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000"
file = Path(sys.argv[2] if len(sys.argv) > 2 else "files.json")
tag = Path(f"{file}.etag")
part = Path(f"{file}.part")

request = Request(f"{base}/read-files", headers={"Authorization": f"Bearer {token}"})
if file.exists() and tag.exists():
    request.add_header("If-None-Match", tag.read_text())
try:
    with urlopen(request, timeout=60) as response, part.open("wb") as copy:
        # It may be gigabytes, so it is never in memory.
        copyfileobj(response, copy)
        # A download without a length, in chunks, fails by itself if it is cut off.
        if copy.tell() != int(response.headers["Content-Length"] or copy.tell()):
            sys.exit("The download was interrupted. The old copy is unchanged.")
    # Renaming replaces the old copy in one step.
    part.replace(file)
    tag.write_text(response.headers["ETag"])
    print(f"Saved {file.stat().st_size} bytes.")
except HTTPError as refusal:
    if refusal.code not in (304, 404):
        sys.exit(json.load(refusal)["error"])
    print("Nothing has changed." if refusal.code == 304 else "Nothing is stored yet.")
except (OSError, HTTPException) as error:
    sys.exit(f"{base} did not respond as expected: {error} The old copy is unchanged.")
