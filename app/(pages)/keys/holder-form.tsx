"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { ApiCall } from "@/components/keys/api-calls";
import { type Holder, Holders } from "@/components/keys/holders";
import { Notice } from "@/components/notice";
import { TextInput } from "@/components/text-input";
import type { Added } from "@/lib/keys/holders";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { add, revoke } from "./actions";
import { EndDialog } from "./end-dialog";
import { EndField, isoOf } from "./end-field";
import styles from "./keys.module.css";
import { shellCommand } from "./shell-command";
import { useTyped } from "./use-typed";

/** The holders on this page of the list, and a field to add one. */
export function HolderForm({ keyId, holders, origin }: { keyId: string; holders: Holder[]; origin: string }) {
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
    setDone(
      answer.ok.revoked ? `${answer.ok.user} no longer holds the key.` : `${answer.ok.user} was not a holder any more.`,
    );
    // The pressed button has disappeared, and the keyboard focus with it.
    typed.ref.current?.focus();
  }

  return (
    <>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.row}>
        <TextInput
          label="Add a user"
          name="username"
          placeholder="Username"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...typed}
          error={errorAt("username")}
          className={styles.grow}
        />
        <EndField {...endField} error={errorAt("end")} className={styles.end} />
        <Button type="submit" variant="default" loading={busy && revoking === null} disabled={revoking !== null}>
          Add
        </Button>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <ApiCall
        title="Add a holder"
        command={shellCommand(origin, `/keys/admin_add/${keyId}`, {
          key: keyId,
          username: username.trim() || "USERNAME",
          ...(end && { until: isoOf(end) ?? "UNTIL" }),
        })}
      />
      {holders.length > 0 && <Holders holders={holders} onRevoke={take} onEnd={setEnding} revoking={revoking} />}
      {ending && (
        <EndDialog
          keyId={keyId}
          holder={ending}
          origin={origin}
          onClose={() => setEnding(null)}
          onDone={(sentence) => {
            clear();
            setEnding(null);
            setDone(sentence);
          }}
        />
      )}
      <ApiCall title="Revoke a holder" command={shellCommand(origin, `/keys/revoke/${keyId}`, { user: "USERNAME" })} />
    </>
  );
}

function sentenceOf({ user, added, changed }: Added): string {
  if (added) return `${user} now holds the key.`;
  return changed ? `The end of ${user}'s access was changed.` : `${user} already held the key.`;
}
