"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { signInWithPassword } from "./sign-in-with-password";

/** Asks for username and password, signs in, and goes to `target`. `problem` is what went wrong before this page was opened. */
export function SignInForm({ target, problem }: { target: string; problem: string }) {
  const [error, setError] = useState(problem);
  const [busy, setBusy] = useState(false);

  async function submit(fields: FormData) {
    setBusy(true);
    setError("");
    const sentence = await signInWithPassword(String(fields.get("username")), String(fields.get("password")));
    if (sentence === null) return window.location.assign(target);
    setError(sentence);
    setBusy(false);
  }

  return (
    <Form onSubmit={submit} className={form.form}>
      <TextInput label="Username" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required autoFocus />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
      />
      <Notice kind="error">{error}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Sign in
      </Button>
    </Form>
  );
}
