import type { ReactNode } from "react";
import type { AuditAction } from "@/lib/platform/audit";
import { counted } from "@/lib/platform/bounds";
import type { Activity } from "@/lib/user-data/activity";
import styles from "./event-list.module.css";
import { RelativeTime } from "./time";
import { networkName } from "./words";

interface WordedEvent {
  action: string;
  /** The browser of a sign-in, in words. */
  browser: string;
  detail: Record<string, string>;
}

/** What the words of an event depend on. Only what every kind of it has is always there. */
interface EventFacts {
  detail: Record<string, string>;
  /** Of the detail, or empty. */
  name: string;
  user: string;
  /** The network, in words. */
  network: string;
  browser: string;
  account: string;
}

/** What happened: every kind of event has its words. */
const WORDS: Record<AuditAction, string | ((facts: EventFacts) => string)> = {
  "user.create": "Account created",
  "user.signin": ({ browser, network }) => `Signed in with ${browser || "an unknown browser"}, from ${network}`,
  "user.confirm": ({ detail: { through } }) =>
    `Identity confirmed with ${through === "passkey" ? "a passkey" : "the password"}`,
  "user.signout": ({ detail: { which } }) =>
    which === "one" ? "Signed out of a browser" : "Signed out of all browsers",
  "user.password": "New password set",
  "user.role": ({ detail: { role } }) => `Role changed to ${role}`,
  "user.disable": "Account disabled",
  "user.enable": "Account enabled",
  "user.quota": "Limits changed",
  "user.delete": ({ account }) => `Deletion of ${account.toLowerCase()} started`,
  "account.delete": "Account deleted",

  "token.rotate": ({ account }) => `${account}'s token rotated`,
  "token.reveal": ({ account }) => `${account}'s token shown`,
  "token.create": ({ name }) => `Token created: ${name}`,
  "token.use": ({ name, network }) => `Token ${name} first used from ${network}`,
  "token.revoke": ({ name }) => `Token removed: ${name}`,

  "passkey.add": ({ name }) => `Passkey added: ${name}`,
  "passkey.remove": ({ name }) => `Passkey removed: ${name}`,
  "passkey.refuse": ({ name }) => `Passkey refused because someone may have copied it: ${name}`,
  "provider.connect": ({ name }) => `${name} connected: it can be used to sign in`,
  "provider.disconnect": ({ name }) => `${name} disconnected: it can no longer be used to sign in`,
  "identities.claim": "Accounts of the OpenID Connect provider assigned to its issuer",

  "recovery.codes": "Recovery codes created",
  "recovery.link": "Link to set a new password created",
  "recovery.email": ({ network }) => `Link to set a new password requested by e-mail, from ${network}`,
  "recovery.use": recoveredWords,
  "email.add": "E-mail address entered",
  "email.verify": "E-mail address verified",
  "email.remove": "E-mail address removed",
  "invitation.create": ({ user }) => (user ? `Invitation created for ${user}` : "Invitation created"),
  "invitation.use": "Invitation accepted",

  "files.import": "Files replaced with a document",

  "key.create": "Key created",
  "key.update": changedWords,
  "key.add": ({ user }) => `${user} added to the key`,
  "key.until": ({ user, detail: { until } }) =>
    until ? `${user}'s access to the key ends ${until}` : `${user}'s access no longer has an end date`,
  "key.offer": ({ user }) => `Key offered to ${user}`,
  "key.accept": ({ detail: { from } }) => `Key taken over from ${from}`,
  "key.decline": "Offer of a key declined",
  "key.withdraw": ({ user }) => `Offer of a key to ${user} withdrawn`,
  "key.revoke": ({ user }) => `${user}'s access to the key revoked`,
  "key.delete": ({ name }) => (name ? `Key deleted: ${name}` : "Key deleted"),
  "keys.lost": ({ detail: { keys, creator } }) =>
    `Lost ${counted(Number(keys), "key", "keys")} of ${creator}, whose account was deleted`,
  "claim.create": ({ detail: { links } }) => `Claim links created: ${links}`,
  "claim.end": ({ detail: { links } }) => `Claim links ended: ${links}`,
  "claim.use": "Key accepted with a claim link",

  "link.ask": requestWords,
  "link.enter": ({ network }) => `Code entered, from ${network}`,
  "link.approve": ({ detail: { program } }) => `Link confirmed: ${program || "unnamed"}`,
  "link.deny": ({ detail: { program } }) => `Program denied: ${program || "unnamed"}`,
  "link.allow": ({ network }) => `Token collection allowed for ${network}`,
  "link.disallow": ({ network }) => `Token collection refused for ${network}`,
  "link.collect": ({ network }) => `Linked: token collected, from ${network}`,
  "link.repeat": ({ network }) => `Token collected again, from ${network}`,
  "link.look": ({ network }) => `Code polled by someone else, from ${network}`,
  "link.contest": "Code polled from another network",
  "link.refuse": ({ network, detail: { limit } }) =>
    limit ? `Refused by a limit: ${limit}` : `Refused, from ${network}`,
  "link.end": "Code ended",
  "network.block": ({ network }) => `Network blocked: ${network}`,
  "network.unblock": ({ network }) => `Network unblocked: ${network}`,

  "secrets.rotate": "Tokens, data keys and signing keys re-encrypted with the first secret",
  "data.rotate": ({ detail: { which = "" } }) => `Data key ${which} created, to reseal all data`,
  "signing.rotate": ({ detail: { which = "" } }) => `Signing key ${which} created`,
  "signing.retire": ({ detail: { which = "" } }) => `Signing key ${which} retired`,
  "backup.create": "Backup written",
  "backup.restore": "Backup restored",
  "doctor.run": "Doctor run",
  "console.refuse": "Refused: the console is for administrators",
  "proxy.unnamed": ({ detail: { silent, proxy } }) =>
    `Proxy ${silent ? "that sends no client address" : "missing from TRUSTED_PROXIES"}: ${proxy}`,
};

/**
 * What happened, as a sentence without who did it. `account` is what the reader calls the account that it happened to:
 * "Your account". An action without words, of another version, is named as the API names it.
 */
export function eventWords({ action, browser, detail }: WordedEvent, account: string): string {
  if (detail.more !== undefined) return countedWords(action, detail.more, detail.hour);
  if (!Object.hasOwn(WORDS, action)) return action;
  const words = WORDS[action as AuditAction];
  if (typeof words === "string") return words;
  const { name = "", user = "", network = "" } = detail;
  return words({ detail, name, user, network: networkName(network), browser, account });
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

/** Events, each as the sentence that `children` makes of it, with its time. */
export function EventList<Event extends { id: number; at: Date }>({
  events,
  children,
}: {
  events: Event[];
  children: (event: Event) => ReactNode;
}) {
  return (
    <ol className={styles.events}>
      {events.map((event) => (
        <li key={event.id}>
          <span>{children(event)}</span>
          <RelativeTime at={event.at} precise />
        </li>
      ))}
    </ol>
  );
}

/** An event with the browser of a sign-in in words. */
export type ShownActivity = Activity & { browser: string };

const BY = { operator: " by the operator", administrator: " by an administrator" };

/** What happened to an account, one sentence each. */
export function ActivityList({ events }: { events: ShownActivity[] }) {
  return (
    <EventList events={events}>
      {(event) => <span>{`${eventWords(event, "Your account")}${event.by ? BY[event.by] : ""}`}</span>}
    </EventList>
  );
}
