"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { authRequest } from "@/components/frame/auth-request";
import { IconFingerprint } from "@/components/frame/icons";
import { MAX_USERNAME, MIN_USERNAME } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { signUpWithNewPasskey, useCanPasskeys } from "../passkeys/ceremonies";
import { signInWithPassword } from "../signin/sign-in";
import { useAction } from "../use-action";
import { createAccount, createProviderAccount } from "./actions";

/** The field for a new username, with its rule in words. The server checks it; `error` is its response. */
export function UsernameInput({ error }: { error: string | undefined }) {
  return (
    <TextInput
      label="Username"
      name="username"
      description={`${MIN_USERNAME} to ${MAX_USERNAME} letters, digits, _ or -`}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
      autoFocus
    />
  );
}

/**
 * Asks a user coming from a provider for a username, creates the account, and goes to `target`. `accountId`: of the
 * account at the provider with which they came.
 */
export function UsernameForm({ target, accountId }: { target: string; accountId: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);
  /** Only signing in has failed, and is what another press tries. */
  const isCreated = useRef(false);

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    const signedIn = await run(async () => {
      const outcome = isCreated.current ? { ok: undefined } : await createProviderAccount({ username, accountId });
      if ("error" in outcome) return outcome;
      isCreated.current = true;
      await turnIntoSession();
      return outcome;
    });
    if (!signedIn) return;
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

/** Makes NextAuth re-read the provider's account, which now belongs to a user. */
const turnIntoSession = () => authRequest("session", { data: "" });

/**
 * Creates an account with a password or, where browsers allow it, with a passkey instead; signs in, and goes to
 * `target`.
 */
export function SignUpForm({ target, hasPasskeys }: { target: string; hasPasskeys: boolean }) {
  const { run, busy, failure, error, errorAt, setError, clear } = useAction();
  const [leaving, setLeaving] = useState(false);
  const canPasskeys = useCanPasskeys();

  async function submit(fields: FormData) {
    const username = String(fields.get("username"));
    const password = String(fields.get("password"));
    if (!(await run(createAccount, { username, password }))) return;
    setLeaving(true);
    const signedIn = await signInWithPassword(username, password);
    if ("ok" in signedIn) return window.location.assign(target);
    setLeaving(false);
    setError(`Your account has been created. ${signedIn.error}`);
  }

  async function submitPasskey(fields: FormData) {
    if (!(await run(() => signUpWithNewPasskey(String(fields.get("username")))))) return;
    setLeaving(true);
    window.location.assign(target);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <UsernameInput error={errorAt("username")} />
      <NewPasswordInput label="Password" name="password" advice="Long beats complicated." error={errorAt("password")} />
      <ErrorNotice error={error} />
      <Button type="submit" loading={busy || leaving} fullWidth>
        Sign up
      </Button>
      {hasPasskeys && canPasskeys && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={18} />}
          disabled={busy || leaving}
          onClick={({ currentTarget: { form: own } }) => own && submitPasskey(new FormData(own))}
        >
          Use a passkey instead
        </Button>
      )}
    </Form>
  );
}
