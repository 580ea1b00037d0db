"use client";

import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { UNREACHABLE } from "../unreachable";
import { replacePassword } from "./actions";
import styles from "./page.module.css";

/** Changes the password, or sets the first one of an account that has none. */
export function PasswordForm({ username, asksCurrent }: { username: string; asksCurrent: boolean }) {
  const [error, setError] = useState("");
  const [done, setDone] = useState("");
  const [busy, setBusy] = useState(false);
  const [changes, setChanges] = useState(0);

  async function submit(fields: FormData) {
    setBusy(true);
    setError("");
    setDone("");
    const answer = await replacePassword(String(fields.get("current") ?? ""), String(fields.get("new"))).catch(() => ({ error: UNREACHABLE }));
    setBusy(false);
    if ("error" in answer) return setError(answer.error);
    setChanges(changes + 1);
    setDone("Your password is changed, and every other browser is signed out.");
  }

  const visibilityToggleButtonProps = { "aria-label": "Show or hide what was typed" };
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
          visibilityToggleButtonProps={visibilityToggleButtonProps}
        />
      )}
      <PasswordInput
        key={`new ${changes}`}
        label="New password"
        name="new"
        description="At least 8 characters. Every other browser is signed out."
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={visibilityToggleButtonProps}
      />
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{done}</Notice>
      <Actions>
        <Button type="submit" size="sm" loading={busy}>
          {asksCurrent ? "Change password" : "Set password"}
        </Button>
      </Actions>
    </Form>
  );
}
