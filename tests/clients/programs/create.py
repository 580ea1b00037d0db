"""Creates so many keys at the address, by this token, and prints how many different ones it was told of."""

import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

import urllib3

address, token, count = sys.argv[1:]
pool = urllib3.PoolManager(maxsize=8, headers={"Authorization": f"Bearer {token}"})


def create(_: int) -> str:
    # urllib3 itself sends it again, up to three times.
    fields = {"data": "x", "price": "1", "request": str(uuid.uuid4())}
    return pool.request("GET", f"{address}/keys/create", fields=fields).json()["key"]


with ThreadPoolExecutor(8) as workers:
    print(len(set(workers.map(create, range(int(count))))))
