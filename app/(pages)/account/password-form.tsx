"use client";

import { useState } from "react";
import { RotationEffects } from "@/app/(pages)/link/revoke-access";
import { Checkbox } from "@/components/controls/checkbox";
import { PasswordField } from "@/components/controls/password-field";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ActionForm, Submit } from "../action-form";
import { NewPasswordInput } from "../new-password-input";
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
  const [changes, setChanges] = useState(0);
  const [alsoToken, setAlsoToken] = useState(false);

  const done =
    `Password ${needsCurrent ? "changed" : "set"}. All other browsers have been signed out.` +
    (alsoToken ? " Your token has been rotated; the old one no longer works." : "");

  function empty() {
    setChanges(changes + 1);
    setAlsoToken(false);
  }

  return (
    <ActionForm
      action={replacePassword}
      input={(text) => ({ current: text("current"), next: text("password"), alsoToken })}
      done={done}
      onDone={empty}
      className={styles.form}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {needsCurrent && (
        <PasswordField
          key={`current ${changes}`}
          label="Current password"
          name="current"
          autoComplete="current-password"
        />
      )}
      <NewPasswordInput key={`new ${changes}`} label="New password" advice="Signs out all other browsers." />
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
      <Submit size="sm">{needsCurrent ? "Change password" : "Set password"}</Submit>
    </ActionForm>
  );
}
