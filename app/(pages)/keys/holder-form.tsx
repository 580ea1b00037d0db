"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { type Holder, Holders } from "@/components/keys/holders";
import { Notice } from "@/components/notice";
import { UserField } from "@/components/user-field";
import type { Added } from "@/lib/keys/grant";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../of-a-user";
import type { Outcome } from "../outcome";
import { useAction } from "../use-action";
import { EndDialog } from "./end-dialog";
import { EndField, isoOf } from "./end-field";
import styles from "./keys.module.css";
import { useTyped } from "./use-typed";

interface HolderFormProps {
  keyId: string;
  holders: Holder[];
  /** The page's actions. `end` as the API takes it. */
  add: (keyId: string, username: string, end?: string) => Promise<Outcome<Added>>;
  revoke: (keyId: string, username: string) => Promise<Outcome<{ user: string; revoked: boolean }>>;
  /** How a program or an operator does the same; `end` is undefined for no end. */
  sameAsAdd: (username: string, end: string | undefined) => ReactNode;
  sameAsRevoke: (username: string) => ReactNode;
}

/** The holders on this page of the list, and a form to add one or to change when an access ends. */
export function HolderForm({ keyId, holders, add, revoke, sameAsAdd, sameAsRevoke }: HolderFormProps) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const { text: username, setText: setUsername, field: typed } = useTyped("");
  const { text: end, setText: setEnd, field: endField } = useTyped("");
  const [revoking, setRevoking] = useState<string | null>(null);
  const [ending, setEnding] = useState<Holder | null>(null);

  async function submit(fields: FormData) {
    const answer = await run(() => add(keyId, String(fields.get("username")), isoOf(String(fields.get("end")))));
    if (!answer) return;
    setUsername("");
    setEnd("");
    setDone(sentenceOf(answer.ok));
  }

  async function take(name: string) {
    setRevoking(name);
    const answer = await run(() => revoke(keyId, name));
    setRevoking(null);
    if (!answer) return;
    const { user, revoked } = answer.ok;
    // To undo it, press Add.
    if (revoked) setUsername(user);
    setDone(
      revoked ? `${user} no longer holds the key. To undo this, add them again.` : `${user} was not a holder any more.`,
    );
    // The pressed button has disappeared, and the keyboard focus with it.
    typed.ref.current?.focus();
  }

  return (
    <>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
        <UserField label="Add a user" {...typed} error={errorAt("username")} />
        <EndField {...endField} error={errorAt("end")} className={styles.end} />
        <Button type="submit" variant="default" loading={busy && revoking === null} disabled={revoking !== null}>
          Add
        </Button>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      {sameAsAdd(username.trim() || "USERNAME", end ? (isoOf(end) ?? "UNTIL") : undefined)}
      {holders.length > 0 && (
        <Holders
          holders={holders}
          onRevoke={take}
          onEnd={setEnding}
          revoking={revoking}
          mark={(name) => <OfAUser name={name} />}
        />
      )}
      {ending && (
        <EndDialog
          holder={ending}
          change={(next) => add(keyId, ending.username, next)}
          footer={(next) => sameAsAdd(ending.username, next)}
          onClose={() => setEnding(null)}
          onDone={(sentence) => {
            clear();
            setEnding(null);
            setDone(sentence);
          }}
        />
      )}
      {sameAsRevoke("USERNAME")}
    </>
  );
}

function sentenceOf({ user, added, changed }: Added): string {
  if (added) return `${user} now holds the key.`;
  return changed ? `The end of ${user}'s access was changed.` : `${user} already held the key.`;
}
