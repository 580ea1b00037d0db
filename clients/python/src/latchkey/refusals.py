"""The service's refusals, a class for each code. Written by `npm run codegen`. Do not edit."""

from typing import Dict, Type

from .errors import ApiError


class NetworkBlocked(ApiError):
    """403 network_blocked: The operator has blocked the network that the request comes from."""


class MethodNotAllowed(ApiError):
    """405 method_not_allowed: The method isn't GET."""


class PreconditionFailed(ApiError):
    """412 precondition_failed: What is asked for may be another version than the one that a part was sent of."""


class MisdirectedRequest(ApiError):
    """421 misdirected_request: The request names a host that isn't this service's own."""


class RateLimited(ApiError):
    """429 rate_limited: Too many requests. Wait for the number of seconds in Retry-After."""


class Internal(ApiError):
    """500 internal: A fault in the service. If it persists, give the operator the X-Request-Id."""


class Unavailable(ApiError):
    """503 unavailable: The service is starting or busy, or its database is unavailable. Retry-After says when to try
    again."""


class NotFound(ApiError):
    """404 not_found: There is nothing at this URL."""


class MissingParameter(ApiError):
    """400 missing_parameter: A required parameter is missing. The sentence names it."""


class DuplicateParameter(ApiError):
    """400 duplicate_parameter: A parameter was sent more than once."""


class TooManyParameters(ApiError):
    """400 too_many_parameters: The URL has more than 50 parameters."""


class InvalidParameter(ApiError):
    """400 invalid_parameter: A parameter has a value that isn't allowed. The sentence names it."""


class MissingToken(ApiError):
    """401 missing_token: No token was sent."""


class InvalidToken(ApiError):
    """401 invalid_token: The token is unknown, malformed or no longer valid."""


class AudienceNotApproved(ApiError):
    """403 audience_not_approved: The user hasn't approved that the program's own token proves who they are to this
    server. The sentence names those that they have, and says how to ask."""


class AccountDisabled(ApiError):
    """403 account_disabled: The operator has disabled the account."""


class KeyMismatch(ApiError):
    """400 key_mismatch: The parameter key isn't the id in the path."""


class NotCreator(ApiError):
    """403 not_creator: The caller isn't the key's creator."""


class HolderLimit(ApiError):
    """403 holder_limit: The key has as many holders, or the user as many keys, as this service allows."""


class TokenAccess(ApiError):
    """403 token_access: The program's own token has less access than this route needs. The sentence names both."""


class PrefetchRefused(ApiError):
    """403 prefetch_refused: A browser loaded it in advance, or a page as a picture or script."""


class KeyNotFound(ApiError):
    """404 key_not_found: No key has this id."""


class UserNotFound(ApiError):
    """404 user_not_found: No user has this name."""


class RequestConflict(ApiError):
    """409 request_conflict: The parameter request has the id of another request that was sent within a day."""


class StorageFull(ApiError):
    """507 storage_full: The service has no space left for this. Deletions still work."""


class CreatorAccess(ApiError):
    """400 creator_access: The user is the key's creator, who always holds it."""


class KeyLimit(ApiError):
    """403 key_limit: The creator has as many keys, or as much data, as this service allows."""


class DataDamaged(ApiError):
    """500 data_damaged: What is stored was changed by something other than the service, or the key that opens it is
    lost."""


class NoFiles(ApiError):
    """404 no_files: The user hasn't stored anything yet."""


class NoSuchEntry(ApiError):
    """404 no_such_entry: The user has no file or folder with this path or id."""


class RangeNotSatisfiable(ApiError):
    """416 range_not_satisfiable: The requested range begins after the end."""


BY_CODE: Dict[str, Type[ApiError]] = {
    "network_blocked": NetworkBlocked,
    "method_not_allowed": MethodNotAllowed,
    "precondition_failed": PreconditionFailed,
    "misdirected_request": MisdirectedRequest,
    "rate_limited": RateLimited,
    "internal": Internal,
    "unavailable": Unavailable,
    "not_found": NotFound,
    "missing_parameter": MissingParameter,
    "duplicate_parameter": DuplicateParameter,
    "too_many_parameters": TooManyParameters,
    "invalid_parameter": InvalidParameter,
    "missing_token": MissingToken,
    "invalid_token": InvalidToken,
    "audience_not_approved": AudienceNotApproved,
    "account_disabled": AccountDisabled,
    "key_mismatch": KeyMismatch,
    "not_creator": NotCreator,
    "holder_limit": HolderLimit,
    "token_access": TokenAccess,
    "prefetch_refused": PrefetchRefused,
    "key_not_found": KeyNotFound,
    "user_not_found": UserNotFound,
    "request_conflict": RequestConflict,
    "storage_full": StorageFull,
    "creator_access": CreatorAccess,
    "key_limit": KeyLimit,
    "data_damaged": DataDamaged,
    "no_files": NoFiles,
    "no_such_entry": NoSuchEntry,
    "range_not_satisfiable": RangeNotSatisfiable,
}
