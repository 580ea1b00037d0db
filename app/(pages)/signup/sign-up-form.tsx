"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { NewPasswordInput } from "../new-password-input";
import { withNext } from "../next-path";
import type { Failure } from "../outcome";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { UNREACHABLE } from "../unreachable";
import { makeAccount } from "./actions";
import { UsernameInput } from "./username-input";

/** Makes an account, signs in with it, and goes to `target`. */
export function SignUpForm({ target }: { target: string }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    const password = String(fields.get("password"));
    setBusy(true);
    setFailure(null);
    const made = await makeAccount(username, password).catch((): Failure => ({ error: UNREACHABLE }));
    if ("error" in made) {
      setFailure(made);
      return setBusy(false);
    }
    const problem = await signInWithPassword(username, password);
    window.location.assign(problem === null ? target : withNext("/signin", target));
  }

  const errorAt = (field: string) => (failure?.field === field ? failure.error : undefined);
  return (
    <Form onSubmit={submit} failure={failure} className={form.form}>
      <UsernameInput error={errorAt("username")} />
      <NewPasswordInput label="Password" name="password" description="At least 8 characters. Long beats complicated." error={errorAt("password")} />
      <Notice kind="error">{failure?.field === undefined ? failure?.error : ""}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Sign up
      </Button>
    </Form>
  );
}
