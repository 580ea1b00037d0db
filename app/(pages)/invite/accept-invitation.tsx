"use client";

import { useState } from "react";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import type { Invited } from "@/lib/accounts/recovery/invitations";
import { ErrorNotice } from "../error-notice";
import { Operator } from "../names";
import { NewPasswordInput } from "../new-password-input";
import { BadLink, OneTimeLink } from "../one-time-link/one-time-link";
import { signInWithPassword } from "../signin/sign-in";
import { UsernameInput } from "../signup/sign-up-form";
import { useAction } from "../use-action";
import { createInvitedAccount, previewInvitation } from "./actions";

/** Opens an account with an invitation from the operator, and signs in with it. */
export function AcceptInvitation({ contact }: { contact?: string }) {
  const bad = (
    <BadLink>
      Ask <Operator contact={contact} /> for a new link.
    </BadLink>
  );
  return (
    <OneTimeLink
      title="You're invited"
      lead="The operator of this service invited you to create an account. This link works once."
      preview={previewInvitation}
      bad={bad}
    >
      {(invited, secret, onBad) => <AccountStep {...invited} secret={secret} onBad={onBad} />}
    </OneTimeLink>
  );
}

interface AccountStepProps extends Invited {
  /** Of the invitation. */
  secret: string;
  onBad: () => void;
}

function AccountStep({ username, role, secret, onBad }: AccountStepProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const password = String(fields.get("password"));
    const accepted = await run(createInvitedAccount, {
      secret,
      username: String(fields.get("username") ?? ""),
      password,
    });
    if (!accepted) return;
    if (!accepted.ok) return onBad();
    setLeaving(true);
    const signedIn = await signInWithPassword(accepted.ok.username, password);
    window.location.assign("ok" in signedIn ? "/account" : "/signin");
  }

  return (
    <div className={form.page}>
      <h1>Create your account</h1>
      <p className={form.lead}>
        {username === null ? (
          <span>Choose a username and a password. Programs will know you by this username.</span>
        ) : (
          <span>
            Your username will be <strong translate="no">{username}</strong>. Programs will know you by it.
          </span>
        )}
        {role === "admin" && <span> You'll be an administrator of this service.</span>}
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
          advice="Long beats complicated."
          error={errorAt("password")}
        />
        <ErrorNotice error={error} />
        <SteadyButton type="submit" loading={busy || leaving} fullWidth>
          Create account
        </SteadyButton>
      </Form>
    </div>
  );
}
