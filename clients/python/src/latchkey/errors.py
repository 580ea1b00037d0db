"""What goes wrong. Every error of this package is a LatchkeyError with a word for programs in `code`."""

from typing import Optional


class LatchkeyError(Exception):
    """The base of every error here. `code` is the service's word for it, or ours where the service said nothing."""

    code = "latchkey_error"


class ApiError(LatchkeyError):
    """The service refused. Each of its codes has a class of its own, all of which are in `latchkey.refusals`."""

    def __init__(
        self,
        sentence: str,
        *,
        code: str,
        status: int,
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.status = status
        self.retry_after = retry_after
        """Seconds after which the service wants to be asked again, if it said so."""
        self.request_id = request_id
        """What the operator finds this request by."""


class NoAnswer(LatchkeyError):
    """There was no response, or it broke off, however often the client asked."""

    code = "no_answer"

    def __init__(self, sentence: str, *, was_sent: bool) -> None:
        super().__init__(sentence)
        self.was_sent = was_sent
        """False if it is certain that the service never saw the request."""


class CannotConnect(LatchkeyError):
    """
    The service did not see the request, and asking again will not help. `code` says why: `bad_address` (there is no
    such host), `bad_certificate` (it is not trusted here), `invalid_answer` (not https), `proxy_refused`, or
    `redirected` (the address leads elsewhere, and the token does not follow).
    """

    def __init__(self, sentence: str, *, code: str) -> None:
        super().__init__(sentence)
        self.code = code


class OutcomeUnknown(LatchkeyError):
    """A change that must not be repeated may have been made: its response was lost. `__cause__` says how."""

    def __init__(self, cause: LatchkeyError) -> None:
        super().__init__(f"The change may have been made, or not: {cause}")
        self.code = cause.code


class InvalidAnswer(LatchkeyError):
    """The response is not one that the service gives: something else is at this address, or in between."""

    code = "invalid_answer"


class InvalidDocument(InvalidAnswer):
    """The document of files is not what the contract says. The sentence names the entry."""

    code = "invalid_document"


class DocumentChanged(LatchkeyError):
    """The files changed while a broken transfer was resumed: read them again from the beginning."""

    code = "document_changed"


class BadProof(LatchkeyError):
    """The service has not signed this, or for something else, or it has expired."""

    code = "bad_proof"


class LinkError(LatchkeyError):
    """The program was not linked."""


class LinkDenied(LinkError):
    """The user denied the code."""

    code = "link_denied"


class LinkExpired(LinkError):
    """Nobody confirmed the code in time, or the token was not collected in time."""

    code = "link_expired"
