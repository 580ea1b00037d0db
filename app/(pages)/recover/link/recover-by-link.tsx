"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../../error-notice";
import { Step } from "../../link/step";
import { NewPasswordInput } from "../../new-password-input";
import { BadLink } from "../../one-time-link/bad-link";
import { FirstStep } from "../../one-time-link/first-step";
import { linkSecret } from "../../one-time-link/secret";
import { signInWithPassword } from "../../signin/sign-in-with-password";
import { useAction } from "../../use-action";
import { AlsoToken } from "../also-token";
import { lookAtRecovery, setPasswordByLink } from "./actions";

/** Sets a new password with a link from the operator, and signs in with it. */
export function RecoverByLink({ contact }: { contact?: string }) {
  /** Undefined: nothing was pressed yet; null: the link cannot be used. */
  const [username, setUsername] = useState<string | null>();

  if (username === undefined)
    return (
      <Step name="first">
        <FirstStep
          title="Set a new password"
          lead="You opened a link for the account's new password. It works once."
          look={lookAtRecovery}
          onLook={(found) => setUsername(found?.username ?? null)}
        />
      </Step>
    );
  return (
    <Step name={username === null ? "bad" : "password"}>
      {username === null ? (
        <BadLink contact={contact} />
      ) : (
        <PasswordStep username={username} onBad={() => setUsername(null)} />
      )}
    </Step>
  );
}

function PasswordStep({ username, onBad }: { username: string; onBad: () => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const password = String(fields.get("password"));
    const recovered = await run(() => setPasswordByLink(linkSecret(), password, fields.get("alsoToken") !== null));
    if (!recovered) return;
    if (!recovered.ok) return onBad();
    setLeaving(true);
    const signedIn = await signInWithPassword(username, password);
    window.location.assign("ok" in signedIn ? "/account" : "/signin");
  }

  return (
    <div className={form.page}>
      <h1>Set a new password</h1>
      <p className={form.lead}>
        For the account <strong>{username}</strong>. All browsers will be signed out.
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordInput
          label="New password"
          name="password"
          description="At least 8 characters. Long beats complicated."
          error={errorAt("password")}
        />
        <AlsoToken />
        <ErrorNotice error={error} />
        <Button type="submit" loading={busy || leaving} fullWidth>
          Set password
        </Button>
      </Form>
    </div>
  );
}
