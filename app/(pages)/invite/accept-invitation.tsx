"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import type { Invited } from "@/lib/recovery/invitations";
import { ErrorNotice } from "../error-notice";
import { Step } from "../link/step";
import { NewPasswordInput } from "../new-password-input";
import { BadLink } from "../one-time-link/bad-link";
import { FirstStep } from "../one-time-link/first-step";
import { linkSecret } from "../one-time-link/secret";
import { Operator } from "../operator";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { UsernameInput } from "../signup/username-input";
import { useAction } from "../use-action";
import { lookAtInvitation, takeInvitation } from "./actions";

/** Opens an account with an invitation from the operator, and signs in with it. */
export function AcceptInvitation({ contact }: { contact?: string }) {
  /** Undefined: nothing was pressed yet; null: the invitation cannot be used. */
  const [invited, setInvited] = useState<Invited | null>();

  if (invited === undefined)
    return (
      <Step name="first">
        <FirstStep
          title="You're invited"
          lead="The operator of this service invited you to create an account. This link works once."
          look={lookAtInvitation}
          onLook={setInvited}
        />
      </Step>
    );
  return (
    <Step name={invited === null ? "bad" : "account"}>
      {invited === null ? (
        <BadLink>
          Ask <Operator contact={contact} /> for a new link.
        </BadLink>
      ) : (
        <AccountStep {...invited} onBad={() => setInvited(null)} />
      )}
    </Step>
  );
}

function AccountStep({ username, role, onBad }: Invited & { onBad: () => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const password = String(fields.get("password"));
    const taken = await run(() => takeInvitation(linkSecret(), String(fields.get("username") ?? ""), password));
    if (!taken) return;
    if (!taken.ok) return onBad();
    setLeaving(true);
    const signedIn = await signInWithPassword(taken.ok.username, password);
    window.location.assign("ok" in signedIn ? "/account" : "/signin");
  }

  return (
    <div className={form.page}>
      <h1>Create your account</h1>
      <p className={form.lead}>
        {username === null ? (
          "Choose a username and a password. Programs will know you by this username."
        ) : (
          <>
            Your username will be <strong>{username}</strong>. Programs will know you by it.
          </>
        )}
        {role === "admin" && " You'll be an administrator of this service."}
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
        {username === null ? (
          <UsernameInput error={errorAt("username")} />
        ) : (
          // Tells password managers whose password this is.
          <input type="text" autoComplete="username" value={username} readOnly hidden />
        )}
        <NewPasswordInput
          label="Password"
          name="password"
          description="At least 8 characters. Long beats complicated."
          error={errorAt("password")}
        />
        <ErrorNotice error={error} />
        <Button type="submit" loading={busy || leaving} fullWidth>
          Create account
        </Button>
      </Form>
    </div>
  );
}
