"use client";

import { useState } from "react";
import type { RecoveryEffects } from "@/lib/account/recovery-effects";
import type { RecoveryProof } from "@/lib/recovery/proof";
import { Step } from "../../link/step";
import { BadLink } from "../../one-time-link/bad-link";
import { FirstStep } from "../../one-time-link/first-step";
import { linkSecret } from "../../one-time-link/secret";
import { lookAtRecovery } from "../actions";
import { NewWayInForm } from "../new-way-in";

const proof = (): RecoveryProof => ({ through: "link", secret: linkSecret() });

/** Sets a new password with a link from the operator or an e-mail, and signs in with it. */
export function RecoverByLink({ hasPasskeys }: { hasPasskeys: boolean }) {
  /** Undefined: nothing was pressed yet; null: the link cannot be used. */
  const [effects, setEffects] = useState<RecoveryEffects | null>();

  if (effects === undefined)
    return (
      <Step name="first">
        <FirstStep
          title="Set a new password"
          lead="You opened a link for the account's new password. It works once."
          look={() => lookAtRecovery(proof())}
          onLook={setEffects}
        />
      </Step>
    );
  return (
    <Step name={effects === null ? "bad" : "password"}>
      {effects === null ? (
        <BadLink>
          <a href="/recover">Get another link, or use a recovery code</a>
        </BadLink>
      ) : (
        <NewWayInForm {...effects} proof={proof()} hasPasskeys={hasPasskeys} onBad={() => setEffects(null)} />
      )}
    </Step>
  );
}
