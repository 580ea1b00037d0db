#!/usr/bin/env python3
"""Lists what a user has stored, with the size of each file's contents. Reads gigabytes in constant memory.

Needs the client: python3 -m pip install clients/python
Usage: TOKEN=lk_… python3 examples/list-files.py http://localhost:3000
"""
import os
import sys

from latchkey import Latchkey, LatchkeyError
from latchkey.refusals import NoFiles

token = os.environ.get("TOKEN", "")
if not token:
    sys.exit("Set the variable TOKEN to the user's token.")
client = Latchkey(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000", token)
files, total = 0, 0
try:
    for entry in client.files.read():
        if entry.is_folder:
            continue
        size = sum(len(chunk) for chunk in entry.chunks())
        files, total = files + 1, total + size
        # A name may contain anything, even what moves a terminal's cursor.
        path = f"{entry.location}/{entry.name}{entry.type}"
        print(f"{size:>13,}  {''.join(c if c.isprintable() else '?' for c in path)}")
    print(f"{total:>13,}  bytes in {files} files")
except NoFiles:
    print("Nothing is stored yet.")
except LatchkeyError as error:
    sys.exit(str(error))
