"use client";

import { useState } from "react";
import { authClient } from "@/components/auth-client";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { makeProviderAccount } from "./actions";
import { UsernameInput } from "./username-input";

/**
 * Asks a user coming from a provider for a username, creates the account, and goes to `target`. `accountId`: of the
 * account at the provider with which they came.
 */
export function UsernameForm({ target, accountId }: { target: string; accountId: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    const made = await run(async () => {
      const outcome = await makeProviderAccount(username, accountId);
      if (!("error" in outcome)) await turnIntoSession();
      return outcome;
    });
    if (!made) return;
    setLeaving(true);
    window.location.assign(target);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <UsernameInput error={errorAt("username")} />
      <ErrorNotice error={error} />
      <Button type="submit" loading={busy || leaving} fullWidth>
        Sign up
      </Button>
    </Form>
  );
}

/**
 * Makes NextAuth re-read the provider's account, which now belongs to a user. (Its own `update` needs a session
 * provider around the page.)
 */
async function turnIntoSession() {
  const { getCsrfToken } = await authClient();
  const body = JSON.stringify({ csrfToken: await getCsrfToken(), data: {} });
  await fetch("/api/auth/session", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}
