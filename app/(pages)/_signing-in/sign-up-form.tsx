"use client";

import { useRef } from "react";
import { authRequest } from "@/components/auth";
import { UserField } from "@/components/form";
import { IconFingerprint } from "@/components/icons";
import { MAX_USERNAME, MIN_USERNAME } from "@/lib/platform/bounds";
import type { Outcome } from "../action";
import { ActionButton, ActionForm, Submit } from "../action-form";
import { leaveFor } from "../use-action";
import { NewPasswordInput } from "./new-password-input";
import { signUpWithNewPasskey, useCanPasskeys } from "./passkeys";
import { type Credentials, signInWithPassword } from "./sign-in";
import { createAccount, createProviderAccount } from "./sign-up-actions";

/** The field for a new username, with its rule in words. The server checks it. */
export function UsernameInput() {
  return (
    <UserField
      label="Username"
      placeholder={undefined}
      description={`${MIN_USERNAME} to ${MAX_USERNAME} letters, digits, _ or -`}
      autoComplete="username"
      autoFocus
    />
  );
}

/**
 * Asks a user coming from a provider for a username, creates the account, and goes to `target`. `accountId`: of the
 * account at the provider with which they came.
 */
export function UsernameForm({ target, accountId }: { target: string; accountId: string }) {
  /** Only signing in has failed, and is what another press tries. */
  const isCreated = useRef(false);

  async function create(account: { username: string; accountId: string }): Promise<Outcome<void>> {
    const outcome = isCreated.current ? { ok: undefined } : await createProviderAccount(account);
    if ("error" in outcome) return outcome;
    isCreated.current = true;
    await turnIntoSession();
    return outcome;
  }

  return (
    <ActionForm action={create} input={{ accountId }} onDone={() => leaveFor(target)}>
      <UsernameInput />
      <Submit fullWidth>Sign up</Submit>
    </ActionForm>
  );
}

/** Makes NextAuth re-read the provider's account, which now belongs to a user. */
const turnIntoSession = () => authRequest("session", { data: "" });

/**
 * Creates an account with a password or, where browsers allow it, with a passkey instead; signs in, and goes to
 * `target`.
 */
export function SignUpForm({ target, hasPasskeys }: { target: string; hasPasskeys: boolean }) {
  const canPasskeys = useCanPasskeys();
  const leave = () => leaveFor(target);
  return (
    <ActionForm action={createAndSignIn} onDone={leave}>
      <UsernameInput />
      <NewPasswordInput label="Password" advice="Long beats complicated." />
      <Submit fullWidth>Sign up</Submit>
      {hasPasskeys && canPasskeys && (
        <ActionButton
          fullWidth
          leftSection={<IconFingerprint size={18} />}
          action={signUpWithNewPasskey}
          input={(text) => text("username")}
          onDone={leave}
        >
          Use a passkey instead
        </ActionButton>
      )}
    </ActionForm>
  );
}

async function createAndSignIn(account: Credentials): Promise<Outcome<void>> {
  const created = await createAccount(account);
  if ("error" in created) return created;
  const signedIn = await signInWithPassword(account);
  return "error" in signedIn ? { error: `Your account has been created. ${signedIn.error}` } : signedIn;
}
