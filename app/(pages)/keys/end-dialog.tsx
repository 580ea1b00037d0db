"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import type { Holder } from "@/components/keys/holders";
import { Actions } from "@/components/panel";
import type { Added } from "@/lib/keys/grant";
import { ErrorNotice } from "../error-notice";
import type { Outcome } from "../outcome";
import { useAction } from "../use-action";
import { EndField, isoOf, localOf } from "./end-field";
import styles from "./keys.module.css";

interface EndDialogProps {
  holder: Holder;
  /** Changes the end: a time as the API takes it, or never. */
  change: (end: string) => Promise<Outcome<Added>>;
  /** How a program or an operator does the same. */
  footer: (end: string) => ReactNode;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Asks when a holder's access ends, also to extend one that has ended. */
export function EndDialog({ holder, change, footer, onClose, onDone }: EndDialogProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const user = holder.username;
  /** Without the seconds, which the field does not have. */
  const before = holder.until ? localOf(holder.until) : "";
  const [end, setEnd] = useState(before);

  async function submit() {
    if (end === before) return onDone("Nothing has changed.");
    const answer = await run(() => change(isoOf(end) ?? "never"));
    if (!answer) return;
    const { added, changed } = answer.ok;
    onDone(added || changed ? `The end of ${user}'s access was changed.` : "Nothing has changed.");
  }

  return (
    <Dialog opened onClose={onClose} title={`When does ${user}'s access end?`}>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
        <p>
          {holder.isEnded ? (
            <span>
              The access has ended: programs are told that <span translate="no">{user}</span> doesn't hold this key. A
              later end gives it back immediately.
            </span>
          ) : (
            <span>
              From then on, <span translate="no">{user}</span> can't read its data, and programs are told that{" "}
              <span translate="no">{user}</span> doesn't hold this key.
            </span>
          )}
        </p>
        <EndField
          description="In your time zone. Leave it empty for access without an end."
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
          error={errorAt("end")}
        />
        <ErrorNotice error={error} />
        <Actions>
          <Button type="submit" loading={busy}>
            Save
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
        {footer(isoOf(end) ?? "never")}
      </Form>
    </Dialog>
  );
}
