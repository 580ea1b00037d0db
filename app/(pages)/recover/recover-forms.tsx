"use client";

import { type ReactNode, useState } from "react";
import { Notice } from "@/components/feedback";
import { TextInput, UserField } from "@/components/form";
import form from "@/components/page.module.css";
import { Step } from "@/components/step";
import type { RecoveryProof } from "@/lib/accounts/ways-in/recovery/recover";
import { durationInWords, LINK_HOURS, UNDISTURBED_MS } from "@/lib/platform/bounds";
import type { RecoveryEffects } from "@/lib/user-data/recovery-effects";
import { BadLink, OneTimeLink } from "../_signing-in/one-time-link";
import type { Outcome } from "../action";
import { ActionForm, Submit } from "../action-form";
import { Operator } from "../names";
import { previewRecovery, requestLink } from "./actions";
import { NewSignInMethodForm } from "./new-sign-in-method";

type Proven = RecoveryEffects & { proof: RecoveryProof };

interface Props {
  hasPasskeys: boolean;
  contact?: string;
  /** What else there is than codes. */
  children: ReactNode;
}

/** Asks for a recovery code, then for a new password. Only then is the code used up. */
export function RecoverByCode({ hasPasskeys, contact, children }: Props) {
  const [proven, setProven] = useState<Proven | null>(null);
  return (
    <Step name={proven ? "password" : "code"}>
      {proven ? (
        <NewSignInMethodForm {...proven} hasPasskeys={hasPasskeys} onBad={() => setProven(null)} />
      ) : (
        <div className={form.page}>
          <h1>Forgot your password?</h1>
          {children}
          <p className="soft">
            {`Set a new one${hasPasskeys ? " or create a passkey" : ""} with one of your recovery codes.`}
          </p>
          <CodeForm onProven={setProven} />
          <p className="soft">
            No recovery code? Ask <Operator contact={contact} /> for a link to set a new password.
          </p>
        </div>
      )}
    </Step>
  );
}

function CodeForm({ onProven }: { onProven: (proven: Proven | null) => void }) {
  return (
    <ActionForm action={proveByCode} onDone={onProven} isAboutAll>
      <UserField label="Username" placeholder={undefined} autoComplete="username" />
      <TextInput
        label="Recovery code"
        name="code"
        description="Six groups of four letters and digits."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
      <Submit fullWidth>Continue</Submit>
    </ActionForm>
  );
}

async function proveByCode(entered: { username: string; code: string }): Promise<Outcome<Proven | null>> {
  const proof: RecoveryProof = { ...entered, through: "code" };
  const outcome = await previewRecovery(proof);
  return "error" in outcome ? outcome : { ok: outcome.ok && { ...outcome.ok, proof } };
}

/** Asks for a link by e-mail. Says the same whether the account exists and has an address or not. */
export function RecoverByEmail() {
  const [isRequested, setRequested] = useState(false);
  return (
    <ActionForm action={requestLink} input={(text) => text("username")} onDone={() => setRequested(true)}>
      <UserField
        label="Username"
        placeholder={undefined}
        autoComplete="username"
        maxLength={40}
        onChange={() => setRequested(false)}
      />
      <Notice kind="done">
        {isRequested &&
          "If this account has a verified e-mail address, a message is on its way, or came in the last " +
            `${durationInWords(UNDISTURBED_MS / 1_000)}. Its link works for ${durationInWords(LINK_HOURS * 3_600)}.`}
      </Notice>
      <Submit fullWidth>Send me a link</Submit>
    </ActionForm>
  );
}

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
