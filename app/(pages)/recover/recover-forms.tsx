"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { Notice } from "@/components/feedback/notice";
import type { RecoveryProof } from "@/lib/accounts/recovery/recover";
import { durationInWords, LINK_HOURS, UNDISTURBED_MS } from "@/lib/platform/bounds";
import type { RecoveryEffects } from "@/lib/user-data/overview";
import { ErrorNotice } from "../error-notice";
import { Step } from "../link/step";
import { Operator } from "../names";
import { useAction } from "../use-action";
import { previewRecovery, requestLink } from "./actions";
import { NewSignInMethodForm } from "./new-sign-in-method";

interface Props {
  hasPasskeys: boolean;
  contact?: string;
  /** What else there is than codes. */
  children: ReactNode;
}

/** Asks for a recovery code, then for a new password. Only then is the code used up. */
export function RecoverByCode({ hasPasskeys, contact, children }: Props) {
  const [proven, setProven] = useState<(RecoveryEffects & { proof: RecoveryProof }) | null>(null);
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
          <CodeForm onProven={(proof, effects) => setProven({ ...effects, proof })} />
          <p className={form.lead}>
            No recovery code? Ask <Operator contact={contact} /> for a link to set a new password.
          </p>
        </div>
      )}
    </Step>
  );
}

function CodeForm({ onProven }: { onProven: (proof: RecoveryProof, effects: RecoveryEffects) => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();

  async function submit(fields: FormData) {
    const [username, code] = [String(fields.get("username")), String(fields.get("code"))];
    const proof: RecoveryProof = { through: "code", username, code };
    const effects = await run(previewRecovery, proof);
    if (effects?.ok) onProven(proof, effects.ok);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        // The error is about both, and stands at the code.
        onChange={() => clear()}
      />
      <TextInput
        label="Recovery code"
        name="code"
        description="Six groups of four letters and digits."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        error={errorAt("code")}
      />
      <ErrorNotice error={error} />
      <Button type="submit" loading={busy} fullWidth>
        Continue
      </Button>
    </Form>
  );
}

/** Asks for a link by e-mail. Says the same whether the account exists and has an address or not. */
export function RecoverByEmail() {
  const { run, busy, failure, error, done, setDone, clear } = useAction();

  async function submit(fields: FormData) {
    if (!(await run(requestLink, String(fields.get("username"))))) return;
    setDone(
      "If this account has a verified e-mail address, a message is on its way, or came in the last " +
        `${durationInWords(UNDISTURBED_MS / 1_000)}. Its link works for ${durationInWords(LINK_HOURS * 3_600)}.`,
    );
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        onChange={() => clear()}
      />
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Send me a link
      </Button>
    </Form>
  );
}
