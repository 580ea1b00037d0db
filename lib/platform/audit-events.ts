import { counted } from "./bounds";

/** What the words of an event depend on. Only what every kind of it has is always there. */
interface EventFacts {
  detail: Record<string, string>;
  /** Of the detail, or empty. */
  name: string;
  user: string;
  /** The network, in words. */
  network: string;
  /** The browser of a sign-in, in words. */
  browser: string;
  /** What the reader calls the account that it happened to: "Your account". */
  account: string;
}

/** What is said of events with one action. */
export interface AuditEventKind {
  /** What happened, without who did it. */
  words: string | ((facts: EventFacts) => string);
  /**
   * A user's activity lists it of what the user did to things of their own ("done"), of what was done to their account
   * ("happened"), or of both; else it does not.
   */
  activity?: "done" | "happened" | "both";
}

/** Every action of the audit trail. The console and the admin command list them in this order. */
export const AUDIT_EVENTS = {
  "key.create": { words: "Key created" },
  "key.update": { words: changedWords },
  "key.add": { words: ({ user }) => `${user} added to the key` },
  "key.until": {
    words: ({ user, detail: { until } }) =>
      until ? `${user}'s access to the key ends ${until}` : `${user}'s access no longer has an end date`,
  },
  "key.revoke": { words: ({ user }) => `${user}'s access to the key revoked` },
  "key.offer": { words: ({ user }) => `Key offered to ${user}` },
  "key.accept": { words: ({ detail: { from } }) => `Key taken over from ${from}` },
  "key.decline": { words: "Offer of a key declined" },
  "key.withdraw": { words: ({ user }) => `Offer of a key to ${user} withdrawn` },
  "key.delete": { words: ({ name }) => (name ? `Key deleted: ${name}` : "Key deleted") },

  // Their subject is the key.
  "claim.create": { words: ({ detail: { links } }) => `Claim links created: ${links}` },
  "claim.end": { words: ({ detail: { links } }) => `Claim links ended: ${links}` },
  "claim.use": { words: "Key accepted with a claim link" },

  "link.ask": { words: requestWords },
  "link.enter": { words: ({ network }) => `Code entered, from ${network}` },
  "link.approve": { words: ({ detail: { program } }) => `Link confirmed: ${program || "unnamed"}`, activity: "done" },
  "link.deny": { words: ({ detail: { program } }) => `Program denied: ${program || "unnamed"}`, activity: "done" },
  "link.allow": { words: ({ network }) => `Token collection allowed for ${network}` },
  "link.disallow": { words: ({ network }) => `Token collection refused for ${network}` },
  "link.collect": { words: ({ network }) => `Linked: token collected, from ${network}` },
  "link.repeat": { words: ({ network }) => `Token collected again, from ${network}` },
  "link.look": { words: ({ network }) => `Code polled by someone else, from ${network}` },
  // Recorded by earlier versions only.
  "link.contest": { words: "Code polled from another network" },
  "link.refuse": {
    words: ({ network, detail: { limit } }) => (limit ? `Refused by a limit: ${limit}` : `Refused, from ${network}`),
  },
  "link.end": { words: "Code ended" },
  "network.block": { words: ({ network }) => `Network blocked: ${network}` },
  "network.unblock": { words: ({ network }) => `Network unblocked: ${network}` },

  "token.rotate": { words: ({ account }) => `${account}'s token rotated`, activity: "happened" },
  "token.create": { words: ({ name }) => `Token created: ${name}`, activity: "done" },
  // The first from a network.
  "token.use": { words: ({ name, network }) => `Token ${name} first used from ${network}`, activity: "done" },
  "token.revoke": { words: ({ name }) => `Token removed: ${name}`, activity: "both" },
  "token.reveal": { words: ({ account }) => `${account}'s token shown`, activity: "happened" },

  "account.delete": { words: "Account deleted" },
  "keys.lost": {
    words: ({ detail: { keys, creator } }) =>
      `Lost ${counted(Number(keys), "key", "keys")} of ${creator}, whose account was deleted`,
  },

  "user.create": { words: "Account created", activity: "happened" },
  "user.role": { words: ({ detail: { role } }) => `Role changed to ${role}`, activity: "happened" },
  "user.disable": { words: "Account disabled", activity: "happened" },
  "user.enable": { words: "Account enabled", activity: "happened" },
  "user.password": { words: "New password set", activity: "happened" },
  "user.quota": { words: "Limits changed", activity: "happened" },
  // By an administrator or the operator; account.delete is its end.
  "user.delete": { words: ({ account }) => `Deletion of ${account.toLowerCase()} started` },
  // The first in ten minutes in a session.
  "user.confirm": {
    words: ({ detail: { through } }) =>
      `Identity confirmed with ${through === "passkey" ? "a passkey" : "the password"}`,
    activity: "happened",
  },
  "user.signin": {
    words: ({ browser, network }) => `Signed in with ${browser || "an unknown browser"}, from ${network}`,
    activity: "happened",
  },
  "user.signout": {
    words: ({ detail: { which } }) => (which === "one" ? "Signed out of a browser" : "Signed out of all browsers"),
    activity: "happened",
  },

  "passkey.add": { words: ({ name }) => `Passkey added: ${name}`, activity: "happened" },
  "passkey.remove": { words: ({ name }) => `Passkey removed: ${name}`, activity: "happened" },
  // Its count of uses did not grow.
  "passkey.refuse": {
    words: ({ name }) => `Passkey refused because someone may have copied it: ${name}`,
    activity: "happened",
  },
  "provider.connect": { words: ({ name }) => `${name} connected: it can be used to sign in`, activity: "happened" },
  "provider.disconnect": {
    words: ({ name }) => `${name} disconnected: it can no longer be used to sign in`,
    activity: "happened",
  },
  "recovery.link": { words: "Link to set a new password created", activity: "happened" },
  "recovery.email": {
    words: ({ network }) => `Link to set a new password requested by e-mail, from ${network}`,
    activity: "happened",
  },
  "recovery.codes": { words: "Recovery codes created", activity: "happened" },
  "recovery.use": { words: recoveredWords, activity: "happened" },
  "email.add": { words: "E-mail address entered", activity: "happened" },
  "email.verify": { words: "E-mail address verified", activity: "happened" },
  "email.remove": { words: "E-mail address removed", activity: "happened" },
  "invitation.create": { words: ({ user }) => (user ? `Invitation created for ${user}` : "Invitation created") },
  "invitation.use": { words: "Invitation accepted", activity: "done" },

  "files.import": { words: "Files replaced with a document", activity: "happened" },

  "secrets.rotate": { words: "Tokens, data keys and signing keys re-encrypted with the first secret" },
  "data.rotate": { words: ({ detail: { which = "" } }) => `Data key ${which} created, to reseal all data` },
  "signing.rotate": { words: ({ detail: { which = "" } }) => `Signing key ${which} created` },
  "signing.retire": { words: ({ detail: { which = "" } }) => `Signing key ${which} retired` },
  // Recorded by earlier versions only.
  "identities.claim": { words: "Accounts of the OpenID Connect provider assigned to its issuer" },
  "backup.create": { words: "Backup written" },
  "backup.restore": { words: "Backup restored" },
  "doctor.run": { words: "Doctor run" },
  "console.refuse": { words: "Refused: the console is for administrators" },
  "proxy.unnamed": {
    words: ({ detail: { silent, proxy } }) =>
      `Proxy ${silent ? "that sends no client address" : "missing from TRUSTED_PROXIES"}: ${proxy}`,
  },
} as const satisfies Record<string, AuditEventKind>;

