"use client";

import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { AsCommand } from "@/components/keys/as-command";
import { Notice } from "@/components/notice";
import { change } from "./actions";
import { command } from "./command";
import styles from "./keys.module.css";
import { useAction } from "./use-action";

const FIELDS = {
  name: { label: "Name", description: "At most 100 characters. May be empty.", done: "The key has its new name.", required: false },
  price: { label: "Price", description: "A plain decimal like 12 or 0.5. Negative: not for sale.", done: "The key has its new price.", required: true },
};

/** Changes a key's name or price. */
export function FieldForm({ keyId, field, value, origin }: { keyId: string; field: "name" | "price"; value: string; origin: string }) {
  const { run, busy, error, done, setDone } = useAction();
  const [draft, setDraft] = useState(value);
  const { label, description, required, done: sentence } = FIELDS[field];

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const answer = await run(() => change(keyId, field, draft));
    if (!answer) return;
    setDraft(answer.ok);
    setDone(sentence);
  }

  return (
    <form method="post" onSubmit={save} className={styles.form}>
      <div className={styles.row}>
        <TextInput
          label={label}
          description={description}
          required={required}
          autoComplete="off"
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          className={styles.grow}
        />
        <Button type="submit" variant="default" loading={busy} disabled={draft === value} aria-label={`Save the ${field}`}>
          Save
        </Button>
      </div>
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{done}</Notice>
      <AsCommand command={command(origin, `/keys/update/${keyId}`, { key: field, data: draft })} />
    </form>
  );
}
