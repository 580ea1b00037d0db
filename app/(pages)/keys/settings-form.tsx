"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form, useFieldText } from "@/components/controls/form";
import { Notice } from "@/components/feedback/notice";
import { Actions } from "@/components/frame/panel";
import type { PlainFields } from "@/lib/keys/schema";
import { KEY_NAME_LENGTH } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { saveSettings } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { PriceField, priceIn, priceInput, priceOf } from "./create-key";
import styles from "./keys.module.css";

interface SettingsFormProps extends PlainFields {
  keyId: string;
  origin: string;
}

/**
 * Changes a key's name and price. Its data has a form of its own, beside the secret: it is not on the page before it is
 * revealed, so a field for it here would be empty, and saving the name would look as if it emptied the data.
 */
export function SettingsForm({ keyId, origin, ...stored }: SettingsFormProps) {
  const { name, price } = stored;
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const { text: newName, setText: setName, field: nameField } = useFieldText(name);
  const [newPrice, setNewPrice] = useState(priceInput(price));

  async function save(fields: FormData) {
    const inputs = { ...Object.fromEntries(fields), price: priceOf(priceIn(fields), price) };
    // Of what can be changed, what this form has a field for.
    const changed = Object.entries(inputs).filter(
      ([field, input]) => Object.hasOwn(stored, field) && input !== stored[field as keyof PlainFields],
    );
    if (changed.length === 0) return setDone("Nothing has changed.");
    const outcome = await run(saveSettings, { keyId, ...Object.fromEntries(changed) });
    if (!outcome) return;
    setName(outcome.ok.name);
    setNewPrice(priceInput(outcome.ok.price));
    setDone("Saved.");
  }

  const command = (key: keyof PlainFields, data: string) =>
    shellCommand(origin, `/keys/update/${keyId}`, { key, data });
  return (
    <Form onSubmit={save} failure={failure} onEdit={clear} className={`${styles.form} ${styles.narrow}`}>
      <TextInput
        label="Name"
        description={`At most ${KEY_NAME_LENGTH} characters. Optional.`}
        name="name"
        autoComplete="off"
        {...nameField}
        error={errorAt("name")}
      />
      <PriceField
        value={newPrice}
        error={errorAt("price")}
        onChange={(next) => {
          if (errorAt("price")) clear();
          setNewPrice(next);
        }}
      />
      <Actions>
        <Button type="submit" size="sm" loading={busy}>
          Save
        </Button>
      </Actions>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <ApiCall title="Change the name" command={command("name", newName)} />
      <ApiCall title="Change the price" command={command("price", priceOf(newPrice, price))} />
    </Form>
  );
}
