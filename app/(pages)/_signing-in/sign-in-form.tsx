"use client";

import { type ComponentProps, lazy } from "react";
import { PasswordField, UserField } from "@/components/form";
import form from "@/components/page.module.css";
import { ActionButton, ActionError, ActionForm, ActionGroup, Submit } from "../action-form";
import { withNext } from "../next-path";
import { leaveFor } from "../use-action";
import { goToProvider, signInWithPassword } from "./sign-in";

const SignUpForm = lazy(async () => ({ default: (await import("./sign-up-form")).SignUpForm }));

/**
 * The form to sign up, on a page that seldom shows it: its script comes only with it. Without a boundary of its own the
 * page waits for it, and keeps what is pressed early.
 */
export function SignUpFormIfNew(props: ComponentProps<typeof SignUpForm>) {
  return <SignUpForm {...props} />;
}

/**
 * One button per provider; nothing if none is configured. New users select a username at /signup when they come back.
 */
export function ProviderButtons({ providers, target }: { providers: { id: string; name: string }[]; target: string }) {
  if (providers.length === 0) return null;
  return (
    <div className="stack">
      <p className={form.other}>or</p>
      <ActionGroup>
        <ActionError />
        {providers.map(({ id, name }) => (
          <ActionButton key={id} action={() => goToProvider(id, withNext("/signup", target))}>
            {`Continue with ${name}`}
          </ActionButton>
        ))}
      </ActionGroup>
    </div>
  );
}

/**
 * Asks for username and password, signs in, and goes to `target`. `problem`: an error from before this page was opened.
 */
export function SignInForm({ target, problem }: { target: string; problem: string }) {
  return (
    <ActionForm action={signInWithPassword} onDone={() => leaveFor(target)} problem={problem} isAboutAll>
      <UserField label="Username" placeholder={undefined} autoComplete="username webauthn" autoFocus />
      <PasswordField label="Password" name="password" autoComplete="current-password" />
      <Submit fullWidth>Sign in</Submit>
    </ActionForm>
  );
}
