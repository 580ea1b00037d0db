"use client";

import { type ComponentProps, lazy, useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { PasswordField } from "@/components/controls/password-field";
import { ErrorNotice } from "../error-notice";
import { withNext } from "../next-path";
import { useAction } from "../use-action";
import { goToProvider, signInWithPassword } from "./sign-in";

const SignUpForm = lazy(async () => ({ default: (await import("../signup/sign-up-form")).SignUpForm }));

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
  const { run, busy, error } = useAction();
  const [pressed, setPressed] = useState("");
  if (providers.length === 0) return null;

  function leave(id: string) {
    setPressed(id);
    return run(() => goToProvider(id, withNext("/signup", target)));
  }

  return (
    <div className={form.form}>
      <p className={form.other}>or</p>
      <ErrorNotice error={error} />
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          onClick={() => leave(id)}
          loading={busy && pressed === id}
          disabled={busy && pressed !== id}
        >
          {`Continue with ${name}`}
        </Button>
      ))}
    </div>
  );
}

/**
 * Asks for username and password, signs in, and goes to `target`. `problem`: an error from before this page was opened.
 */
export function SignInForm({ target, problem }: { target: string; problem: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [earlier, setEarlier] = useState(problem);
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    setEarlier("");
    const signIn = () => signInWithPassword(String(fields.get("username")), String(fields.get("password")));
    if (!(await run(signIn))) return;
    setLeaving(true);
    window.location.assign(target);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        // The error is about both, and stands at the password.
        onChange={() => clear()}
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" error={errorAt("password")} />
      <ErrorNotice error={error || earlier} />
      <Button type="submit" loading={busy || leaving} fullWidth>
        Sign in
      </Button>
    </Form>
  );
}
