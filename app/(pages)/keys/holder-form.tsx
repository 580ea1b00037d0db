"use client";

import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useRef, useState } from "react";
import { AsCommand } from "@/components/keys/as-command";
import { type Holder, Holders } from "@/components/keys/holders";
import { Notice } from "@/components/notice";
import { add, revoke } from "./actions";
import { command } from "./command";
import styles from "./keys.module.css";
import { useAction } from "./use-action";

/** The holders on this page of the list, and a field to add one. */
export function HolderForm({ keyId, holders, origin }: { keyId: string; holders: Holder[]; origin: string }) {
  const { run, busy, error, done, setDone } = useAction();
  const [username, setUsername] = useState("");
  const [revoking, setRevoking] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const answer = await run(() => add(keyId, username));
    if (!answer) return;
    setUsername("");
    setDone(answer.ok.added ? `${answer.ok.user} now holds the key.` : `${answer.ok.user} held the key already.`);
  }

  async function take(name: string) {
    setRevoking(name);
    const answer = await run(() => revoke(keyId, name));
    setRevoking(null);
    if (!answer) return;
    setDone(answer.ok.revoked ? `${answer.ok.user} no longer holds the key.` : `${answer.ok.user} did not hold the key any more.`);
    // The button that was pressed is gone, and the keyboard's place with it.
    field.current?.focus();
  }

  return (
    <>
      <form method="post" onSubmit={submit} className={styles.row}>
        <TextInput
          ref={field}
          label="Add a user"
          placeholder="Username"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          className={styles.grow}
        />
        <Button type="submit" variant="default" loading={busy && revoking === null} disabled={revoking !== null}>
          Add
        </Button>
      </form>
      <AsCommand label="Adding, as a command" command={command(origin, `/keys/admin_add/${keyId}`, { key: keyId, username: username.trim() || "USERNAME" })} />
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{done}</Notice>
      {holders.length > 0 && <Holders holders={holders} onRevoke={take} revoking={revoking} />}
      <AsCommand label="Revoking, as a command" command={command(origin, `/keys/revoke/${keyId}`, { user: "USERNAME" })} />
    </>
  );
}
