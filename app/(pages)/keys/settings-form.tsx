"use client";

import { useState } from "react";
import { TextInput } from "@/components/controls/field";
import { useFieldText } from "@/components/controls/form";
import type { PlainFields } from "@/lib/keys/schema";
import { KEY_NAME_LENGTH } from "@/lib/platform/bounds";
import type { Outcome } from "../action";
import { ActionForm, Submit } from "../action-form";
import { saveSettings } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { PriceField, priceInput, priceOf } from "./create-key";
import styles from "./keys.module.css";

interface SettingsFormProps extends PlainFields {
  keyId: string;
  origin: string;
}

/** The fields, and whether the box is ticked. */
type Entered = Partial<PlainFields> & { notForSale?: string };

/**
 * Changes a key's name and price. Its data has a form of its own, beside the secret: it is not on the page before it is
 * revealed, so a field for it here would be empty, and saving the name would look as if it emptied the data.
 */
export function SettingsForm({ keyId, origin, ...stored }: SettingsFormProps) {
  const { name, price } = stored;
  const { text: newName, setText: setName, field: nameField } = useFieldText(name);
  const [newPrice, setNewPrice] = useState(priceInput(price));

  /** Null: nothing has changed. */
  async function save({ notForSale, ...entered }: Entered): Promise<Outcome<PlainFields | null>> {
    const isForSale = notForSale === undefined;
    const inputs = { ...entered, price: priceOf({ text: entered.price ?? "", isForSale }, price) };
    // Of what can be changed, what this form has a field for.
    const changed = Object.entries(inputs).filter(
      ([field, input]) => Object.hasOwn(stored, field) && input !== stored[field as keyof PlainFields],
    );
    return changed.length > 0 ? saveSettings({ keyId, ...Object.fromEntries(changed) }) : { ok: null };
  }

  function show(saved: PlainFields | null) {
    if (!saved) return;
    setName(saved.name);
    setNewPrice(priceInput(saved.price));
  }

  const command = (key: keyof PlainFields, data: string) =>
    shellCommand(origin, `/keys/update/${keyId}`, { key, data });
  return (
    <ActionForm
      action={save}
      done={(saved) => (saved ? "Saved." : "Nothing has changed.")}
      onDone={show}
      className={`${styles.form} ${styles.narrow}`}
    >
      <TextInput
        label="Name"
        description={`At most ${KEY_NAME_LENGTH} characters. Optional.`}
        name="name"
        autoComplete="off"
        {...nameField}
      />
      <PriceField value={newPrice} onChange={setNewPrice} />
      <Submit size="sm">Save</Submit>
      <ApiCall title="Change the name" command={command("name", newName)} />
      <ApiCall title="Change the price" command={command("price", priceOf(newPrice, price))} />
    </ActionForm>
  );
}
