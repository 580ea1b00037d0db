"""Makes the calls that a test writes to standard input, a line of JSON each, and prints what they came to."""

import json
import re
import sys
from base64 import b64encode
from math import inf

from latchkey import ApiError, Latchkey, LatchkeyError, Offline
from latchkey.signed import OfflineKeys, Validators


def values_of(entry):
    """An entry as the document has it, but for what nobody uses."""
    data = list(entry.children()) if entry.is_folder else entry.data()
    place = [entry.type, entry.name, entry.location, data, entry.x, entry.y, entry.created, entry.edited]
    values = [*place, entry.icon, entry.size, entry.permissions, entry.id]
    # JSON has no infinity.
    return [str(value) if value in (inf, -inf) else value for value in values]


def read(client, **given):
    document = client.files.read(**given)
    return document and {"etag": document.etag, "entries": [values_of(entry) for entry in document]}


def index(client, **given):
    document = client.files.index(**given)
    if document is None:
        return None
    entries = []
    for entry in document:
        if not entry.is_folder:
            try:
                entry.data()
                raise AssertionError("An index has no data.")
            except ValueError:
                pass
        entries.append([entry.type, entry.name, entry.location, entry.size, entry.id])
    return {"etag": document.etag, "entries": entries}


def get(client, **given):
    entry = client.files.get(**given)
    content = None if entry.is_folder else b64encode(b"".join(entry.chunks())).decode()
    return {"entry": values_of(entry), "content": content}


def bytes_of(client):
    """The contents of all files by name, in base64."""
    files = (entry for entry in client.files.read() if not entry.is_folder)
    return {entry.name: b64encode(b"".join(entry.chunks())).decode() for entry in files}


def most_memory():
    """The most memory that this process had, in bytes. What getrusage says begins with that of its parent."""
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) * 1024


def contents(client):
    """The length of all contents, of a document that is not kept, and how much memory that took, in bytes."""
    entries, total = 0, 0
    for entry in client.files.read():
        entries += 1
        total += sum(map(len, entry.chunks())) if not entry.is_folder else 0
    return {"entries": entries, "bytes": total, "memory": most_memory()}


def link(client, **arguments):
    return client.link(on_code=lambda code: say(code=[code.code, code.url, code.expires_in]), **arguments)


VALIDATORS = {}


def who_is(client, *, validator, audience, jwks=None, now=None):
    """Keys that were fetched are remembered for the next call with the same ones."""
    transport = client._transport
    name = f"{transport.address} {json.dumps(jwks)}"
    validators = VALIDATORS.setdefault(name, Validators(transport, jwks))
    user = validators.who_is(validator, audience, now)
    return {"id": user.id, "username": user.username, **({} if user.azp is None else {"azp": user.azp})}


def check_offline(client, *, username, key, jwks, storage, now=None):
    transport = client._transport
    if now is None:
        checked = Latchkey(transport.address, offline=Offline(jwks, storage)).keys.check(username, key, offline=True)
    else:
        checked = OfflineKeys(transport, Offline(jwks, storage), lambda: now).check(username, key)
    until = int(checked.until.timestamp())
    return {"owned": checked.owned, "until": until, "isOffline": checked.is_offline, "storage": storage}


CALLS = {
    "validator": lambda client, audience: client.validator(audience),
    "who_is": who_is,
    "check_offline": check_offline,
    "me": lambda client: client.me(),
    "link": link,
    "files.read": read,
    "files.index": index,
    "files.get": get,
    "files.bytes": bytes_of,
    "contents": contents,
    "keys.mine": lambda client, **_: list(client.keys.mine()),
}


def say(**line):
    print(json.dumps(line), flush=True)


for line in sys.stdin:
    call, address, token, arguments = json.loads(line)
    try:
        client = Latchkey(address, token, timeout=60)
        method = CALLS.get(call) or (lambda client, **given: getattr(client.keys, call.split(".")[1])(**given))
        say(answer=method(client, **arguments))
    except LatchkeyError as error:
        status = error.status if isinstance(error, ApiError) else None
        say(error=[type(error).__name__, error.code, status, str(error)])
