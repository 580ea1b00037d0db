"use client";

import { useState } from "react";
import { RotationEffects } from "@/app/(pages)/link/revoke-access";
import { Button } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { Form } from "@/components/controls/form";
import { PasswordField } from "@/components/controls/password-field";
import { useToast } from "@/components/feedback/toast";
import { Actions } from "@/components/frame/panel";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { useAction } from "../use-action";
import { replacePassword } from "./actions";
import styles from "./page.module.css";

interface PasswordFormProps {
  username: string;
  needsCurrent: boolean;
  /** The programs that stop if the token is replaced too. */
  programs: LinkedProgram[];
  /** The tokens of programs' own, which go on. */
  tokens: ListedToken[];
}

/** Changes the password, or sets the first one. A user who fears a thief can replace the token in the same step. */
export function PasswordForm({ username, needsCurrent, programs, tokens }: PasswordFormProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const toast = useToast();
  const [changes, setChanges] = useState(0);
  const [alsoToken, setAlsoToken] = useState(false);

  async function submit(fields: FormData) {
    const [current, next] = [String(fields.get("current") ?? ""), String(fields.get("new"))];
    if (!(await run(replacePassword, { current, next, alsoToken }))) return;
    setChanges(changes + 1);
    setAlsoToken(false);
    const token = alsoToken ? " Your token has been rotated; the old one no longer works." : "";
    toast({ text: `Password ${needsCurrent ? "changed" : "set"}. All other browsers have been signed out.${token}` });
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {needsCurrent && (
        <PasswordField
          key={`current ${changes}`}
          label="Current password"
          name="current"
          autoComplete="current-password"
          error={errorAt("current password")}
        />
      )}
      <NewPasswordInput
        key={`new ${changes}`}
        label="New password"
        name="new"
        advice="Signs out all other browsers."
        error={errorAt("password")}
      />
      <Checkbox
        size="md"
        label="Also rotate my token"
        description="A new password alone doesn't stop programs."
        checked={alsoToken}
        onChange={(event) => setAlsoToken(event.currentTarget.checked)}
      />
      {alsoToken && (
        <div className={styles.stack}>
          <p>Your current token stops working. If you've pasted it anywhere, replace it there.</p>
          <RotationEffects programs={programs} tokens={tokens} />
        </div>
      )}
      <ErrorNotice error={error} />
      <Actions>
        <Button type="submit" size="sm" loading={busy}>
          {needsCurrent ? "Change password" : "Set password"}
        </Button>
      </Actions>
    </Form>
  );
}
