"use client";

import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { useAction } from "../use-action";
import { replacePassword } from "./actions";
import styles from "./page.module.css";

/** Changes the password, or sets the first one of an account that has none. */
export function PasswordForm({ username, asksCurrent }: { username: string; asksCurrent: boolean }) {
  const { run, busy, error, done, setDone } = useAction();
  const [changes, setChanges] = useState(0);

  async function submit(fields: FormData) {
    if (!(await run(() => replacePassword(String(fields.get("current") ?? ""), String(fields.get("new")))))) return;
    setChanges(changes + 1);
    setDone("Your password is changed, and every other browser is signed out.");
  }

  return (
    <Form onSubmit={submit} className={styles.form}>
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {asksCurrent && (
        <PasswordInput
          key={`current ${changes}`}
          label="Current password"
          name="current"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
        />
      )}
      <NewPasswordInput key={`new ${changes}`} label="New password" name="new" description="At least 8 characters. Every other browser is signed out." />
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
