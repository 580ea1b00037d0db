"""When a request is sent again."""

import random
import time
from typing import Callable, Optional, TypeVar

from .errors import ApiError, CannotConnect, LatchkeyError, NoAnswer, OutcomeUnknown

MAX_TRIES = 6
MAX_PAUSE = 60.0
_FIRST_PAUSE = 0.25
_BUSY = (429, 502, 503, 504)

T = TypeVar("T")


def pause_before(attempt: int, wanted: Optional[float] = None) -> float:
    """Seconds before the attempt of this number, from 1 on: what the service wants, or else longer every time."""
    if wanted is not None:
        return wanted
    return float(min(_FIRST_PAUSE * 2 ** (attempt - 1), 8.0) * random.uniform(0.75, 1.25))


def is_passing(error: LatchkeyError) -> bool:
    """Whether a later attempt may well succeed."""
    return isinstance(error, NoAnswer) or (isinstance(error, ApiError) and error.status in _BUSY)


def is_undone(error: LatchkeyError) -> bool:
    """Whether it is certain that the service did nothing: it refused, or never saw the request."""
    if isinstance(error, NoAnswer):
        return not error.was_sent
    if isinstance(error, CannotConnect):
        return True
    return isinstance(error, ApiError) and (400 <= error.status < 500 or error.status == 507)


def repeating(action: Callable[[], T], *, is_harmless: bool = True) -> T:
    """
    The result of `action`, tried up to six times. Unless it `is_harmless` to do it twice, raises OutcomeUnknown where
    nobody knows whether it was done.
    """
    attempt = 0
    may_be_done = False
    while True:
        attempt += 1
        try:
            return action()
        except LatchkeyError as error:
            may_be_done = may_be_done or not is_undone(error)
            wanted = error.retry_after if isinstance(error, ApiError) else None
            if attempt == MAX_TRIES or not is_passing(error) or (wanted or 0) > MAX_PAUSE:
                if may_be_done and not is_harmless:
                    raise OutcomeUnknown(error) from error
                raise
            time.sleep(pause_before(attempt, wanted))
