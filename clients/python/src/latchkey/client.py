"""A client of one Latchkey service."""

from typing import Callable, Literal, Optional

from .files import Files
from .keys import Keys
from .linking import Code, link
from .records import Me
from .repeating import repeating
from .transport import Transport

Access = Literal["everything", "read", "identity"]


class Latchkey:
    """
    A client of the service at `address`, with a token or, until `link()` got one, without. `timeout` is in seconds, for
    the connection and for each part of a response. Threads may share it.
    """

    def __init__(self, address: str, token: Optional[str] = None, *, timeout: float = 30.0) -> None:
        self._transport = Transport(address, token, timeout)
        self.keys = Keys(self._transport)
        self.files = Files(self._transport)

    @property
    def token(self) -> Optional[str]:
        """The token in use: store it where only its user can read it."""
        return self._transport.token

    def link(
        self,
        *,
        on_code: Callable[[Code], object],
        name: Optional[str] = None,
        access: Optional[Access] = None,
    ) -> str:
        """
        Links this program to a user: shows a code by `on_code`, waits until the user has confirmed it in a browser, or
        the code expires, and returns the token, which this client then uses. With an `access`, the program gets a
        token of its own: `everything`, `read` (keys and files) or `identity` (the name only). `name` is what the user
        sees. Survives lost connections. Raises LinkDenied and LinkExpired.
        """
        self._transport.token = None
        self._transport.token = link(self._transport, name, access, on_code)
        return self._transport.token

    def me(self) -> Me:
        """Whom the token belongs to. A token with the access `identity` gets `username` and `role` only."""
        return repeating(lambda: self._transport.ask(Me, ["me"]))
