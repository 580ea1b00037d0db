"use client";

import { Button, PasswordInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { UNREACHABLE } from "../unreachable";
import { makeAccount } from "./actions";
import { UsernameInput } from "./username-input";

/** Makes an account, signs in with it, and goes to `target`. */
export function SignUpForm({ target }: { target: string }) {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const username = String(fields.get("username"));
    const password = String(fields.get("password"));
    setBusy(true);
    setError("");
    const made = await makeAccount(username, password).catch(() => ({ error: UNREACHABLE }));
    if ("error" in made) {
      setError(made.error);
      return setBusy(false);
    }
    const problem = await signInWithPassword(username, password);
    window.location.assign(problem === null ? target : `/signin?next=${target}`);
  }

  return (
    <form method="post" onSubmit={submit} className={form.form}>
      <UsernameInput />
      <PasswordInput
        label="Password"
        name="password"
        description="At least 8 characters. Long beats complicated."
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
      />
      <Notice kind="error">{error}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Sign up
      </Button>
    </form>
  );
}
