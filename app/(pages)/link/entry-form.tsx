"use client";

import { Button, TextInput } from "@mantine/core";
import { useActionState, useEffect, useState } from "react";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { continueWithCode } from "./actions";
import styles from "./page.module.css";

/** The field for the six letters. `entry` is what stands in it at first: from the program's link, or what was wrong with `error`. */
export function EntryForm({ entry, error }: { entry: string; error: string }) {
  const [state, submit, busy] = useActionState(continueWithCode, { entry, error });
  const [typed, setTyped] = useState(state.entry);

  // A code that came in the address leaves it at once, and with it the history. One turn later, because Next begins to listen
  // to such changes only after the effects of the page, and would bring the address back.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (window.location.search) window.history.replaceState(null, "", window.location.pathname);
    });
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={form.page}>
      <div className={styles.head}>
        <h1>Link a program</h1>
        <p className={form.lead}>The program shows you six letters. Enter them, and on the next page you decide whether it may act for you.</p>
      </div>
      <form action={submit} className={form.form}>
        <TextInput
          label="Code"
          name="code"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          required
          autoFocus
          error={state.error !== ""}
          classNames={{ input: styles.code }}
        />
        <Notice kind="error">{state.error}</Notice>
        <Button type="submit" loading={busy} fullWidth>
          Continue
        </Button>
      </form>
      <p className={styles.small}>Enter only letters that a program of your own shows you now. Nobody who helps you needs a code from you.</p>
    </div>
  );
}
