"""Linking: a user confirms six letters in a browser, and the program gets a token (the contract, section 4)."""

import time
from dataclasses import dataclass
from typing import Callable, Dict, Mapping, Optional, TypedDict

from .answer import MAX_BYTES, Answer, parsed
from .errors import ApiError, LatchkeyError, LinkDenied, LinkExpired
from .records import LinkCode, Linked
from .repeating import MAX_PAUSE, MAX_TRIES, is_passing, pause_before, repeating
from .transport import Transport

#: An approved code can be collected for so long.
_COLLECTING = 300.0
#: A lost response with the token can be requested again for ten seconds: three times, at this pace.
_COLLECT_TIMEOUT = 3.0
_WAIT_TIMEOUT = 40.0
_WAIT = {"Prefer": "wait=25"}


class _Status(TypedDict):
    """Of /link/status, whether 200 or 404."""

    status: str


@dataclass(frozen=True)
class Code:
    """What the program shows to its user."""

    code: str
    """Six letters, to compare with those on the page."""
    url: str
    """The page, with the letters filled in: to open, or as a QR code."""
    expires_in: int
    """Seconds until the code can no longer be confirmed."""


class Linking:
    """One attempt to link, from the code to the token."""

    def __init__(self, transport: Transport, options: Mapping[str, Optional[str]]) -> None:
        self._transport = transport
        with repeating(lambda: transport.open(["link", "code"], options)) as answer:
            self._letters: str = parsed(answer.whole(MAX_BYTES), LinkCode)["code"]
            headers = answer.headers
        expires_in = _seconds(headers.get("Link-Expires-In"), 600)
        self._interval = _seconds(headers.get("Link-Interval"), 5)
        secret = headers.get("Link-Secret")
        self._headers: Dict[str, str] = {**_WAIT, **({"Link-Secret": secret} if secret else {})}
        self._ends = time.monotonic() + expires_in + _COLLECTING
        url = headers.get("Link", "").partition("<")[2].partition(">")[0]
        self.code = Code(self._letters, url or f"{transport.address}/link?code={self._letters}", expires_in)

    def token(self) -> str:
        """Waits for the user, and returns the token. Raises LinkDenied or LinkExpired."""
        failures = 0
        while time.monotonic() < self._ends:
            try:
                status, pause = self._status()
                if status in ("linked", "collected"):
                    token = self._collected()
                    if token:
                        return token
                    # It was collected by someone else, or too late; or the account is gone.
                    if status == "collected":
                        break
                    pause = self._interval
                failures = 0
            except LatchkeyError as error:
                # Until the code ends, nothing is lost by asking again.
                if not is_passing(error):
                    raise
                failures += 1
                status, pause = "", self._pause_after(error, failures)
            if status == "denied":
                raise LinkDenied("The user denied the code.")
            if status in ("expired", "unknown"):
                break
            time.sleep(pause)
        raise LinkExpired("The code has expired.")

    def _status(self) -> "tuple[str, float]":
        """The status, and for how long to wait before asking again."""
        with self._asked("status", _WAIT_TIMEOUT) as answer:
            body = answer.whole(MAX_BYTES)
            has_waited = "Preference-Applied" in answer.headers
            return parsed(body, _Status)["status"], 0 if has_waited else self._interval

    def _collected(self) -> Optional[str]:
        """The token; None if there is none for this program. Asks again immediately if the response is lost."""
        attempt = 0
        while True:
            attempt += 1
            try:
                with self._asked("user", _COLLECT_TIMEOUT) as answer:
                    body = answer.whole(MAX_BYTES)
                    return None if answer.status == 404 else str(parsed(body, Linked)["token"])
            except LatchkeyError as error:
                if attempt == MAX_TRIES or not is_passing(error):
                    raise
                time.sleep(pause_before(attempt, error.retry_after if isinstance(error, ApiError) else 0.25))

    def _asked(self, route: str, timeout: float) -> Answer:
        query: Mapping[str, Optional[str]] = {"code": self._letters}
        return self._transport.open(
            ["link", route], query, headers=self._headers, taken=(200, 404), timeout=timeout
        )

    def _pause_after(self, error: LatchkeyError, failures: int) -> float:
        wanted = error.retry_after if isinstance(error, ApiError) else None
        return min(pause_before(min(failures, 6), wanted), MAX_PAUSE)


def _seconds(text: Optional[str], default: int) -> int:
    """A number of seconds that a header names: at most an hour."""
    return min(int(text), 3600) if text and text.isdecimal() and len(text) < 10 else default


def link(transport: Transport, options: Mapping[str, Optional[str]], on_code: Callable[[Code], object]) -> str:
    """Shows a code by `on_code`, and returns the token once the user has confirmed it."""
    linking = Linking(transport, options)
    on_code(linking.code)
    return linking.token()