export type AuditAction = keyof typeof AUDIT_EVENTS;

/**
 * What happened, as a sentence without who did it. An action without words, of another version, is named as the API
 * names it.
 */
export function auditWords(action: string, facts: Omit<EventFacts, "name" | "user">): string {
  const { name = "", user = "", more, hour } = facts.detail;
  if (more !== undefined) return countedWords(action, more, hour);
  if (!Object.hasOwn(AUDIT_EVENTS, action)) return action;
  const { words }: AuditEventKind = AUDIT_EVENTS[action as AuditAction];
  return typeof words === "string" ? words : words({ ...facts, name, user });
}

/** What an account did more often in a day than the audit trail lists. */
function countedWords(action: string, more: string, hour = ""): string {
  const of = action.startsWith("key.") || action.startsWith("claim.") ? "with keys" : "with the account";
  const events = counted(Number(more), "more event", "more events");
  return `${events} ${of} (${action}) in the hour from ${utcHour(hour)}, counted and not listed`;
}

const utcHour = (hour: string) => `${hour.slice(0, 16).replace("T", " ")} UTC`;

/** Programs are counted by the hour. Earlier versions recorded each code, and which program asked for it. */
function requestWords({ network, detail: { codes, hour = "", networks } }: EventFacts): string {
  if (codes === undefined) return `Code requested, from ${network}`;
  const from = networks === undefined ? network : `${networks} other networks`;
  return `Codes requested in the hour from ${utcHour(hour)}: ${codes}, from ${from}`;
}

const RECOVERED_WITH: Record<string, string> = { code: "recovery code", email: "link sent by e-mail" };

function recoveredWords({ network, detail: { set = "password", through = "" } }: EventFacts): string {
  return `New ${set} set with a ${RECOVERED_WITH[through] ?? "link"}, from ${network}`;
}

/** Data has no values in events, and neither have events of earlier versions. */
function changedWords({ detail: { field = "data", from, to } }: EventFacts): string {
  return from === undefined || to === undefined
    ? `Key's ${field} changed`
    : `Key's ${field} changed from ${from || "nothing"} to ${to || "nothing"}`;
}
