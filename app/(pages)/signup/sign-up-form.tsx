"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { IconFingerprint } from "@/components/icons";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { signUpWithNewPasskey } from "../passkeys/ceremonies";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { useAction } from "../use-action";
import { makeAccount } from "./actions";
import { UsernameInput } from "./username-input";

/**
 * Creates an account with a password or, where browsers allow it, with a passkey instead; signs in, and goes to
 * `target`.
 */
export function SignUpForm({ target, hasPasskeys }: { target: string; hasPasskeys: boolean }) {
  const { run, busy, failure, error, errorAt, setError, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    const password = String(fields.get("password"));
    if (!(await run(() => makeAccount(username, password)))) return;
    setLeaving(true);
    const signedIn = await signInWithPassword(username, password);
    if ("ok" in signedIn) return window.location.assign(target);
    setLeaving(false);
    setError(`Your account has been created. ${signedIn.error}`);
  }

  async function submitPasskey(fields: FormData) {
    if (!(await run(() => signUpWithNewPasskey(String(fields.get("username")))))) return;
    setLeaving(true);
    window.location.assign(target);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <UsernameInput error={errorAt("username")} />
      <NewPasswordInput label="Password" name="password" advice="Long beats complicated." error={errorAt("password")} />
      <ErrorNotice error={error} />
      <Button type="submit" loading={busy || leaving} fullWidth>
        Sign up
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
  );
}
