"use client";

import { Button } from "@mantine/core";
import { getCsrfToken } from "next-auth/react";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import type { Failure } from "../outcome";
import { UNREACHABLE } from "../unreachable";
import { makeProviderAccount } from "./actions";
import { UsernameInput } from "./username-input";

/** Asks who came from a provider for a username, makes the account, and goes to `target`. */
export function UsernameForm({ target }: { target: string }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    setBusy(true);
    setFailure(null);
    const made = await makeProviderAccount(username)
      .then(async (outcome) => {
        if (!("error" in outcome)) await turnIntoSession();
        return outcome;
      })
      .catch((): Failure => ({ error: UNREACHABLE }));
    if (!("error" in made)) return window.location.assign(target);
    setFailure(made);
    setBusy(false);
  }

  const isOfName = failure?.field === "username";
  return (
    <Form onSubmit={submit} failure={failure} className={form.form}>
      <UsernameInput error={isOfName ? failure.error : undefined} />
      <Notice kind="error">{isOfName ? "" : failure?.error}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Sign up
      </Button>
    </Form>
  );
}

/** Has NextAuth look at the provider's account again, which now belongs to a user. (Its own `update` needs a session provider around the page.) */
async function turnIntoSession() {
  const body = JSON.stringify({ csrfToken: await getCsrfToken(), data: {} });
  await fetch("/api/auth/session", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}
