"use client";

import { type ReactNode, useState } from "react";
import { TextInput } from "@/components/controls/field";
import form from "@/components/controls/form.module.css";
import { Notice } from "@/components/feedback/notice";
import type { RecoveryProof } from "@/lib/accounts/recovery/recover";
import { durationInWords, LINK_HOURS, UNDISTURBED_MS } from "@/lib/platform/bounds";
import type { RecoveryEffects } from "@/lib/user-data/overview";
import type { Outcome } from "../action";
import { ActionForm, Submit } from "../action-form";
import { Step } from "../link/step";
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
          <p className={form.lead}>
            {`Set a new one${hasPasskeys ? " or create a passkey" : ""} with one of your recovery codes.`}
          </p>
          <CodeForm onProven={setProven} />
          <p className={form.lead}>
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
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
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
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
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
