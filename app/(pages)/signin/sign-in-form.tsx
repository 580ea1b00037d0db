"use client";

import { useEffect, useState } from "react";
import { authClient } from "@/components/auth-client";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { PasswordField } from "@/components/password-field";
import { TextInput } from "@/components/text-input";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { signInWithPassword } from "./sign-in-with-password";

/**
 * Asks for username and password, signs in, and goes to `target`. `problem`: an error from before this page was opened.
 */
export function SignInForm({ target, problem }: { target: string; problem: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [earlier, setEarlier] = useState(problem);
  const [leaving, setLeaving] = useState(false);

  // If it cannot be loaded now, submitting tries again.
  useEffect(() => void authClient().catch(() => {}), []);

  async function submit(fields: FormData) {
    setEarlier("");
    const signIn = () => signInWithPassword(String(fields.get("username")), String(fields.get("password")));
    if (!(await run(signIn))) return;
    setLeaving(true);
    window.location.assign(target);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        // The error is about both, and stands at the password.
        onChange={() => clear()}
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" error={errorAt("password")} />
      <ErrorNotice error={error || earlier} />
      <Button type="submit" loading={busy || leaving} fullWidth>
        Sign in
      </Button>
    </Form>
  );
}
