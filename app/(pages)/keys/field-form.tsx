"use client";

import { Button, TextInput } from "@mantine/core";
import { Form } from "@/components/form";
import { AsCommand } from "@/components/keys/as-command";
import { Notice } from "@/components/notice";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { change } from "./actions";
import { command } from "./command";
import styles from "./keys.module.css";
import { useTyped } from "./use-typed";

const FIELDS = {
  name: { label: "Name", description: "At most 100 characters. May be empty.", done: "The key has its new name.", required: false },
  price: { label: "Price", description: "A plain decimal like 12 or 0.5. Negative: not for sale.", done: "The key has its new price.", required: true },
};

/** Changes a key's name or price. */
export function FieldForm({ keyId, field, value, origin }: { keyId: string; field: "name" | "price"; value: string; origin: string }) {
  const { run, busy, failure, error, errorAt, done, setDone } = useAction();
  const { text: draft, setText: setDraft, field: typed } = useTyped(value);
  const { label, description, required, done: sentence } = FIELDS[field];

  async function save(fields: FormData) {
    const answer = await run(() => change(keyId, field, String(fields.get(field))));
    if (!answer) return;
    setDraft(answer.ok);
    setDone(sentence);
  }

  return (
    <Form onSubmit={save} failure={failure} className={styles.form}>
      <div className={styles.row}>
        <TextInput
          label={label}
          description={description}
          required={required}
          name={field}
          autoComplete="off"
          {...typed}
          error={errorAt(field)}
          className={styles.grow}
        />
        <Button type="submit" variant="default" loading={busy} disabled={draft === value} aria-label={`Save the ${field}`}>
          Save
        </Button>
      </div>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <AsCommand command={command(origin, `/keys/update/${keyId}`, { key: field, data: draft })} />
    </Form>
  );
}
