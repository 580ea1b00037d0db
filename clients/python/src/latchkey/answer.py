"""A response, and what is in it: a record, a refusal, or bytes."""

import json
from http.client import HTTPException, HTTPMessage
from typing import Any, Callable, Optional, TypeVar

from .errors import ApiError, InvalidAnswer, NoAnswer
from .refusals import BY_CODE
from .shape import fault_of

T = TypeVar("T")

#: A key with its data, every character escaped, and ten thousand holders takes less.
MAX_BYTES = 2_000_000
_MOST_ERROR_BYTES = 65_536


class Answer:
    """A response whose body has not been read yet."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status
        self.headers: HTTPMessage = response.headers
        self._response = response
        length = self.headers.get("Content-Length", "")
        #: Bytes of the body, if the response says how many.
        self.length: Optional[int] = int(length) if length.isdecimal() and len(length) < 19 else None

    def __enter__(self) -> "Answer":
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()

    def read(self, most: int) -> bytes:
        """At most so many of the next bytes; empty at the end. Raises NoAnswer where the connection is lost."""
        try:
            block: bytes = self._response.read(most)
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(f"The response broke off: {type(error).__name__}.", was_sent=True) from None
        return block

    def whole(self, most: int) -> bytes:
        """The whole body. Raises InvalidAnswer if it is longer than `most`."""
        body = bytearray()
        while len(body) <= most:
            block = self.read(65_536)
            if not block:
                break
            body += block
        if len(body) > most:
            raise InvalidAnswer(f"The response is longer than {most} bytes.")
        if self.length is not None and len(body) < self.length:
            raise NoAnswer("The response broke off.", was_sent=True)
        return bytes(body)


def parsed(body: bytes, expected: Callable[..., T]) -> T:
    """A body as JSON of the `expected` type, which is a TypedDict. Raises InvalidAnswer."""
    try:
        return checked(expected, json.loads(body))
    except (ValueError, RecursionError):
        raise InvalidAnswer("The response is not JSON.") from None


def checked(expected: Callable[..., T], value: Any) -> T:
    """The same value. Raises InvalidAnswer if it is not of the `expected` type."""
    fault = fault_of(value, expected)
    if fault:
        raise InvalidAnswer(f"The response is not the service's: {fault}.")
    found: T = value
    return found


def refusal_of(answer: Answer) -> ApiError:
    """
    The error that it reports; one with a code like `http_502` if it is not the service's own. Raises NoAnswer if
    it broke off: what it would have said is not known.
    """
    status, headers = answer.status, answer.headers
    try:
        body = json.loads(answer.whole(_MOST_ERROR_BYTES) or b"null")
    except (ValueError, RecursionError, InvalidAnswer):
        body = None
    code, sentence = (body.get("code"), body.get("error")) if isinstance(body, dict) else (None, None)
    if not isinstance(code, str) or not isinstance(sentence, str):
        code, sentence = f"http_{status}", f"The response has the status {status}, and is not the service's own."
    after = headers.get("Retry-After", "")
    return BY_CODE.get(code, ApiError)(
        sentence,
        code=code,
        status=status,
        retry_after=float(after) if after.isdecimal() and len(after) < 10 else None,
        request_id=headers.get("X-Request-Id"),
    )
