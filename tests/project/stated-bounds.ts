/** The same as tests/project/stated-numbers.ts, of docs/bounds.md and docs/gate.md. */
export const STATED_BOUNDS: Record<string, string[]> = {
  // Files.
  "view.ENTRIES_A_PAGE": ["the rows that the page shows (#)", "The page shows and selects # at a time"],
  "folderPage.MAX_SEEN": ["# rows examined per page"],
  "folderCursor.MAX_CURSOR": ["| a cursor in the address | # characters"],
  "listingTurns.MAX_WAITING": ["one per user, # more wait, others get 429 `too_many_listings`"],
  "located.MAX_ENTRIES": ["move or undo | #, else 400"],
  "deletions.MAX_DELETIONS; statedBounds.MAX_DOWNLOAD_MS / 3600000; deletions.MAX_PIECES": [
    "the newest # of the last # hours. Of each, # replaced pieces",
  ],
  "deletions.MAX_NAMES": ["and # names are shown. It waits its turn"],
  "names.MAX_NAME; located.MAX_ENTRIES": ["# characters, checked like any name; more than # entries"],
  "changeDocument.MAX_WAITING": ["one per user and process, # more wait"],
  "piecesBelow.MAX_STATEMENTS; piecesBelow.SEEN_AT_ONCE": ["# statements of # rows, then one pass"],
  "findRows.MAX_ALIKE": ["the same path | # of them are examined"],
  "names.MAX_LOCATION_BYTES; folders.MAX_BREADCRUMBS": ["# bytes of location; a listing shows # of its parent folders"],
  "statedBounds.MAX_IN_TREE": ['folders in the tree of "Move" | the first #,'],
  "keptVersions.MAX_VERSIONS": ["as the document, and there are at most #."],
  "partBytes.MAX_TOGETHER; partBytes.SMALL_BYTES; partBytes.PART_BYTES / 1000000": [
    "# of # bytes, # MB in one request",
  ],
  "uploadQuota.MAX_UPLOADS; unfinishedUploads.RESUMABLE_MS / 86400000": [
    "| uploads in progress | #, also the interrupted ones, which are kept for # day",
  ],
  "upload.LEAST_BEGIN_BYTES; openUpload.PIECES_FREE": [
    "parts of an upload, of # bytes each | as many pieces as twice the quota holds, plus #",
  ],
  "turnOfOthers.MAX_MS": ["a step is # milliseconds", "yield after # milliseconds"],
  "scanPieces.SLICE_BYTES / 1024": ["# KB of text are read between two looks at the clock"],
  "slots.MAX_IMPORTS; slots.MAX_OF_NETWORK; slots.SLOTS.graceMs / 1000; slots.SLOTS.leastBytes / 1024": [
    "| # concurrent ones, one per user, # per network. If somebody needs a slot, the slowest that has had # seconds " +
      "and sends under # KB a second",
  ],
  "send.SHOWN_BYTES / 1024": ["a form of the API reference | # KB are read"],
  "files$preview.MAX_BYTES / 1024": ["a preview of a large file | # KB"],
  "zipEntries.MAX_ZIPPED": ["as one ZIP archive | #, else 400"],
  "files$search.MAX_FOUND; files$search.MAX_SEARCHED; files$search.SEARCHED_AT_ONCE; files$search.MAX_ABOVE": [
    "the first # matches among the first # entries, # per turn, one search per user at a time; # levels",
  ],
  "files$sweep.DRAFTS_AT_ONCE; pieces$remove.PIECES_AT_ONCE": ["# abandoned drafts per sweep, # pieces per statement"],

  "index$keys.BUCKETS": ["an id costs at most a #th of the index of ids"],

  // Pages.
  "pageCompression.MAX_AT_ONCE": ["do not read them | # at once, of"],
  "rememberedPages.MAX_BYTES / 1048576": ["| # MB; beyond that, all are forgotten"],
  "route.MAX_ORIGINS": ["of # origins"],

  // Keys and accounts.
  "passphrase.MIN; passphrase.MAX": ["passphrase of a backup | # to # characters"],
  "statedBounds.MAX_LINKS; claims$create.ROWS_AT_ONCE": ["| # each; in one transaction, # rows per statement"],
  "claims$create.MAX_STORED; claims$sweep.ENDED_KEPT_MS / 86400000": [
    "#, counted under a lock, else 403 `claim_limit`; those that ended are deleted after # days",
  ],
  "claims$create.MAX_OPEN_DAYS; claims$create.MAX_ACCESS_DAYS": ["| # days and # days |"],
  "claims$create.NOTE_LENGTH": ["note of claim links | # characters"],
  "manage.BATCHES_A_PAGE; manage.NAMES_SHOWN": ["a page of # batches, with # names each"],
  "offers$list.OFFERS_SHOWN": ["the page shows the latest #"],
  "mine.LARGEST_PAGE; mine.HOLDERS": ["# keys or a megabyte of data per statement, # holders"],
  "listing$rows.MAX_COUNTED": ["to sort by holders, # are counted"],
  "listing$csv.PAGE": ["streamed (backpressure): # keys per statement"],
  "audit$page.A_PAGE; audit$search.FIRST_READ; audit$search.MAX_READ; audit$search.PATIENCE_MS": [
    "# events; each statement reads # to # events of one index, as many as its time allows, for # ms in all",
  ],
  "audit$filter.MAX": ["each field # characters, without control characters"],
  "newer$route.MAX": ["that page | counted to #"],
  "audit$export.PAGE": ["in constant memory: # events per statement"],
  "place.MAX_EXPORTS; place.STALLED_MS / 60000": [
    "# per process, then 503 `too_many_exports`; a client that takes nothing for # minutes",
  ],
  "passkeys$add.MAX_PASSKEYS": ["| #, counted under a lock, else 403 `passkey_limit`"],
  "register.MAX_KEY_BYTES; gateLimits.PASSKEY_BYTES / 1024": ["the key itself is # bytes; # KB in all"],
  "name.NAME_LENGTH": ["the name of a passkey | # characters"],
  "ticketCookie.MAX_TICKETS; ticketCookie.SECONDS / 60": ["| # of about 300 bytes, sent to `/link` only, for # min"],
  "codeInAddress.MAX": ["longer than # characters: not searched for a code"],
  "wait.MAX_WAIT_SECONDS; waiters.WAITING_OF_NETWORK; 4 * waiters.WAITING_OF_NETWORK": [
    "| # seconds; # of a network, # of a /56",
  ],
  "16 * waiters.WAITING_OF_NETWORK; waiters.WAITING": ["# of a /48, # of a process"],
  "waiters.LINKS_PER_STATEMENT": ["once a second, # links per statement"],
  "prefer.MAX_CHARACTERS": ["| the `Prefer` header | # characters"],
  "keys$list.KEYS_A_PAGE": ["in one request | #, the rows of a page"],
  "statedBounds.MAX_NAMES; manyDialog.MAX_BYTES / 1000": [
    "# names, each at most 100 characters in the result; a file of # KB",
  ],
  "keys$read.MAX_LEFT": ["keys left in one request | # |"],
  "losses.MAX_COUNTED": ["# rows of holders are counted"],
  "account$delete.HOLDERS_AT_ONCE; account$delete.KEYS_AT_ONCE; pieces$remove.PIECES_AT_ONCE": [
    "# holders, # keys, # pieces per statement",
  ],
  "sessions.MAX_SESSIONS": ["sessions of one account | #;"],
  "create.MAX_TOKENS": ["of one account | #; their list is one page"],
  "use.MAX_NETWORKS": ["| # are remembered"],
  "leasedLimits.MAX_LEASES": ["a process remembers # of each"],
  "env.FAILED_PASSWORDS_PER_10_MINUTES; oneTimeLinks$guesses.TEN_MINUTES / 60": [
    "# in # minutes for a name and a network",
  ],
  "env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES": ["for a name and a network, # for a network"],
  "env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES; oneTimeLinks$guesses.TEN_MINUTES / 60": [
    "# in # minutes for a network (a /56",
  ],
  "activity.SHOWN_DAYS; activity$page.A_PAGE; account$activity.MAX_READ": [
    "activity of an account | # days, # events a page, for which # events",
  ],
  "signIns.KEPT_DAYS; signIns.MAX_KEPT": ["| # days, and the latest #"],
  "recoveryEffects.MAX_NAMED": ["# names each; further programs are counted"],
  "invitations.MAX_OPEN": ["open invitations | #;"],
  "mail$addresses.MAX": ["an e-mail address | # characters"],
  "mail$addresses.PENDING_MS / 86400000": ["one that waits to be verified, for # days"],
  "mail$addresses.OF_ACCOUNT; mail$addresses.OF_MAILBOX; mail$addresses.OF_NETWORK": [
    "# an hour for an account, # for a mailbox, # for a network",
  ],
  "askByMail.PER_HOUR": ["# an hour for a name and a network, whether"],
  "askByMail.OF_NETWORK_PER_HOUR": ["that has signed in; # for a network"],
  "askByMail.MAX_ASKED": ["# wait at most, then 503"],
  "transport.PATIENCE.connecting / 60000; transport.PATIENCE.greeting / 60000; transport.PATIENCE.answering / 60000": [
    "# minute until it can be reached, # for its greeting, # for each other answer",
  ],
  "transport.PATIENCE.sending / 60000": ["# for a message; no request waits for it"],
  "outbox.MAX_WAITING": ["that wait | #; further notices are left out"],
  "gateLimits.STRANGERS_BYTES / 1024; gateLimits.PASSKEY_BYTES / 1024": [
    "# KB of a call of an action or a form of `/api/auth/*`, # KB of a passkey's answer",
    "# KB on pages for strangers (# KB for a passkey's answer)",
    "| # KB (# KB for a passkey's answer), 50 fields",
    "a form of `/api/auth/*` up to # KB, and a passkey's answer up to # KB",
  ],
  "jsonSize.MAX_VALUES; jsonSize.MAX_LEVELS": ["| #, # levels, in all parts together"],
  "recovery$code.MAX_TYPED; 43; usernames.MAX_READ; auth$passwords.MAX": [
    "| #, #, # and # characters; a longer one is refused",
  ],
  "change.MAX_BLOCKED; change.REASON_LENGTH": ["#, then 403 `network_limit`; a reason has # characters"],
  "known.MAX_VERDICTS": ["remembers the verdicts of # clients"],
  "known.ASK_AGAIN_AFTER_MS / 1000": ["one statement in # seconds", "a process asks the database every # seconds"],
  "known.OLDEST_MS / 1000": ["the list older than # seconds"],
  "all$list.ALL_KEYS_A_PAGE": ["found by an operator | # a page"],
  "all$list.MAX_CURSOR": ["a cursor of # characters"],
  "recent.MAX_RECENT; recent.RECENT_SECONDS / 3600; linksPanel.LINKS_A_PAGE": ["the latest # of # hours, # a page"],
  "guessers.MAX_SHOWN; guessers.MAX_READ; guessers.SEEN_SECONDS / 3600; guessers.MAX_READ": [
    "| #, from the latest # questions of # hour and # events",
  ],
  "programs.MAX_LISTED": ["the last # are listed"],
  "inBatches.BATCH": ["expired sessions | batches of #"],
  "examine.USERS_AT_ONCE": ["| # users or 100 documents"],
  "examine.MAX": ["per statement, # findings of a kind"],

  // The gate.
  "statedBounds.ADDRESS_BYTES; gateLimits.PATH_BYTES; pageLimits.MAX_PARAMETERS": ["| # bytes, its path # | # ("],
  "gateLimits.HEADER_COUNT; gateLimits.HEADER_BYTES / 1024": ["behave alike) | #, # KB |"],
  "pageLimits.PAGE_ADDRESS_BYTES; pageLimits.MAX_PARAMETERS": ["| pages | # bytes | # |"],
  "pageLimits.ROUTER_STATE_BYTES / 1024; pageLimits.ROUTER_STATE_LEVELS": ["router state # KB, # levels"],
  "pageLimits.MAX_COOKIES; pageLimits.COOKIE_BYTES / 1024": ["levels | #, # KB | none"],
  "actions.USUAL_BYTES / 1024; actions.KEY_BYTES / 1024": ["| # KB; # KB for the three that carry a key's data"],
  "jsonSize.MAX_LEVELS; jsonSize.MAX_VALUES; gateLimits.MAX_PARTS": ["# levels, # values and # parts"],
  "actions.KEY_BYTES / 1024": ["Bodies up to # KB are read completely", "buffers # KB of a body instead"],
  "gateLimits.BODIES.ofNetwork.count; gateLimits.BODIES.ofNetwork.bytes / 1048576": ["# bodies and # MB per network"],
  "gateLimits.BODIES.ofAll.count; gateLimits.BODIES.ofAll.bytes / 1048576": ["per network, # and # MB in all"],
  "bodyTime.SILENCE_MS / 60000": ["A body without progress for # minute"],
  "turns.LOOK_EVERY_MS": ["which is checked every # milliseconds"],
  "turns.HALF_LIFE_MS / 1000": ["its use is forgotten after # seconds"],
  "turns.MAX_WAIT_MS / 1000; turns.WAITING_OF_NETWORK; turns.WAITING_OF_ALL": [
    "waits for at most # seconds, with # of its network and # in all",
  ],
  "gateLimits.PATH_BYTES": ["**Long addresses** of the API (over # bytes)"],

  // What a stranger leaves.
  "lifetimes.APPROVE_WITHIN_SECONDS / 60; lifetimes.UNAPPROVED_KEPT_SECONDS / 3600": [
    "after # minutes; 45, 80 from # hour after their end on",
  ],
  "lifetimes.REUSE_AFTER_SECONDS / 86400": ["after their end on, for # days"],
  "ask.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": ["710, 890). # a day"],
  "lifetimes.REUSE_AFTER_SECONDS / 86400; 30 * ask.WINDOWS_A_DAY * env.LINK_CODES_PER_10_MINUTES": [
    "letters that one network uses up in # days | #",
  ],
  "countOutcomes.MAX_NAMED; 1; lifetimes.REUSE_AFTER_SECONDS / 86400": [
    "for each of the # that asked for most in # hour, and one for all others, for # days",
  ],
  "strangers.EVENTS_A_DAY; lifetimes.REUSE_AFTER_SECONDS / 86400": ["| # events a day of about 500 bytes, for # days"],
  "env.LINK_FOREIGN_CODES_PER_10_MINUTES; guesses.GUESS_WINDOW_SECONDS / 60; link$sweep.QUESTIONS_KEPT_SECONDS / 3600":
    ["| # in # minutes of about 400 bytes, for # hour"],
  "env.SIGNUPS_PER_HOUR; users.HOURS_A_DAY * env.SIGNUPS_PER_HOUR": ["| accounts | # an hour and # a day"],
  "askByMail.OF_NETWORK_PER_HOUR; askByMail.MAX_ASKED; statedBounds.GIVE_UP_MS / 86400000": [
    "| # an hour of about 400 bytes, # in all, for # day at most",
  ],

  // The console.
  "operator$statistics.MAX_DAYS": ["`stats --days` | # |"],
  "stored.AT_ONCE": ["# rows per statement, and others' turns"],
  "examine.MAX; examination.MAX": ["# of a kind, # in all; one examination"],
  "allUsers.A_PAGE; users$list.MAX_LISTED": ["# on the page, # for a call"],
  "statedBounds.MAX_USERNAME": ["# characters on the page; found names"],
  "cursor.MAX": ["a place in the address | # characters"],
  "disableMany.MAX_AT_ONCE": ["users disabled at once | #,"],
  "summaries$sweep.USERS_AT_ONCE; summaries$sweep.EVENTS_AT_ONCE": ["# users or # events a transaction"],
};
