"use client";

import { Button, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { remove } from "./actions";
import styles from "./keys.module.css";
import { useAction } from "./use-action";

/** Deletes a key once its name was typed; one without a name, the beginning of its id. */
export function DeleteKey({ keyId, name }: { keyId: string; name: string }) {
  const { run, busy, error } = useAction();
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [typed, setTyped] = useState("");
  const expected = name.trim() || keyId.slice(0, 8);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (typed.trim() !== expected || !(await run(() => remove(keyId)))) return;
    setLeaving(true);
    window.location.assign(`/keys?deleted=${keyId}`);
  }

  return (
    <>
      <Actions>
        <Button size="sm" variant="default" onClick={() => setAsking(true)} leftSection={<IconTrash size={16} />}>
          Delete
        </Button>
      </Actions>
      <Dialog opened={asking} onClose={() => setAsking(false)} title="Delete this key?">
        <form method="post" onSubmit={submit} className={styles.form}>
          <p>
            This cannot be undone. To go on, type {name.trim() ? "the key's name" : "the beginning of its id"}: <strong>{expected}</strong>
          </p>
          <TextInput
            label={name.trim() ? "Name of the key" : "Beginning of its id"}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Notice kind="error">{error}</Notice>
          <Actions>
            <Button type="submit" color="red" loading={busy || leaving} disabled={typed.trim() !== expected}>
              Delete the key
            </Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep it
            </Button>
          </Actions>
        </form>
      </Dialog>
    </>
  );
}
