"use client";

import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { signInWithPassword } from "../signin/sign-in-with-password";
import { useAction } from "../use-action";
import { setPasswordByCode } from "./actions";
import { AlsoToken } from "./also-token";

/** Sets a new password with a recovery code, and signs in with it. */
export function RecoverByCode() {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    const recovered = await run(() => setPasswordByCode(Object.fromEntries(fields)));
    if (!recovered) return;
    setLeaving(true);
    const signedIn = await signInWithPassword(recovered.ok.username, String(fields.get("password")));
    window.location.assign("ok" in signedIn ? "/account" : "/signin");
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        // The error is about both, and stands at the code.
        onChange={() => clear()}
      />
      <TextInput
        label="Recovery code"
        name="code"
        description="Six groups of four letters and digits."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        error={errorAt("code")}
      />
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
  );
}
