import type { Statements } from "@/lib/db/client";
import type { ApiError } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { badLink } from "@/lib/one-time-links/one-time-link";
import { findCodeOwner, spendCode, wrongCode } from "./recovery-codes";
import { findRecoveryLink, spendRecoveryLink } from "./recovery-links";

/** What shows whose account it is without a password or a passkey: a link, or a recovery code. */
export type RecoveryProof = { through: "link"; secret: string } | { through: "code"; username: string; code: string };

/** A user who cannot sign in, but has shown who they are. */
export interface ProvenUser {
  id: string;
  username: string;
  /** How the proof came to the user. */
  through: "code" | "link" | "email";
}

/** Whose proof this is; changes nothing. Throws 404 `bad_link`, 401 `wrong_code` and 429 `rate_limited`. */
export function findProven(proof: RecoveryProof, network: Network, now = new Date()): Promise<ProvenUser> {
  return proof.through === "link"
    ? findRecoveryLink(proof.secret, network, now)
    : findCodeOwner(proof.username, proof.code, network);
}

/**
 * Uses the proof up. Returns how it came to its user, or null if it is not there, or no longer. Of several uses, in any
 * process, one gets it.
 */
export async function spendProof(
  tx: Statements,
  userId: string,
  proof: RecoveryProof,
  now: Date,
): Promise<ProvenUser["through"] | null> {
  if (proof.through === "link") return spendRecoveryLink(tx, userId, proof.secret, now);
  return (await spendCode(tx, userId, proof.code)) ? "code" : null;
}

/** The answer for what proves nothing, whatever the reason. */
export const unproven = (proof: RecoveryProof): ApiError => (proof.through === "link" ? badLink() : wrongCode());
