"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { IconFingerprint } from "@/components/icons";
import type { Endings, RecoveryProof } from "@/lib/accounts/recovery/recover";
import type { RecoveryEffects } from "@/lib/user-data/overview";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { createRecoveryPasskey, signInWithPasskey } from "../passkeys/ceremonies";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { useAction } from "../use-action";
import { recoverWithPassword } from "./actions";
import { EndingsFields } from "./endings";

interface Props extends RecoveryEffects {
  proof: RecoveryProof;
  /** Browsers have passkeys at this address. */
  hasPasskeys: boolean;
  /** The link cannot be used any more. */
  onBad: () => void;
}

/** Sets a new password, or creates a passkey instead, for a user who proved whose account it is; and signs in. */
export function NewWayInForm({ proof, username, passkeys, providers, email, programs, hasPasskeys, onBad }: Props) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const password = String(fields.get("password"));
    const set = await run(() => recoverWithPassword(proof, password, endingsOf(fields)));
    if (set) await arrive(set.ok !== null, () => signInWithPassword(username, password));
  }

  async function submitPasskey(fields: FormData) {
    const set = await run(() => createRecoveryPasskey(proof, endingsOf(fields)));
    if (set) await arrive(set.ok !== null, signInWithPasskey);
  }

  async function arrive(isSet: boolean, signIn: typeof signInWithPasskey) {
    if (!isSet) return onBad();
    setLeaving(true);
    window.location.assign("ok" in (await signIn()) ? "/account" : "/signin?next=/account");
  }

  return (
    <div className={form.page}>
      <h1>Set a new password</h1>
      <p className={form.lead}>
        For the account <strong translate="no">{username}</strong>. All browsers will be signed out
        <span>{proof.through === "link" && ", and earlier recovery codes stop working"}</span>.
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordInput
          label="New password"
          name="password"
          advice="Long beats complicated."
          error={errorAt("password")}
        />
        <EndingsFields passkeys={passkeys} providers={providers} email={email} programs={programs} />
        <ErrorNotice error={error || (errorAt("code") ?? "")} />
        <Button type="submit" loading={busy || leaving} fullWidth>
          Set password
        </Button>
        {hasPasskeys && (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            disabled={busy || leaving}
            onClick={({ currentTarget: { form: sent } }) => sent && submitPasskey(new FormData(sent))}
          >
            Use a passkey instead
          </Button>
        )}
      </Form>
    </div>
  );
}

const endingsOf = (fields: FormData): Endings => ({
  passkeys: fields.has("endPasskeys"),
  providers: fields.has("endProviders"),
  email: fields.has("endEmail"),
  token: fields.has("endToken"),
});
