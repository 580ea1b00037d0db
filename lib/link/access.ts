import { isPollSecret } from "./poll-secret";
import type { PolledLink } from "./queries";
import type { Requester } from "./requester";
import { isAwaited, isCollected, isRepeatable } from "./states";

/** Whether a poll came with the poll secret of its code. */
type Proof = "none" | "right" | "wrong";

/** That of a poll with this secret, if any, for this code, if there is one. */
export function proofOf(secret: string | null, link: PolledLink | undefined): Proof {
  if (secret === null) return "none";
  return isPollSecret(secret, link?.secretHash ?? null) ? "right" : "wrong";
}

/** The program that polls for a code, and its proof. */
export interface Poller extends Requester {
  proof: Proof;
}

/**
 * Whether the code was issued to this network. Behind an unconfigured proxy everybody has one network, and a web page
 * sends requests through its visitors: neither identifies the original requester.
 */
function isOwn(link: PolledLink, { network, webPage }: Requester): boolean {
  return network.kind !== "shared" && link.network === network.id && link.webPage === null && webPage === null;
}

/**
 * Whether the code was issued to this program, as far as it proves that: by its secret or, until that was used, by its
 * network. A program with a wrong secret is a stranger even on the code's own network.
 */
export function isIssuedTo(link: PolledLink, poller: Poller): boolean {
  return poller.proof === "right" || (poller.proof === "none" && link.boundAt === null && isOwn(link, poller));
}

/** Whether the poll returns the token, provided that its approver still has it. */
export function isCollectable(link: PolledLink, poller: Poller, now: Date): boolean {
  if (isCollected(link)) return wasCollectedBy(link, poller, now);
  return isAwaited(link, now) && entitlementTo(link, poller) !== null;
}

/** A program whose response was lost polls again. */
function wasCollectedBy(link: PolledLink, poller: Poller, now: Date): boolean {
  if (!isRepeatable(link, now)) return false;
  // Only codes collected with a secret are bound to one by now.
  if (link.boundAt) return poller.proof === "right";
  if (poller.proof !== "none") return false;
  // Collected before the program was stored: any program on that network.
  const isSameProgram = link.collectedProgram === null || link.collectedProgram === poller.program;
  return isSameProgram && link.collectedNetwork === poller.network.id && link.collectedWebPage === poller.webPage;
}

/** What entitles a program to collect: its poll secret, its network, or the permission of the user who approved. */
type Entitlement = "secret" | "network" | "permission";

/** What entitles this program to collect an approved code, or null (contract, section 4: collecting). */
export function entitlementTo(link: PolledLink, poller: Poller): Entitlement | null {
  const { network, webPage, proof } = poller;
  if (proof === "wrong") return null;
  // A web page also needs the approver's permission.
  if (proof === "right") return link.webPage === null || link.allowedNetwork !== null ? "secret" : null;
  if (link.boundAt) return null;
  if (link.allowedNetwork === network.id && link.allowedWebPage === (webPage ?? "")) return "permission";
  return isOwn(link, poller) ? "network" : null;
}
