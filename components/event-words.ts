import { networkName } from "./link/whereabouts";

interface WordedEvent {
  action: string;
  /** The browser of a sign-in, in words. */
  browser: string;
  detail: Record<string, string>;
}

const RECOVERED_WITH: Record<string, string> = { code: "recovery code", email: "link sent by e-mail" };

/** Programs are counted by the hour. Earlier versions recorded each code, and which program asked for it. */
function askedWords({ codes, hour = "", network = "", networks }: Record<string, string>): string {
  if (codes === undefined) return `Code asked for, from ${networkName(network)}`;
  const from = networks === undefined ? networkName(network) : `${networks} other networks`;
  return `Codes asked for in the hour from ${hour.slice(0, 16).replace("T", " ")} UTC: ${codes}, from ${from}`;
}

/**
 * What happened, as a sentence without who did it. `account` is what the reader calls the account that it happened to:
 * "Your account". An action without words is named as the API names it.
 */
export function eventWords({ action, browser, detail }: WordedEvent, account: string): string {
  const { name = "", network = "", program, role, set = "password", through, which, user = "", limit = "" } = detail;
  switch (action) {
    case "user.create":
      return "Account created";
    case "user.signin":
      return `Signed in with ${browser || "an unknown browser"}, from ${networkName(network)}`;
    case "user.confirm":
      return `Identity confirmed with ${through === "passkey" ? "a passkey" : "the password"}`;
    case "user.signout":
      return which === "one" ? "Signed out of a browser" : "Signed out of all browsers";
    case "user.password":
      return "New password set";
    case "user.role":
      return `Role changed to ${role}`;
    case "user.disable":
      return "Account disabled";
    case "user.enable":
      return "Account enabled";
    case "user.quota":
      return "Limits changed";
    case "user.delete":
      return `Deletion of ${account.toLowerCase()} begun`;
    case "token.rotate":
      return `${account}'s token rotated`;
    case "token.reveal":
      return `${account}'s token shown`;
    case "token.create":
      return `Token created: ${name}`;
    case "token.use":
      return `Token ${name} first used from ${networkName(network)}`;
    case "token.revoke":
      return `Token removed: ${name}`;
    case "passkey.add":
      return `Passkey added: ${name}`;
    case "passkey.remove":
      return `Passkey removed: ${name}`;
    case "passkey.refuse":
      return `Passkey refused, because somebody may have copied it: ${name}`;
    case "provider.connect":
      return `${name} connected: it can be used to sign in`;
    case "provider.disconnect":
      return `${name} disconnected: it can no longer be used to sign in`;
    case "recovery.codes":
      return "Recovery codes created";
    case "recovery.link":
      return "Link to set a new password created";
    case "recovery.email":
      return `Link to set a new password asked for by e-mail, from ${networkName(network)}`;
    case "email.add":
      return "E-mail address entered";
    case "email.verify":
      return "E-mail address verified";
    case "email.remove":
      return "E-mail address removed";
    case "recovery.use":
      return `New ${set} set with a ${RECOVERED_WITH[through ?? ""] ?? "link"}, from ${networkName(network)}`;
    case "invitation.use":
      return "Invitation accepted";
    case "files.import":
      return "Files replaced with a document";
    case "link.approve":
      return `Program linked: ${program || "without a name"}`;
    case "link.deny":
      return `Program denied: ${program || "without a name"}`;
    case "key.create":
      return "Key created";
    case "key.update":
      return changedWords(detail);
    case "key.add":
      return `${user} added to the key`;
    case "key.until":
      return detail.until ? `${user}’s access to the key ends ${detail.until}` : `${user}’s access has no end any more`;
    case "key.offer":
      return `Key offered to ${user}`;
    case "key.accept":
      return `Key taken over from ${detail.from}`;
    case "key.decline":
      return "Offer of a key declined";
    case "key.withdraw":
      return `Offer of a key to ${user} withdrawn`;
    case "claim.create":
      return `Claim links created: ${detail.links}`;
    case "claim.end":
      return `Claim links ended: ${detail.links}`;
    case "claim.use":
      return "Key accepted with a claim link";
    case "key.revoke":
      return `${user}’s access to the key revoked`;
    case "key.delete":
      return name ? `Key deleted: ${name}` : "Key deleted";
    case "keys.lost":
      return `Lost ${detail.keys} keys of ${detail.creator}, whose account was deleted`;
    case "account.delete":
      return "Account deleted";
    case "link.ask":
      return askedWords(detail);
    case "link.enter":
      return `Code entered, from ${networkName(network)}`;
    case "link.allow":
      return `Collecting allowed to ${networkName(network)}`;
    case "link.disallow":
      return `Collecting refused to ${networkName(network)}`;
    case "link.collect":
      return `Token collected, from ${networkName(network)}`;
    case "link.repeat":
      return `Token collected again, from ${networkName(network)}`;
    case "link.look":
      return `Code polled by somebody else, from ${networkName(network)}`;
    case "link.contest":
      return "Code known to another network";
    case "link.refuse":
      return limit ? `Refused by a limit: ${limit}` : `Refused, from ${networkName(network)}`;
    case "link.end":
      return "Code ended";
    case "network.block":
      return `Network blocked: ${networkName(network)}`;
    case "network.unblock":
      return `Network unblocked: ${networkName(network)}`;
    case "invitation.create":
      return user ? `Invitation created for ${user}` : "Invitation created";
    case "secrets.rotate":
      return "Tokens and data keys encrypted again with the first secret";
    case "data.rotate":
      return `Data key ${which ?? ""} made, with which all data is sealed anew`;
    case "identities.claim":
      return "Accounts of the OpenID Connect provider assigned to its issuer";
    case "backup.create":
      return "Backup written";
    case "doctor.run":
      return "Doctor run";
    case "backup.restore":
      return "Backup restored";
    case "console.refuse":
      return "Refused: the console is for administrators";
    case "proxy.unnamed":
      return `Proxy that ${detail.silent ? "names no client" : "TRUSTED_PROXIES does not name"}: ${detail.proxy}`;
    default:
      return action;
  }
}

/** Data has no values in events, and neither have events of earlier versions. */
function changedWords({ field = "data", from, to }: Record<string, string>): string {
  return from === undefined || to === undefined
    ? `Key’s ${field} changed`
    : `Key’s ${field} changed from ${from || "nothing"} to ${to || "nothing"}`;
}
