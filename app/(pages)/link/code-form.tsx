"use client";

import { Button, TextInput } from "@mantine/core";
import { useActionState, useEffect, useRef } from "react";
import form from "@/components/form.module.css";
import { UNREACHABLE } from "../unreachable";
import { continueWithCode, type EntryState } from "./actions";
import styles from "./page.module.css";

interface Props extends EntryState {
  /** Whether to begin in the field. */
  autoFocus?: boolean;
}

/** The field for the six letters. `entry` is what stands in it at first: from the program's link, or what was wrong with `error`. */
export function CodeForm({ entry, error, autoFocus = false }: Props) {
  // The action is called by this script and not posted by the browser: without a referrer, such a post would carry no origin to
  // check. What was sent before this script has loaded is sent when it has.
  const [state, submit, busy] = useActionState(
    (before: EntryState, fields: FormData) => continueWithCode(before, fields).catch(() => ({ entry: String(fields.get("code")), error: UNREACHABLE })),
    { entry, error },
  );

  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state.error !== "") field.current?.focus();
  }, [state]);

  // A code that came in the address leaves it at once, and with it the history. One turn later, because Next begins to listen
  // to such changes only after the effects of the page, and would bring the address back.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (window.location.search) window.history.replaceState(null, "", window.location.pathname);
    });
    return () => clearTimeout(timer);
  }, []);

  return (
    <form action={submit} className={form.form}>
      <TextInput
        label="Code"
        name="code"
        defaultValue={state.entry}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={autoFocus}
        ref={field}
        error={state.error}
        classNames={{ input: styles.code }}
      />
      <Button type="submit" loading={busy} fullWidth>
        Continue
      </Button>
      <p className={styles.small}>Enter only letters that a program of your own shows you now. Nobody who helps you needs a code from you.</p>
    </form>
  );
}
