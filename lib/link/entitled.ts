import type { AskedLink } from "./asked-link";
import type { Asker } from "./asker";
import { ASK_AGAIN_WITHIN_SECONDS, secondsAfter } from "./lifetimes";

/** Whether a question came with the poll secret of its code. */
export type Proof = "none" | "right" | "wrong";

/** Who asks for a code, and what proves it. */
export interface Claim {
  asker: Asker;
  proof: Proof;
}

/**
 * Whether the code was given to this very network. Behind a proxy that nobody configured everybody has one network, and a web page
 * asks through whoever looks at it: neither makes anybody the one who asked.
 */
export function isOwn(link: AskedLink, { network, webPage }: Asker): boolean {
  return network.kind !== "shared" && link.network === network.id && link.webPage === null && webPage === null;
}

/** Whether a program can approach this code at all: somebody may still approve it, or it may still be collected. */
export function isLive(link: AskedLink, now: Date): boolean {
  if (link.status === "pending") return link.expiresAt > now;
  return link.status === "approved" && isIn(link.collectBy, now);
}

/** Whether the answer is the token, where its approver still has it. */
export function isCollectable(link: AskedLink, claim: Claim, now: Date): boolean {
  if (link.status === "approved") return isIn(link.collectBy, now) && titleTo(link, claim) !== null;
  return wasCollectedBy(link, claim, now);
}

/** A program whose answer was lost on the way asks again. */
export function wasCollectedBy(link: AskedLink, { asker, proof }: Claim, now: Date): boolean {
  if (link.status !== "collected" || !link.collectedAt || link.collectedAt <= secondsAfter(now, -ASK_AGAIN_WITHIN_SECONDS)) return false;
  // Only what a secret collected is bound to one by now.
  if (link.boundAt) return proof === "right";
  if (proof !== "none") return false;
  // Collected before the program was kept: whoever asks from there.
  const isSameProgram = link.collectedProgram === null || link.collectedProgram === asker.program;
  return isSameProgram && link.collectedNetwork === asker.network.id && link.collectedWebPage === asker.webPage;
}

/** What lets a program collect: its poll secret, that its network asked, or the word of the person who approved. */
export type Title = "secret" | "network" | "word";

/** By what this program may collect, once the code is approved, or null (contract, section 4: collecting). */
export function titleTo(link: AskedLink, { asker, proof }: Claim): Title | null {
  if (proof === "wrong") return null;
  // What a web page asks for needs the person's word besides.
  if (proof === "right") return link.webPage === null || link.allowedNetwork !== null ? "secret" : null;
  if (link.boundAt) return null;
  if (link.allowedNetwork === asker.network.id && link.allowedWebPage === (asker.webPage ?? "")) return "word";
  return isOwn(link, asker) ? "network" : null;
}

const isIn = (end: Date | null, now: Date) => end !== null && end > now;
