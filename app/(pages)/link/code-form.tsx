"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Form, TextInput } from "@/components/form";
import { consumeCodeInput } from "../_signing-in/kept-input";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { continueWithCode, enterAnother } from "./actions";
import { codeInAddress } from "./address";
import styles from "./page.module.css";

/** Discards the code of this ticket and asks for another. */
export function EnterAnother({ ticketId, children }: { ticketId: string; children: ReactNode }) {
  const { run, busy, error } = useAction();
  return (
    <Form onSubmit={() => run(enterAnother, ticketId)}>
      <Button type="submit" variant="default" size="sm" loading={busy}>
        {children}
      </Button>
      <ErrorNotice error={error} />
    </Form>
  );
}

interface Props {
  /** What the field contains at first, and why that is refused; empty if it is not. */
  entry: string;
  error: string;
  /** Whether to focus the field. */
  autoFocus?: boolean;
  /** Whether `entry` came from a link. */
  isFilledIn?: boolean;
  /** Whether to submit `entry` immediately, as if the user had pressed the button. */
  goOn?: boolean;
}

/**
 * The field for the six letters. `entry`: its initial text, from the program's link, or the text that caused `error`.
 */
export function CodeForm({ entry, error, autoFocus = false, isFilledIn = false, goOn = false }: Props) {
  const router = useRouter();
  const { run, busy, failure, error: failed, clear } = useAction();
  const [refused, setRefused] = useState(error);
  const field = useRef<HTMLInputElement>(null);
  // Not only in the document: React sets a hidden field back whenever it draws the form again.
  const [filledIn, setFilledIn] = useState(isFilledIn ? entry : "");

  async function submit(fields: FormData) {
    setRefused("");
    const result = await run(continueWithCode, fields);
    if (result) router.replace(result.ok);
  }

  function edit() {
    setRefused("");
    clear();
  }

  /** Leaves only the code of an address that was pasted, dropped, or inserted by a keyboard: nobody typed that. */
  function extractCode({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const code = codeInAddress(currentTarget.value);
    if (!code) return;
    currentTarget.value = code;
    setFilledIn(code);
  }

  useEffect(() => {
    const input = consumeCodeInput();
    if (!input || field.current?.value !== "") return;
    field.current.value = input;
    setFilledIn(input);
  }, []);

  // A code in the address is removed from it and from the history immediately. One turn later, because Next starts
  // listening to such changes only after the page's effects, and would restore the address.
  useEffect(() => {
    const timer = setTimeout(async () => {
      if (new URLSearchParams(window.location.search).has("code"))
        window.history.replaceState(null, "", window.location.pathname);
      if (!goOn) return;
      await pageVisible();
      field.current?.form?.requestSubmit();
    });
    return () => clearTimeout(timer);
  }, [goOn]);

  return (
    <Form onSubmit={submit} failure={failure} onEdit={edit} className="stack">
      {/* What the field held that nobody typed. */}
      <input type="hidden" name="filledIn" value={filledIn} />
      <TextInput
        label="Code"
        name="code"
        defaultValue={entry}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={autoFocus}
        // The response is about what was submitted.
        readOnly={busy}
        ref={field}
        onChange={extractCode}
        error={refused || failed}
        inputClassName={styles.code}
      />
      <Button type="submit" loading={busy} fullWidth>
        Continue
      </Button>
      <p className="small">
        Only enter a code from a program you just started. Never enter a code that someone gave you, not even support
        staff.
      </p>
    </Form>
  );
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
