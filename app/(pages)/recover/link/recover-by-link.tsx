"use client";

import type { RecoveryProof } from "@/lib/accounts/recovery/recover";
import { BadLink, OneTimeLink } from "../../one-time-link/one-time-link";
import { previewRecovery } from "../actions";
import { NewSignInMethodForm } from "../new-sign-in-method";

const proofOf = (secret: string): RecoveryProof => ({ through: "link", secret });

const bad = (
  <BadLink>
    <a href="/recover">Get another link, or use a recovery code</a>
  </BadLink>
);

/** Sets a new password with a link from the operator or an e-mail, and signs in with it. */
export function RecoverByLink({ hasPasskeys }: { hasPasskeys: boolean }) {
  return (
    <OneTimeLink
      title="Set a new password"
      lead="You opened a link for the account's new password. It works once."
      preview={(secret) => previewRecovery(proofOf(secret))}
      bad={bad}
    >
      {(effects, secret, onBad) => (
        <NewSignInMethodForm {...effects} proof={proofOf(secret)} hasPasskeys={hasPasskeys} onBad={onBad} />
      )}
    </OneTimeLink>
  );
}
