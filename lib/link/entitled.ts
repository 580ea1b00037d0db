import type { Asker } from "./asker";
import type { AskedLink } from "./rows";
import { isAwaited, isCollected, isRepeatable } from "./states";

/** Whether a poll came with the poll secret of its code. */
export type Proof = "none" | "right" | "wrong";

/** The program that polls for a code, and its proof. */
export interface Claim {
  asker: Asker;
  proof: Proof;
}

/**
 * Whether the code was issued to this network. Behind an unconfigured proxy everybody has one network, and a web page
 * asks through its visitors: neither identifies the original asker.
 */
export function isOwn(link: AskedLink, { network, webPage }: Asker): boolean {
  return network.kind !== "shared" && link.network === network.id && link.webPage === null && webPage === null;
}

/**
 * Whether the code was issued to this program, as far as it proves that: by its secret or, until that was used, by its
 * network. A program with a wrong secret is a stranger even on the code's own network.
 */
export function isIssuedTo(link: AskedLink, { asker, proof }: Claim): boolean {
  return proof === "right" || (proof === "none" && link.boundAt === null && isOwn(link, asker));
}

/** Whether the poll returns the token, provided that its approver still has it. */
export function isCollectable(link: AskedLink, claim: Claim, now: Date): boolean {
  if (isCollected(link)) return wasCollectedBy(link, claim, now);
  return isAwaited(link, now) && titleTo(link, claim) !== null;
}

/** A program whose response was lost polls again. */
export function wasCollectedBy(link: AskedLink, { asker, proof }: Claim, now: Date): boolean {
  if (!isRepeatable(link, now)) return false;
  // Only codes collected with a secret are bound to one by now.
  if (link.boundAt) return proof === "right";
  if (proof !== "none") return false;
  // Collected before the program was stored: any program on that network.
  const isSameProgram = link.collectedProgram === null || link.collectedProgram === asker.program;
  return isSameProgram && link.collectedNetwork === asker.network.id && link.collectedWebPage === asker.webPage;
}

/** The title by which a program may collect: its poll secret, its network, or the word of the person who approved. */
export type Title = "secret" | "network" | "word";

/** The title of this program to collect an approved code, or null (contract, section 4: collecting). */
export function titleTo(link: AskedLink, { asker, proof }: Claim): Title | null {
  if (proof === "wrong") return null;
  // A web page also needs the person's word.
  if (proof === "right") return link.webPage === null || link.allowedNetwork !== null ? "secret" : null;
  if (link.boundAt) return null;
  if (link.allowedNetwork === asker.network.id && link.allowedWebPage === (asker.webPage ?? "")) return "word";
  return isOwn(link, asker) ? "network" : null;
}
