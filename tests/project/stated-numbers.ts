/**
 * What documents say of numbers in the code: by the constants, as tests/support/constants.ts reads them, the sentences
 * with # in place of each number. A sentence counts in every document that has it.
 */
export const STATED: Record<string, string | string[]> = {
  // The device link.
  "lib/link/code.CODE_LENGTH": ["| letters | # of `ABC", "accepts exactly # letters"],
  "lib/link/states.APPROVE_WITHIN_SECONDS / 60; COLLECT_WITHIN_SECONDS / 60":
    "# minutes to approve, then # minutes, counted",
  "lib/link/states.APPROVE_WITHIN_SECONDS": ['Link-Expires-In", #)', 'Link-Expires-In"), #)'],
  "lib/link/states.COLLECT_WITHIN_SECONDS": ["COLLECT_SECONDS = #;", "_COLLECTING = #"],
  "lib/link/states.UNAPPROVED_RETENTION_SECONDS / 3600": "# hour and a few minutes after its end",
  "lib/link/states.REUSE_AFTER_SECONDS / 86400": ["issued again within # days", "issued again for # days"],
  "lib/link/states.REPEAT_WITHIN_SECONDS": ["For # seconds the same", "; # seconds, same", "again for # seconds"],
  "lib/link/schema.MAX_PERMISSIONS; lib/platform/bounds.MAX_AUDIENCE; lib/api/form-endpoint.FORM_BYTES / 1024":
    "permissions of # characters, an audience of #; a form of # KB",
  "lib/platform/bounds.MAX_AUDIENCE; lib/accounts/validators.MAX_VALIDATOR": "a text of # characters; a validator of #",
  "lib/platform/bounds.VALIDATOR_SECONDS": "`exp`, # seconds after that",
  "lib/link/collect.MAX_REPEATS": "may ask again, at most # times",
  "lib/link/wait.MAX_WAIT_SECONDS": ["of which # count at most", " WAIT_SECONDS = #;", '"Prefer": "wait=#"'],
  "lib/link/wait.MAX_WAITING_OF_NETWORK + 1; MAX_WAITING + 1":
    "a #th waiting request of one network (a /56 may have 4 times, a /48 16 times as many), a #th of a process",
  "lib/link/wait.MAX_WAITING_OF_NETWORK; MAX_WAITING": "# for each network, # for each process; everyone",
  "lib/accounts/access-tokens/create.NAME_LENGTH": "the first # characters, never half",
  "env.LINK_CODES_PER_10_MINUTES; lib/link/create.SUSTAINED_SECONDS / 60; env.LINK_CODES_PER_30_SECONDS; BURST_SECONDS":
    "A network may request # codes per # minutes, at most # of them in # seconds",
  "lib/link/create.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": ["and # in a day", "# a day (`LINK_CODES"],
  "30 * lib/link/create.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": "an IPv4 address can use up #",
  "lib/link/create.WINDOWS_A_DAY; SUSTAINED_SECONDS / 60": "in a day, # times as many as in # minutes",
  "lib/link/create.SUSTAINED_SECONDS / 60; BURST_SECONDS":
    "New link codes per network: in # minutes, and how many of them within # seconds",
  "env.LINK_POLLS_PER_SECOND": "It may poll a code # times a second",
  "lib/link/limits.GUESS_WINDOW_SECONDS / 60; env.LINK_FOREIGN_CODES_PER_10_MINUTES":
    "In # minutes it may ask about # codes that were not issued to it",
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES * lib/link/limits.PART_OF_ENTRIES":
    "on the page count, too, and may be # of them",
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES": "codes come on top, until the # are used up",
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES; lib/link/limits.GUESS_WINDOW_SECONDS / 60; REFUSED_CODES":
    "# different codes in # minutes; # more, and its codes need a press",
  "lib/link/limits.GUESS_WINDOW_SECONDS / 60": ["may ask for in # minutes", "from linking for # minutes"],
  "env.LINK_WRONG_ENTRIES_PER_10_MINUTES; lib/link/view.WRONG_ENTRIES_SECONDS / 60":
    "An account may enter # wrong codes in # minutes",
  "lib/link/view.WRONG_ENTRIES_SECONDS / 60": "Codes that one account may mistype on the page in # minutes",
  "lib/link/create.PART_OF_A_NETWORK": ["more than 1/# of all outstanding codes", "gets more than 1/# of them"],
  "lib/platform/limits/limits.WIDER_POINTS[0]; WIDER_POINTS[1]": [
    "# times, a /48 #",
    "# times and a /48 #",
    "# times as many, a /48 #",
  ],

  // Ways in.
  "lib/platform/bounds.PROOF_MS / 60000": ["in the last # minutes", "older than # minutes", "counts for # minutes"],
  "lib/accounts/passkeys/challenge.CHALLENGE_SECONDS / 60": "A challenge is valid for # minutes",
  "lib/platform/bounds.LINK_HOURS": [
    "expire after # hours",
    "expires after # hours",
    "within # hours, by",
    "once, for # hours",
  ],
  "lib/platform/bounds.UNDISTURBED_MS / 60000": "within # minutes of a link, none is sent",
  "lib/accounts/recovery/links.PER_HOUR": "may ask # times an hour for a name",
  "lib/platform/bounds.GIVE_UP_MS / 3600000": "until they are sent, and retried for # hours",
  "lib/accounts/recovery/codes.BYTES * 8": "is by a code (# random bits)",
  "lib/accounts/one-time-link.SECRET_BYTES * 8": "Links (# random bits)",
  "lib/platform/bounds.RECOVERY_CODES": ["may have # recovery codes", "and guesses of them | #;"],
  "lib/accounts/access-tokens/use.SEALED_MS / 60000": "until # minute after it was collected",
  "lib/link/device-flow.MAX_POLLS; WINDOW_SECONDS": "more than # polls in # seconds that did not wait",
  "lib/accounts/access-tokens/use.DEFAULT_IDLE_DAYS": "days without use: #, or",
  "lib/accounts/sessions.SIGN_IN_DAYS": ["was signed in within # days", "it was signed in from within # days"],
  "lib/user-data/activity.ACTIVITY_DAYS": "happened to the account in # days",
  "144 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES; 144 * env.FAILED_PASSWORDS_PER_10_MINUTES":
    "at most # a day against one account, and # from each of its own networks",
  "env.FAILED_PASSWORDS_PER_10_MINUTES; lib/accounts/limits.TEN_MINUTES / 60": "# failures in # minutes",
  "env.FAILED_PASSWORDS_PER_NAME_10_MINUTES; 144 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES":
    "and # for an account over all networks: # guesses a day",
  "lib/accounts/limits.TEN_MINUTES / 60": "Wrong passwords in # minutes: for one account",
  "env.FAILED_TOKENS_PER_MINUTE": "may send # invalid tokens a minute",
  "lib/accounts/providers.PROVIDER_TIMEOUT_MS / 1000": ["silent for # seconds", "| # seconds for each of"],
  "lib/accounts/access-tokens/create.MAX_TOKENS": "a user may have # tokens of programs' own",
  "lib/platform/bounds.MIN_USERNAME; MAX_USERNAME": "| username | # to # characters",
  "lib/accounts/passwords.MIN_PASSPHRASE": "a passphrase of at least # characters",
  "app/(pages)/next-path.MAX": ["without its query beyond # characters", "of more than # characters loses its query"],
  "lib/platform/time.CLOCKS_APART_MS / 60000": "set back by more than # minute",

  // Keys and files.
  "lib/platform/bounds.KEY_NAME_LENGTH": "optional `name`, up to # characters",
  "lib/keys/schema.MAX_A_PAGE": "optional `limit` (1 to #)",
  "lib/keys/schema.DATA_BYTES; DATA_BYTES": "1 to # bytes of UTF-8 on create, 0 to # on update",
  "env.KEYS_PER_CREATOR; env.KEY_BYTES_PER_CREATOR / 1000000; env.HOLDERS_PER_KEY":
    "per creator # keys and # MB of data; per key # holders",
  "env.KEYS_HELD_FROM_OTHERS; env.KEYS_HELD_PER_GIVER; 2 * env.KEYS_HELD_FROM_OTHERS":
    "per user # keys created by others, at most # of them by one creator; by claim links, which the user accepts, #",
  "lib/files/schema.MAX_ID; lib/files/import/document.MAX_VALUE_BYTES / 1048576":
    "an id may be 1 to # ASCII characters. Beside data, a value has at most # MiB",
  "lib/files/errors.MAX_NAMED": "names what it cannot take (the first #)",
  "lib/platform/bounds.MAX_DOWNLOAD_MS / 3600000": ["cut, never torn, after # hours", "are kept for up to # hours"],
  "lib/platform/db/free-space.FREE_PART * 100; MAX_FREE_BYTES / 1000000": "# % of the disk, at most # MB",
  "lib/platform/db/reserve.MAX_BYTES / 1000000": ["(# MB, an eighth of a small disk)", "| # MB, at most an eighth"],

  // Requests and the process.
  "lib/platform/bounds.ADDRESS_BYTES; lib/keys/schema.DATA_BYTES / 1024": [
    "# bytes on the API, for #",
    "of # bytes: # KiB",
  ],
  "server/gate-limits.PATH_BYTES": "The path may have # of them",
  "lib/platform/http/limits.MAX_PARAMETERS": ["At most # parameters; more", "address may have # parameters"],
  "lib/platform/http/limits.PAGE_ADDRESS_BYTES / 1024": "Pages take # KiB",
  "server/one-at-a-time.MAX_WAITING": ["More than # that wait", "in work, # parsed"],
  "app/(pages)/client-response.HOUR / 3600": "cached for # hour",
  "lib/platform/db/ready.SPACE_MS / 1000": "which is tried every # seconds",
  "server/stop.PATIENCE_MS / 1000": ["running requests have # to finish", "Running requests have # seconds to finish"],
  "lib/platform/bounds.SWEEP_EVERY_MS / 60000": ["The sweep counts every # minutes", "service does every # minutes"],

  // Clients.
  "clients/cli/src/pull/lock-folder.SILENCE_MS / 60000": "its lock lasts # minutes at most",
  "clients/typescript/src/request.USUAL_SECONDS; MAX_ATTEMPTS - 1":
    "A request times out after # seconds. After 429, 503 or no response, it is repeated up to # times",
  "clients/typescript/src/request.MAX_PAUSE / 60": "`Retry-After` says, but at most # minutes",
  "clients/typescript/src/download.SILENCE_MS / 60000; MAX_BREAKS":
    "fails after # minute of silence, or # interruptions in a row",
  "clients/typescript/src/json-feed.MAX_VALUE_BYTES / 1048576": "its other values up to # MB each",

  // docs/security.md: the gate.
  "lib/platform/bounds.ADDRESS_BYTES; server/gate-limits.PATH_BYTES; HEADER_COUNT; HEADER_BYTES / 1024":
    "| # bytes, its path # | # headers, # KB",
  "lib/platform/http/limits.MAX_COOKIES; COOKIE_BYTES / 1024; ROUTER_STATE_BYTES / 1024; ROUTER_STATE_LEVELS":
    "as API; # cookies, # KB; router state # KB, # levels",
  "app/(pages)/action.USUAL_BYTES / 1024; app/(pages)/keys/actions.LARGE / 1024":
    "| # KB; # KB for the three that carry a key's data or a file of names;",
  "lib/platform/bounds.STRANGERS_BYTES / 1024": "or a file of names; # KB on pages for strangers",
  "lib/platform/http/limits.MAX_LEVELS; MAX_VALUES; server/gate-limits.MAX_PARTS": "# levels, # values and # parts",
  "lib/platform/bounds.PASSKEY_BYTES / 1024": "A passkey's response may have # KB",
  "app/(pages)/keys/actions.LARGE / 1024": ["Bodies up to # KB are read completely", "buffers # KB of a body, before"],
  "server/gate-limits.BODIES.ofNetwork.count; BODIES.ofNetwork.bytes / 1048576": "# and # MB per network,",
  "server/gate-limits.BODIES.ofAll.count; BODIES.ofAll.bytes / 1048576": "per network, # and # MB in all",
  "server/turns.MAX_WAIT_MS / 1000; WAITING_OF_NETWORK; WAITING_OF_ALL":
    "waits for at most # seconds, with # of its network and # in all",
  "lib/platform/event-loop.MAX_MS": [
    "a step is # milliseconds",
    "yield after # milliseconds",
    "ones ask for runs for # milliseconds",
  ],
  "lib/platform/network/blocked.READ_AGAIN_AFTER_MS / 1000": "a process asks the database every # seconds",

  // docs/security.md: bounds of files and pages.
  "app/(pages)/files/view.ENTRIES_A_PAGE; lib/files/index/list.MAX_SEEN; lib/platform/cursor.MAX_CURSOR":
    "# rows of an index in its order, so nothing is sorted or counted; # rows examined per page; a cursor of #",
  "lib/files/index/list.MAX_WAITING; lib/files/change/change.MAX_WAITING":
    "listing per user, # more wait, then 429 `rate_limited`; one change per user and process, # more wait",
  "lib/files/change/located.MAX_ENTRIES": "move or undo | #, else 400",
  "lib/files/restore.MAX_DELETIONS; lib/platform/bounds.MAX_DOWNLOAD_MS / 3600000":
    "the newest # of the last # hours; of each",
  "lib/files/restore.MAX_PIECES; 2 * MAX_PIECES; MAX_NAMES":
    "of each, # replaced pieces and # new ones are read, and # names",
  "lib/files/document/entry.MAX_NAME; lib/files/change/located.MAX_ENTRIES":
    "# characters, checked like any name; # entries",
  "lib/files/change/located.MAX_STATEMENTS; SEEN_AT_ONCE; lib/files/document/entry.MAX_LOCATION_BYTES":
    "# statements of # rows, then one pass over the pieces; # bytes of location",
  "lib/files/index/entry.BUCKETS": "an id costs at most a #th of the index of ids",
  "lib/files/index/find.MAX_ALIKE; lib/platform/bounds.MAX_IN_TREE":
    "# of them are examined; the first #, and a sentence",
  "lib/files/pieces/cutter.MAX / 1024; lib/platform/bounds.MAX_DOWNLOAD_MS / 3600000":
    "a piece (# KB) at a time; # hours, no lock",
  "lib/files/pieces/cutter.MAX / 1024": "from its beginning, # KB at a time",
  "app/(pages)/files/upload-job.MAX_DEPTH; MAX_GATHERED": "# levels, # entries; what is beyond",
  "lib/files/pieces/versions.MAX_VERSIONS": "as the quota, and there are at most #;",
  "lib/files/change/upload.MAX_UPLOADS; lib/files/upload.RESUMABLE_MS / 86400000":
    "#, counted against the quota, kept for # day after their last part; as many pieces as twice the quota",
  "lib/files/schema.MAX_TOGETHER; SMALL_BYTES; PART_BYTES / 1000000": "# of # bytes, # MB in one request",
  "lib/files/change/scan.SLICE_BYTES / 1024": "# KB of text are read between two looks at the clock",
  "lib/files/import/arrival.MAX_OF_NETWORK; SLOTS.graceMs / 1000; SLOTS.leastBytes / 1024":
    "one per user, # per network. If someone needs a slot, the slowest that has had # seconds and sends under # KB",
  "lib/files/zip.MAX_ZIPPED; lib/files/document/saved-paths.MAX_NAME; MAX_TYPE; MAX_PATH":
    "archive | #; # bytes of a name, # of an extension, # of a path",
  "lib/files/schema.MAX_PATH; lib/files/change/located.MAX_ALIKE":
    "`/read-files` returns | a path of # characters; # names that begin alike",
  "lib/files/search.MAX_MATCHES; MAX_SEARCHED; SEARCHED_AT_ONCE; MAX_ABOVE":
    "the first # matches among the first # entries, # per turn, one per user; # levels",
  "lib/files/sweep.DRAFTS_AT_ONCE": "one document at a time per process; # per sweep",
  "lib/platform/event-loop.MAX_MS; server/turns.LOOP_TURNS_BETWEEN":
    "# milliseconds in a turn of the event loop; # turns between two pages",
  "server/page-compression.MAX_AT_ONCE": "do not read them | # at a time, of",
  "server/remembered-pages.MAX_BYTES / 1048576; app/(api)/openapi.json/route.MAX_ORIGINS":
    "# MB, then all are forgotten; `/openapi.json` of # origins",
  "app/(pages)/files/preview.MAX_BYTES / 1024": "# KB; the rest is not loaded",
  "lib/platform/network/block.MAX_BLOCKED; REASON_LENGTH": "#, then 403 `network_limit`; a reason has # characters",
  "lib/platform/network/blocked.MAX_VERDICTS; READ_AGAIN_AFTER_MS / 1000":
    "the verdicts of # clients, and asks for changes once in # seconds",

  // docs/security.md: bounds of keys and links.
  "lib/platform/requests/results.MAX_RESULTS; ROOM_OF_PAGES": [
    "# of a user, of 1 KB each, and # more of their pages",
    "A user can send # such requests in a day, then 429 with `Retry-After`; without `request`, they still work, and " +
      "so do the pages, which have # more",
  ],
  "lib/platform/bounds.ACCOUNT_EVENTS_A_DAY; lib/platform/limits/events.FIRST_COUNT":
    "# of a kind a day (UTC) of about 300 bytes, 1.5 MB, and some hundreds more; the database is asked after #, and",
  "lib/keys/block.MAX_BLOCKED": "people who are blocked | #, then",
  "lib/platform/bounds.MAX_LINKS; MAX_LINKS; lib/keys/claims/create.MAX_STORED":
    "# at a time, # people each; # of one creator's keys",
  "lib/keys/claims/create.MAX_OPEN_DAYS; MAX_ACCESS_DAYS; NOTE_LENGTH; lib/keys/claims/sweep.RETENTION_MS / 86400000":
    "# days, access for #; a note of # characters. Ended ones go after # days",
  "lib/keys/offers.OFFERS_A_PAGE": "the page shows the latest #",
  "lib/keys/record.LARGEST_PAGE; HOLDERS": "# keys or a megabyte of data per statement, # holders",
  "lib/keys/list-queries.MAX_COUNTED; lib/keys/list.PAGE":
    "# holders are counted to sort by them; # keys per statement",
  "lib/keys/list.KEYS_A_PAGE; lib/platform/bounds.MAX_NAMES; app/(pages)/keys/many-dialog.MAX_BYTES / 1000":
    "# keys; # names of 100 characters, a file of # KB",
  "lib/keys/operator.ALL_KEYS_A_PAGE; lib/platform/cursor.MAX_CURSOR":
    "# a page, from an index in its order; a cursor of # characters",
  "app/(pages)/link/ticket-cookie.MAX_TICKETS; SECONDS / 60; app/(pages)/link/address.MAX":
    "# of about 300 bytes, for # minutes; # characters",
  "lib/link/wait.MAX_WAIT_SECONDS; MAX_WAITING_OF_NETWORK; MAX_WAITING":
    "# seconds; # of a network, # of a process, more",
  "lib/link/wait.LINKS_PER_STATEMENT": "one statement a second asks about # of them",
  "lib/link/operator.MAX_RECENT; RECENT_SECONDS / 3600; app/(pages)/admin/links/links-panel.LINKS_A_PAGE":
    "the latest # of # hours, # a page",
  "lib/link/operator.MAX_SHOWN; MAX_READ; lib/link/states.QUESTION_RETENTION_SECONDS / 3600":
    "# networks, from the latest # questions of # hour",
  "lib/platform/limits/leased.MAX_LEASES": "a process remembers # of each",

  // docs/security.md: bounds of accounts and operators.
  "lib/accounts/recovery/codes.MAX_INPUT; 43; lib/accounts/user.MAX_READ; lib/accounts/passwords.MAX_PASSWORD":
    "#, #, # and # characters; a longer one is refused",
  "lib/accounts/recovery/invitations.MAX_OPEN; lib/user-data/overview.MAX_NAMED":
    "lists | #; `FAILED_PASSWORDS_PER_NETWORK_10_MINUTES`; # names each",
  "lib/accounts/mail/addresses.MAX; PENDING_MS / 86400000": "# characters, for # days unless verified",
  "lib/accounts/mail/addresses.OF_ACCOUNT; OF_MAILBOX; OF_NETWORK":
    "# an hour for an account, # for a mailbox, # for a network",
  "lib/accounts/recovery/links.PER_HOUR; OF_NETWORK_PER_HOUR; lib/platform/bounds.UNDISTURBED_MS / 60000":
    "# an hour for a name and a network, # for a network; a mailbox gets one in # minutes",
  "lib/accounts/mail/outbox.MAX_WAITING; lib/platform/bounds.GIVE_UP_MS / 3600000": "# of an account, for # hours;",
  "lib/accounts/mail/transport.PATIENCE.responding / 60000; PATIENCE.sending / 60000":
    "# minutes of silence, # for a message",
  "lib/accounts/passkeys/add.MAX_PASSKEYS; lib/accounts/access-tokens/create.NAME_LENGTH":
    "#, then 403 `passkey_limit`; a name of # characters",
  "lib/accounts/sessions.MAX_SESSIONS; lib/link/program.MAX_LISTED; lib/platform/db/lock.BATCH":
    "#, one more signs out the oldest; the last #; # per statement of a sweep",
  "lib/accounts/access-tokens/create.MAX_TOKENS; lib/accounts/access-tokens/use.MAX_NETWORKS": "| #; # are remembered",
  "lib/user-data/activity.ACTIVITY_DAYS; app/(pages)/account/activity/page.A_PAGE": "# days, # events a page",
  "lib/user-data/delete.HOLDERS_AT_ONCE; KEYS_AT_ONCE; lib/files/pieces/versions.PIECES_AT_ONCE":
    "# holders, # keys, # pieces per statement",
  "lib/accounts/passwords.MIN_PASSPHRASE; MAX_PASSPHRASE": "# to # characters; scrypt",
  "app/(pages)/admin/audit/page.A_PAGE; lib/operator/audit/search.PATIENCE_MS":
    "# events, for # ms; a page that found less",
  "lib/operator/audit/filter.MAX; app/(pages)/admin/audit/newer/route.MAX":
    "A field has # characters, new events are counted to #",
  "lib/operator/audit/export.PAGE; MAX_EXPORTS; STALLED_MS / 60000":
    "# events per statement, streamed; # per process, then 503 `too_many_exports`; a client that takes nothing for #",
  "lib/operator/statistics/count.MAX_DAYS; MAX_DAYS": "24 hours or # days; # days",
  "lib/operator/statistics/count.MAX_DAYS": "for all accounts together, for # days",
  "lib/operator/statistics/count.AT_ONCE": "# rows per statement; limits that are reached",
  "lib/operator/doctor/examine.USERS_AT_ONCE; lib/operator/doctor/finding.MAX_PER_KIND":
    "# users or 100 documents per statement; # problems of a kind",
  "lib/operator/doctor/examination.MAX": "problems of a kind, # in all",
  "app/(pages)/admin/users/all-users.A_PAGE; lib/operator/users/list.MAX_LISTED": "| #, # for a call",
  "lib/platform/bounds.MAX_USERNAME; lib/platform/cursor.MAX_CURSOR; lib/operator/users/update.MAX_AT_ONCE":
    "# characters of a name, a cursor of #; # disabled",
  "lib/operator/users/summaries.USERS_AT_ONCE; EVERY_MS / 60000; PART_OF_TIME":
    "# users per statement, # minutes after the last count, 1/# of the time",
  "lib/operator/statistics/cached.EVERY_MS / 60000; PART_OF_TIME; PATIENCE_MS / 1000":
    "once # minute, 1/# of a process's time; a page waits # seconds",

  // docs/security.md: what a stranger leaves.
  "lib/link/states.UNAPPROVED_RETENTION_SECONDS / 3600; REUSE_AFTER_SECONDS / 86400":
    "from # hour after their end, for # days",
  "lib/link/operator.MAX_NAMED; lib/link/states.REUSE_AFTER_SECONDS / 86400":
    "for each of the # that asked for most in an hour, for # days",
  "lib/link/limits.EVENTS_A_DAY; lib/link/states.REUSE_AFTER_SECONDS / 86400":
    "# events a day of 500 bytes, for # days",
  "lib/accounts/recovery/links.OF_NETWORK_PER_HOUR; MAX_WAITING_NAMES; lib/platform/bounds.GIVE_UP_MS / 86400000":
    "# an hour of 400 bytes, # in all, for # day",
};
