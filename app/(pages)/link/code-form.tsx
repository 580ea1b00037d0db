"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import forms from "@/components/controls/form.module.css";
import { Notice } from "@/components/feedback/notice";
import { whyFailed } from "@/components/feedback/why-failed";
import { continueWithCode, type EntryState, enterAnother } from "./actions";
import { codeInAddress, consumeCodeInput } from "./address";
import styles from "./page.module.css";

/** Discards the code of this ticket and asks for another. */
export function EnterAnother({ ticketId, children }: { ticketId: string; children: ReactNode }) {
  const [error, submit, busy] = useActionState(() => enterAnother(ticketId).then(() => "", whyFailed), "");
  return (
    <form action={submit}>
      <Button type="submit" variant="default" size="sm" loading={busy}>
        {children}
      </Button>
      <Notice kind="error">{error}</Notice>
    </form>
  );
}

interface Props extends EntryState {
  /** Whether to focus the field. */
  autoFocus?: boolean;
  /** Whether to submit `entry` immediately, as if the user had pressed the button. */
  goOn?: boolean;
}

/**
 * The field for the six letters. `entry`: its initial text, from the program's link, or the text that caused `error`.
 */
export function CodeForm({ entry, error, autoFocus = false, goOn = false }: Props) {
  const router = useRouter();
  // The action is called by this script and not posted by the browser: without a referrer, such a post would carry no
  // origin to check. A form submitted before this script has loaded is sent afterwards.
  const [state, submit, busy] = useActionState(
    async (before: EntryState, fields: FormData): Promise<EntryState> => {
      try {
        const after = await continueWithCode(before, fields);
        if (after.next) router.replace(after.next);
        return after;
      } catch (thrown) {
        return { entry: String(fields.get("code")), error: await whyFailed(thrown) };
      }
    },
    { entry, error },
  );

  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state.error !== "") field.current?.focus();
  }, [state]);

  useEffect(() => {
    const input = consumeCodeInput();
    if (input && field.current?.value === "") field.current.value = input;
  }, []);

  // A code in the address is removed from it and from the history immediately. One turn later, because Next starts
  // listening to such changes only after the page's effects, and would restore the address.
  useEffect(() => {
    const timer = setTimeout(async () => {
      if (new URLSearchParams(window.location.search).has("code"))
        window.history.replaceState(null, "", window.location.pathname);
      if (!goOn) return;
      await pageVisible();
      form.current?.requestSubmit();
    });
    return () => clearTimeout(timer);
  }, [goOn]);

  return (
    <form ref={form} action={submit} className={forms.form}>
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
        // What was entered while a code is looked up would be lost: React resets the form with the response.
        readOnly={busy}
        ref={field}
        onChange={extractCode}
        error={state.error}
        inputClassName={styles.code}
      />
      <Button type="submit" loading={busy} fullWidth>
        Continue
      </Button>
      <p className={styles.small}>
        Only enter a code from a program you just started. Never enter a code that someone gave you, not even support
        staff.
      </p>
    </form>
  );
}

/** Leaves only the code of an address that was pasted, dropped, or inserted by a keyboard. */
function extractCode({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  const code = codeInAddress(currentTarget.value);
  if (code) currentTarget.value = code;
}

/** Resolves when somebody sees the page: browsers also run the scripts of pages that they only load in advance. */
async function pageVisible(): Promise<void> {
  if (document.visibilityState === "visible") return;
  await new Promise<void>((resolve) => {
    document.addEventListener("visibilitychange", function onChange() {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", onChange);
      resolve();
    });
  });
}
