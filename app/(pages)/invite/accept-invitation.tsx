"use client";

import form from "@/components/page.module.css";
import { SteadyButton } from "@/components/steady-button";
import type { Invited } from "@/lib/accounts/ways-in/invitations";
import { NewPasswordInput } from "../_signing-in/new-password-input";
import { BadLink, OneTimeLink } from "../_signing-in/one-time-link";
import { type Credentials, signInWithPassword } from "../_signing-in/sign-in";
import { createInvitedAccount, previewInvitation } from "../_signing-in/sign-up-actions";
import { UsernameInput } from "../_signing-in/sign-up-form";
import type { Outcome } from "../action";
import { ActionForm, Submit } from "../action-form";
import { Operator } from "../names";
import { leaveFor } from "../use-action";

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
  async function create({ username, password }: Credentials): Promise<Outcome<void>> {
    const accepted = await createInvitedAccount({ secret, username, password });
    if ("error" in accepted) return accepted;
    if (!accepted.ok) onBad();
    else {
      const signedIn = await signInWithPassword({ username: accepted.ok.username, password });
      await leaveFor("ok" in signedIn ? "/account" : "/signin");
    }
    return { ok: undefined };
  }

  return (
    <div className={form.page}>
      <h1>Create your account</h1>
      <p className="soft">
        {username === null ? (
          <span>Choose a username and a password. Programs will know you by this username.</span>
        ) : (
          <span>
            Your username will be <strong translate="no">{username}</strong>. Programs will know you by it.
          </span>
        )}
        {role === "admin" && <span> You'll be an administrator of this service.</span>}
      </p>
      <ActionForm action={create} input={(text) => ({ username: text("username"), password: text("password") })}>
        {username === null ? (
          <UsernameInput />
        ) : (
          // Tells password managers whose password this is.
          <input type="text" autoComplete="username" value={username} readOnly hidden />
        )}
        <NewPasswordInput label="Password" advice="Long beats complicated." />
        <Submit as={SteadyButton} fullWidth>
          Create account
        </Submit>
      </ActionForm>
    </div>
  );
}
