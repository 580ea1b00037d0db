"""Keys: secrets with a list of holders."""

from datetime import datetime
from decimal import Decimal
from typing import Callable, Iterator, List, Literal, Mapping, Optional, Sequence, TypeVar, Union, overload
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from .answer import MAX_BYTES, checked, parsed
from .errors import InvalidAnswer
from .records import AccessRevoked, HolderAdded, Key, KeyChecked, KeyCreated, KeyDeleted, KeyUpdated
from .repeating import repeating
from .signed import Offline, OfflineCheck, OfflineKeys
from .transport import Transport

T = TypeVar("T")
Price = Union[int, float, Decimal, str]
_PAGE = 25


class Keys:
    """
    What a token can do with keys. If a response is lost, the request is repeated. Each change has an id, so it happens
    once.
    """

    def __init__(self, transport: Transport, offline: Optional[Offline] = None) -> None:
        self._transport = transport
        self._offline = offline

    def create(self, *, data: str, price: Price, name: Optional[str] = None, **more: str) -> KeyCreated:
        """
        A new key that carries `data`. `more`: parameters of a newer service. Raises OutcomeUnknown if no response
        arrives at all: `mine()` then tells whether there is a new key.
        """
        query = {"data": data, "price": _decimal(price), "name": name, **more}
        return self._change(KeyCreated, ["keys", "create"], query, is_harmless=False)

    def get(self, key: str) -> Key:
        """A key. Its `data` is None unless the caller holds it. Raises KeyNotFound."""
        return repeating(lambda: self._transport.ask(Key, ["keys", "get", key]))

    def mine(self) -> Iterator[Key]:
        """Every key that the caller holds, oldest first. They are fetched a page at a time."""
        after: Optional[str] = None
        while True:
            page, following = repeating(lambda: self._page(after))
            yield from page
            if following is None:
                return
            if following == after or not page:
                raise InvalidAnswer("The response names itself as the next page.")
            after = following

    def _page(self, after: Optional[str]) -> "tuple[List[Key], Optional[str]]":
        with self._transport.open(["keys", "mine"], {"limit": str(_PAGE), "after": after}) as answer:
            page = [checked(Key, key) for key in parsed(answer.whole(_PAGE * MAX_BYTES), list)]
            return page, _next(answer.headers.get("Link", ""))

    @overload
    def check(self, username: str, key: str, *, offline: Literal[False] = False) -> KeyChecked: ...

    @overload
    def check(self, username: str, key: str, *, offline: Literal[True]) -> OfflineCheck: ...

    def check(self, username: str, key: str, *, offline: bool = False) -> Union[KeyChecked, OfflineCheck]:
        """
        Whether a user holds a key: `owned`. Needs no token. `offline`: if the service cannot be reached, the last
        response, which it signed, counts until it expires. Needs the package cryptography. Raises BadProof for a
        response that it has not signed.
        """
        if offline:
            if self._offline is None:
                raise TypeError("offline=True needs Latchkey(..., offline=Offline(jwks, storage))")
            return OfflineKeys(self._transport, self._offline).check(username, key)
        return repeating(lambda: self._transport.ask(KeyChecked, ["keys", "check", username], {"key": key}))

    def revoke(self, key: str, user: str) -> AccessRevoked:
        """Takes a key from a user. `revoked` is False if the user does not hold it (any more)."""
        return self._change(AccessRevoked, ["keys", "revoke", key], {"user": user})

    def delete(self, key: str) -> KeyDeleted:
        """Deletes a key for everyone. Raises KeyNotFound."""
        return self._change(KeyDeleted, ["keys", "delete", key])

    def update(
        self,
        key: str,
        *,
        data: Optional[str] = None,
        name: Optional[str] = None,
        price: Optional[Price] = None,
        **more: str,
    ) -> KeyUpdated:
        """Changes one of a key's fields: name exactly one. `more`: fields of a newer service."""
        fields = {"data": data, "name": name, "price": None if price is None else _decimal(price), **more}
        changes = [(field, value) for field, value in fields.items() if value is not None]
        if len(changes) != 1:
            raise TypeError("update() takes exactly one field, such as data, name or price")
        query = {"key": changes[0][0], "data": changes[0][1]}
        return self._change(KeyUpdated, ["keys", "update", key], query)

    def admin_add(self, key: str, username: str, *, until: Optional[Union[datetime, str]] = None) -> HolderAdded:
        """
        Gives a key to a user. `added` is False if the user holds it already. `until`: when the access ends, a time with
        a zone; "never" removes the end date. Without it, a holder's end stays as it is.
        """
        if isinstance(until, datetime) and until.tzinfo is None:
            raise TypeError("until needs a time with a zone")
        end = until.isoformat() if isinstance(until, datetime) else until
        query = {"key": key, "username": username, "until": end}
        return self._change(HolderAdded, ["keys", "admin_add", key], query)

    def _change(
        self,
        record: Callable[..., T],
        path: Sequence[str],
        query: Mapping[str, Optional[str]] = {},
        *,
        is_harmless: bool = True,
    ) -> T:
        named: Mapping[str, Optional[str]] = {"request": uuid4().hex, **query}
        return repeating(lambda: self._transport.ask(record, path, named), is_harmless=is_harmless)


def _decimal(price: Price) -> str:
    """As the service reads prices: 1e-05 is refused, 0.00001 is not."""
    return price if isinstance(price, str) else format(Decimal(str(price)), "f")


def _next(link: str) -> Optional[str]:
    """Where the next page begins, from the header Link."""
    for part in link.split(","):
        address, _, relation = part.partition(">")
        if 'rel="next"' in relation:
            return next(iter(parse_qs(urlsplit(address.strip(" <")).query).get("after", [])), None)
    return None
