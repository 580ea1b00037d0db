"use client";

import { Button, Checkbox, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import { ProgramList } from "@/components/link/program-list";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import type { LinkedProgram } from "@/lib/link/programs";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { useAction } from "../use-action";
import { replacePassword } from "./actions";
import styles from "./page.module.css";

interface PasswordFormProps {
  username: string;
  asksCurrent: boolean;
  /** What stops when the token is replaced, too. */
  programs: LinkedProgram[];
}

/** Changes the password, or sets the first one of an account that has none. Who fears a thief replaces the token in the same step. */
export function PasswordForm({ username, asksCurrent, programs }: PasswordFormProps) {
  const { run, busy, failure, error, errorAt, done, setDone } = useAction();
  const [changes, setChanges] = useState(0);
  const [alsoToken, setAlsoToken] = useState(false);

  async function submit(fields: FormData) {
    if (!(await run(() => replacePassword(String(fields.get("current") ?? ""), String(fields.get("new")), alsoToken)))) return;
    setChanges(changes + 1);
    setAlsoToken(false);
    const token = alsoToken ? " Your token is replaced: the old one has stopped working." : "";
    setDone(`Your password is changed, and every other browser is signed out.${token}`);
  }

  return (
    <Form onSubmit={submit} failure={failure} className={styles.form}>
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {asksCurrent && (
        <PasswordInput
          key={`current ${changes}`}
          label="Current password"
          name="current"
          autoComplete="current-password"
          required
          error={errorAt("current password")}
          aria-invalid={errorAt("current password") !== undefined}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
        />
      )}
      <NewPasswordInput
        key={`new ${changes}`}
        label="New password"
        name="new"
        description="At least 8 characters. Every other browser is signed out."
        error={errorAt("password")}
      />
      <Checkbox
        size="md"
        label="Also replace my token"
        description="Do so if somebody else may have it. A new password alone does not stop programs."
        checked={alsoToken}
        onChange={(event) => setAlsoToken(event.currentTarget.checked)}
      />
      {alsoToken && <Stopping programs={programs} />}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <Actions>
        <Button type="submit" size="sm" loading={busy}>
          {asksCurrent ? "Change password" : "Set password"}
        </Button>
      </Actions>
    </Form>
  );
}

function Stopping({ programs }: { programs: LinkedProgram[] }) {
  return (
    <div className={styles.stack}>
      <p>
        Every place where you pasted the token yourself stops.{" "}
        {programs.length > 0 ? "So do these programs, until you link them again:" : "No program was linked with it."}
      </p>
      {programs.length > 0 && <ProgramList programs={programs} />}
    </div>
  );
}
