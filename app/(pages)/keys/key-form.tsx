"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { Textarea, TextInput, useFieldText } from "@/components/form";
import { IconPlus } from "@/components/icons";
import type { PlainFields } from "@/lib/keys/schema";
import { KEY_NAME_LENGTH } from "@/lib/platform/bounds";
import { ApiCall } from "../_keys/api-calls";
import styles from "../_keys/keys.module.css";
import type { Outcome } from "../action";
import { ActionDialog, DialogButton } from "../action-dialog";
import { ActionForm, Submit } from "../action-form";
import { leaveFor } from "../use-action";
import { create, saveSettings } from "./actions";

/** What the field shows. */
interface PriceInput {
  text: string;
  isForSale: boolean;
}

interface PriceFieldProps {
  value: PriceInput;
  onChange: (value: PriceInput) => void;
}

/**
 * A price, or that there is none. It is a field of text with the keyboard for numbers: one of numbers would drop what a
 * person mistyped, and a stored price that is not a number.
 */
function PriceField({ value, onChange }: PriceFieldProps) {
  const text = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const read = () => ({ text: text.current?.value ?? "", isForSale: !box.current?.checked });

  // What was entered and selected before this script had loaded.
  const readOnce = useEffectEvent(() => onChange(read()));
  useEffect(() => readOnce(), []);

  return (
    <div className={styles.price}>
      <TextInput
        ref={text}
        label="Price"
        description="A number like 12 or 12.50."
        name="price"
        inputMode="decimal"
        autoComplete="off"
        required={value.isForSale}
        disabled={!value.isForSale}
        value={value.text}
        onChange={() => onChange(read())}
      />
      <Checkbox
        ref={box}
        label="Not for sale"
        name="notForSale"
        checked={!value.isForSale}
        onChange={() => onChange(read())}
      />
    </div>
  );
}

/** A stored price as the field shows it. Negative means not for sale. */
function priceInput(stored: string): PriceInput {
  return stored.startsWith("-") ? { text: "", isForSale: false } : { text: stored, isForSale: true };
}

/** The price as the API accepts it. A key that stays not for sale keeps its own negative price. */
function priceOf({ text, isForSale }: PriceInput, stored = "-1"): string {
  if (isForSale) return text;
  return stored.startsWith("-") ? stored : "-1";
}

/** Asks for a new key's name, data and price, creates it, and opens its page. */
function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [data, setData] = useState("");
  const [price, setPrice] = useState(priceInput("0"));
  return (
    <ActionDialog
      title="New key"
      submit="Create key"
      as={Button}
      action={create}
      // Not the fields' own values: some browsers end the lines of a form with two characters.
      input={{ data, price: priceOf(price) }}
      onDone={(id) => leaveFor(`/keys?key=${id}`)}
      onClose={onClose}
      footer={
        <ApiCall
          title="Create the key"
          requests={[["/keys/create", { data: "DATA", price: priceOf(price), ...(name && { name }) }]]}
        />
      }
    >
      <TextInput
        label="Name"
        name="name"
        description="A label for you and its holders. Optional."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Secret"
        name="data"
        description="Only holders can read it."
        required
        rows={3}
        spellCheck={false}
        size="md"
        value={data}
        onChange={(event) => setData(event.currentTarget.value)}
        inputClassName={styles.secret}
      />
      <PriceField value={price} onChange={setPrice} />
    </ActionDialog>
  );
}

/** A button that asks for a new key. */
export function CreateKey({ label }: { label: string }) {
  return (
    <DialogButton
      variant="filled"
      leftSection={<IconPlus size={16} />}
      dialog={(close) => <NewKeyDialog onClose={close} />}
    >
      {label}
    </DialogButton>
  );
}

interface SettingsFormProps extends PlainFields {
  keyId: string;
}

/** The fields, and whether the box is ticked. */
type Entered = Partial<PlainFields> & { notForSale?: string };

/**
 * Changes a key's name and price. Its data has a form of its own, beside the secret: it is not on the page before it is
 * revealed, so a field for it here would be empty, and saving the name would look as if it emptied the data.
 */
export function SettingsForm({ keyId, ...stored }: SettingsFormProps) {
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

  const path = `/keys/update/${keyId}`;
  return (
    <ActionForm
      action={save}
      done={(saved) => (saved ? "Saved." : "Nothing has changed.")}
      onDone={show}
      className={`stack ${styles.narrow}`}
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
      <ApiCall title="Change the name" requests={[[path, { key: "name", data: newName }]]} />
      <ApiCall title="Change the price" requests={[[path, { key: "price", data: priceOf(newPrice, price) }]]} />
    </ActionForm>
  );
}
