"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { signInSentence } from "./messages";
import { signInWithPassword } from "./sign-in-with-password";

/** Asks for username and password, signs in, and goes to `target`. `problem` is what went wrong before this page was opened. */
export function SignInForm({ target, problem }: { target: string; problem: string }) {
  const [failure, setFailure] = useState<{ error: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(fields: FormData) {
    setBusy(true);
    setFailure(null);
    const sentence = await signInWithPassword(String(fields.get("username")), String(fields.get("password")));
    if (sentence === null) return window.location.assign(target);
    setFailure({ error: sentence });
    setBusy(false);
  }

  const isWrong = failure?.error === signInSentence("invalid");
  return (
    <Form onSubmit={submit} failure={failure} className={form.form}>
      <TextInput label="Username" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required autoFocus />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={isWrong && failure.error}
        aria-invalid={isWrong}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
      />
      <Notice kind="error">{isWrong ? "" : (failure?.error ?? problem)}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Sign in
      </Button>
    </Form>
  );
}
