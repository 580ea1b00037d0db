"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { type Holder, Holders } from "@/components/keys/holders";
import { Notice } from "@/components/notice";
import { TextInput } from "@/components/text-input";
import { ErrorNotice } from "../../error-notice";
import { useTyped } from "../../keys/use-typed";
import { useAction } from "../../use-action";
import { SameCommand } from "../same-command";
import { shellWord } from "../shell-word";
import { addHolderAsAdmin, revokeHolderAsAdmin } from "./actions";
import styles from "./keys.module.css";

/** The holders on this page of the list, each with a button to revoke the key, and a field to add one. */
export function ManageHolders({ keyId, holders }: { keyId: string; holders: Holder[] }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const { text: username, setText: setUsername, field } = useTyped("");
  const [revoking, setRevoking] = useState<string | null>(null);

  async function submit() {
    const answer = await run(() => addHolderAsAdmin(keyId, username));
    if (!answer) return;
    setUsername("");
    setDone(answer.ok.added ? `${answer.ok.user} now holds the key.` : `${answer.ok.user} already held the key.`);
  }

  async function take(name: string) {
    setRevoking(name);
    const answer = await run(() => revokeHolderAsAdmin(keyId, name));
    setRevoking(null);
    if (!answer) return;
    // To undo it, press Add.
    setUsername(answer.ok.user);
    setDone(`${answer.ok.user} no longer holds the key. To undo this, add them again.`);
    field.ref.current?.focus();
  }

  return (
    <>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.add}>
        <TextInput
          label="Add a user"
          name="username"
          placeholder="Username"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...field}
          error={errorAt("username")}
        />
        <Button type="submit" variant="default" loading={busy && revoking === null} disabled={revoking !== null}>
          Add
        </Button>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <SameCommand command={`key:add ${keyId} ${shellWord(username.trim() || "USERNAME")}`} />
      <Holders holders={holders} onRevoke={take} revoking={revoking} />
      <SameCommand command={`key:revoke ${keyId} ${shellWord(username.trim() || "USERNAME")}`} />
    </>
  );
}
