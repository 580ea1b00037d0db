/**
 * What documents say of numbers in the code: by the constants, as tests/support/constants.ts reads them, the sentences
 * with # in place of each number. A sentence counts in every document that has it.
 */
export const STATED: Record<string, string[]> = {
  // Codes.
  "letters.CODE_LENGTH; lifetimes.APPROVE_WITHIN_SECONDS / 60": ["# letters, # minutes, collected once"],
  "letters.CODE_LENGTH": ["| letters | # of `ABC", "accepts exactly # letters"],
  "lifetimes.APPROVE_WITHIN_SECONDS / 60; lifetimes.COLLECT_WITHIN_SECONDS / 60": [
    "# minutes to approve, then # minutes, counted",
    "(a code lives for #, and an approved link for # more)",
  ],
  "lifetimes.APPROVE_WITHIN_SECONDS / 60": [
    "waits for # minutes at most",
    "has decided, for # minutes at most",
    "in a browser, for # minutes at most",
    "nobody decided in # minutes",
  ],
  "lifetimes.APPROVE_WITHIN_SECONDS": [
    '("Link-Expires-In", #)',
    'get("Link-Expires-In"), #)',
    '("link-expires-in", #)',
    '"$SECONDS" -lt # ]',
  ],
  "lifetimes.COLLECT_WITHIN_SECONDS": ["COLLECT_SECONDS = #;", "_COLLECTING = #"],
  "(lifetimes.APPROVE_WITHIN_SECONDS + lifetimes.COLLECT_WITHIN_SECONDS) / 60": [
    "Wait # minutes, so that pending links can finish",
  ],
  "lifetimes.UNAPPROVED_KEPT_SECONDS / 3600": ["# hour and a few minutes after its end", "# hour after its end, 45"],
  "lifetimes.REUSE_AFTER_SECONDS / 86400": [
    "are left of a code for # days",
    "not given out again within # days",
    "not given out again for # days",
    "letters were used in # days",
    "codes of the last # days",
    "collected codes that are older than # days",
  ],
  "lifetimes.ASK_AGAIN_WITHIN_SECONDS": [
    "For # seconds the same program",
    "256-bit secret; # seconds, same program",
    "can be asked for again for # seconds",
    "ask for the token again for # seconds",
    "only by not doing so within # seconds",
  ],
  "handOut.MAX_REPEATS": ["may ask again, at most # times"],
  "wait.MAX_WAIT_SECONDS": ["of which # count at most", " WAIT_SECONDS = #;", '"Prefer": "wait=#"', "wait=#"],
  "waiters.WAITING_OF_NETWORK + 1; waiters.WAITING + 1": [
    "a #th waiting request of one network (a /56 may have 4 times, a /48 16 times as many), a #th of a process",
  ],
  "waiters.WAITING_OF_NETWORK; waiters.WAITING": ["# for each network, # for each process; everybody"],
  "name.NAME_LENGTH": ["`name`: 1 to # characters after blanks"],
  "questions.SHOWN": ["which other networks asked for it (# of them by name)"],

  // Limits of the link.
  "env.LINK_CODES_PER_10_MINUTES; ask.SUSTAINED_SECONDS / 60; env.LINK_CODES_PER_30_SECONDS; ask.BURST_SECONDS": [
    "A network may request # codes per # minutes, at most # of them in # seconds",
  ],
  "ask.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": ["seconds, and # in a day", "# codes a day for each network"],
  "16 * ask.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": ["codes a day for each network, # for a /48"],
  "lifetimes.REUSE_AFTER_SECONDS / 86400; 30 * ask.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": [
    "In # days, an IPv4 address can use up # of them",
  ],
  "ask.WINDOWS_A_DAY; ask.SUSTAINED_SECONDS / 60": ["# times as many as in # minutes in a day"],
  "ask.SUSTAINED_SECONDS / 60; ask.BURST_SECONDS": [
    "New link codes a network: in # minutes, and how many of them within # seconds",
  ],
  "100 / leasedLimits.PART_OF_THE_LIMIT": ["each may hold back # % of that"],
  "env.LINK_POLLS_PER_SECOND": ["It may poll a code # times a second"],
  "guesses.GUESS_WINDOW_SECONDS / 60; env.LINK_FOREIGN_CODES_PER_10_MINUTES": [
    "In # minutes it may ask about # codes that it was not given",
  ],
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES * guesses.PART_OF_ENTRIES": ["on the page count, too, and may be # of them"],
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES": ["codes come on top, until the # are used up"],
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES; guesses.GUESS_WINDOW_SECONDS / 60; guesses.REFUSED_CODES": [
    "throttled to # different codes in # minutes; # more, and its codes need a press",
  ],
  "guesses.GUESS_WINDOW_SECONDS / 60": [
    "Different codes that one network may ask for in # minutes",
    "without a secret from linking for # minutes",
  ],
  "env.LINK_WRONG_ENTRIES_PER_10_MINUTES; find.WRONG_ENTRIES_SECONDS / 60": [
    "An account may enter # wrong codes in # minutes",
  ],
  "find.WRONG_ENTRIES_SECONDS / 60": ["Codes that one account may mistype on the page in # minutes"],
  "ask.PART_OF_A_NETWORK": ["more than 1/# of all outstanding codes", "gets more than 1/# of them"],
  "networkLimits.WIDER_POINTS[0]; networkLimits.WIDER_POINTS[1]": [
    "a /56 may send # times, a /48 # times as many",
    "a /56 may have # times, a /48 # times as many",
    "A /56 may do # times and a /48 # times as much",
    "A /56 gets # times, a /48 # times as many",
    "a /56 # times as many, a /48 # times)",
  ],

  // Ways in.
  "statedBounds.PROOF_MS / 60000": [
    "needs a proof in the last # minutes",
    "in that browser is older than # minutes",
    "if the last proof is older than # minutes",
    "a proof that is not older than # minutes",
    "which counts for # minutes in its session",
    "they are more than # minutes ago",
  ],
  "challenge.CHALLENGE_SECONDS / 60": [
    "A challenge is valid for # minutes",
    "An answered one is a row for at most # minutes",
  ],
  "statedBounds.LINK_HOURS": [
    "work once, expire after # hours",
    "works once and expires after # hours",
    "each once, within # hours, by a press",
    "works once, for # hours",
  ],
  "statedBounds.UNDISTURBED_MS / 60000": [
    "ends no link within # minutes",
    "within # minutes of a link, none is sent",
    "A mailbox gets one in # minutes",
  ],
  "askByMail.PER_HOUR": ["may ask # times an hour for a name"],
  "statedBounds.GIVE_UP_MS / 3600000": ["They are retried for # hours", "They are given up after # hours"],
  "recovery$code.BYTES * 8": ["a recovery code (# random bits)"],
  "oneTimeLink.SECRET_BYTES * 8": ["Links (# random bits)"],
  "statedBounds.RECOVERY_CODES": ["may have # recovery codes", "| recovery codes of one account | #;"],
  "start.KEPT_SEALED_MS / 60000": ["until # minute after it was collected"],
  "signIns.KEPT_DAYS": ["was signed in within # days", "it was signed in from within # days"],
  "activity.SHOWN_DAYS": ["happened to the account in # days"],
  "144 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES; 144 * env.FAILED_PASSWORDS_PER_10_MINUTES": [
    "all networks together have # guesses a day, and one of the account's own networks #",
  ],
  "env.FAILED_PASSWORDS_PER_10_MINUTES; auth$passwordLimits.TEN_MINUTES / 60": [
    "# failures in # minutes per account and network",
    "(in the network, # failures in # minutes remain)",
    "# in # minutes for a session",
  ],
  "env.FAILED_PASSWORDS_PER_NAME_10_MINUTES; 144 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES": [
    "and # for an account over all networks: # guesses a day",
  ],
  "auth$passwordLimits.TEN_MINUTES / 60": ["Wrong passwords in # minutes: for one account"],
  "env.FAILED_TOKENS_PER_MINUTE": ["may send # invalid tokens a minute"],
  "providers.PROVIDER_TIMEOUT_MS / 1000": ["A provider may be silent for # seconds", "| # seconds for each of at most"],
  "create.MAX_TOKENS": ["a user may have # tokens of programs' own"],
  "statedBounds.MIN_USERNAME; statedBounds.MAX_USERNAME": ["| username | # to # characters"],
  "passphrase.MIN": ["a passphrase of at least # characters"],
  "nextPath.MAX": ["without its query beyond # characters", "an address of more than # characters loses its query"],
  "hours.CLOCKS_APART_MS / 60000": ["set back by more than # minute"],

  // Keys.
  "statedBounds.KEY_NAME_LENGTH": ["optional `name`, up to # characters"],
  "keys$schema.MAX_A_PAGE": ["optional `limit` (1 to #)"],
  "keys$schema.DATA_BYTES; keys$schema.DATA_BYTES": ["1 to # bytes of UTF-8 on create, 0 to # on update"],
  "env.KEYS_PER_CREATOR; env.KEY_BYTES_PER_CREATOR / 1000000; env.HOLDERS_PER_KEY": [
    "per creator # keys and # MB of data; per key # holders",
  ],
  "env.KEYS_HELD_FROM_OTHERS; env.KEYS_HELD_PER_GIVER; 2 * env.KEYS_HELD_FROM_OTHERS": [
    "per user # keys made by others, at most # of them by one creator; by claim links, which the user accepts, up to #",
  ],

  // Files.
  "entryId.MAX_ID; incomingDocument.MAX_VALUE_BYTES / 1048576": [
    "an id may be 1 to # ASCII characters. Beside data, a value has at most # MiB",
  ],
  "fileBytes.MAX_HEADER": ["(together at most # bytes of UTF-8)"],
  "importReport.MAX_NAMED": ["names what it cannot take (the first #)"],
  "statedBounds.MAX_DOWNLOAD_MS / 3600000": [
    "cut, never torn, after # hours",
    "can continue for up to # hours",
    "The old ones stay for # hours",
    "are kept for up to # hours",
    "| long downloads | # hours",
  ],
  "partBytes.PART_BYTES": ["a file of up to # bytes"],
  "partBytes.SMALL_BYTES; partBytes.MAX_TOGETHER": ["up to # bytes each, go # in one request"],
  "cutter.MAX / 1024": [
    "JSON text, at most # KB",
    "a file of more than # KB that it moves",
    "a piece (# KB) at a time",
  ],
  "files$sweep.DRAFT_PATIENCE_MS / 3600000; unfinishedUploads.RESUMABLE_MS / 86400000": [
    "a draft without progress for # hour is swept, an interrupted upload after # day",
  ],
  "freeSpace.FREE_PART * 100; freeSpace.MAX_FREE_BYTES / 1000000": ["# % of the disk, at most # MB"],

  // Requests and the process.
  "statedBounds.ADDRESS_BYTES; keys$schema.DATA_BYTES / 1024": [
    "# bytes on the API, for # KiB of data",
    "accept addresses of # bytes: # KiB of key data",
  ],
  "gateLimits.PATH_BYTES": ["The path may have # of them"],
  "pageLimits.MAX_PARAMETERS": ["At most # parameters; more are 400"],
  "pageLimits.PAGE_ADDRESS_BYTES / 1024": ["Pages take # KiB"],
  "openedByHand.MAX_BYTES / 1024": ["a body over # KB. Everybody else", "shown as a page | # KB are kept in memory"],
  "oneAtATime.MAX_WAITING": [
    "More than # that wait end the connection",
    "# more may wait, not handled",
    "one in work, # parsed",
  ],
  "clientAnswer.HOUR / 3600": ["cached for # hour"],
  "db$ready.ROOM_MS / 1000": ["which is tried every # seconds", "it tries to, every # seconds"],
  "stop.PATIENCE_MS / 1000": ["running requests have # to finish", "Running requests have # seconds to finish"],
  "statedBounds.SWEEP_EVERY_MS / 60000": ["The sweep counts every # minutes", "a running service does every # minutes"],
  "rollUp.HOURS_KEPT_DAYS": ["Hours are kept for # days"],
  "rollUp.MEASURED_EVERY_MS / 60000": ["every # minutes, or more seldom"],
  "place.MAX_EXPORTS; place.STALLED_MS / 60000": [
    "a process sends # at once, and ends one whose reader takes nothing for # minutes",
  ],
  "reserve.MAX_BYTES / 1000000": ["(# MB, an eighth of a small disk)", "| # MB, at most an eighth of the disk"],

  // Clients.
  "lockFolder.SILENCE_MS / 60000": ["that takes # minutes at most"],
  "savedPaths.MAX_PATH": ["for some systems end at # bytes"],
  "savedPaths.MAX_NAME; savedPaths.MAX_TYPE; savedPaths.MAX_PATH": [
    "# bytes and an extension of #; a path of #",
    "# bytes of a name, # of an extension and # of a folder's path",
  ],
  "request.USUAL_SECONDS; request.USUAL_SECONDS + wait.MAX_WAIT_SECONDS": ["# seconds, # while waiting for a link"],
  "download.SILENCE_MS / 1000": ["# seconds, then it goes on by another request"],
  "download.MAX_BREAKS": ["# breaks in a row without a new byte"],
  "jsonFeed.MAX_VALUE_BYTES / 1048576": ["# MB, else `bad_document`"],
  "request.MAX_PAUSE / 60": ["`Retry-After` says, up to # minutes"],
};
