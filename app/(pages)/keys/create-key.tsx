"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { Textarea, TextInput } from "@/components/controls/field";
import { IconPlus } from "@/components/frame/icons";
import { ActionDialog, DialogButton } from "../action-dialog";
import { leaveFor } from "../action-form";
import { create } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import styles from "./keys.module.css";

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
export function PriceField({ value, onChange }: PriceFieldProps) {
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
export function priceInput(stored: string): PriceInput {
  return stored.startsWith("-") ? { text: "", isForSale: false } : { text: stored, isForSale: true };
}

/** The price as the API accepts it. A key that stays not for sale keeps its own negative price. */
export function priceOf({ text, isForSale }: PriceInput, stored = "-1"): string {
  if (isForSale) return text;
  return stored.startsWith("-") ? stored : "-1";
}

/** Asks for a new key's name, data and price, creates it, and opens its page. */
function NewKeyDialog({ origin, onClose }: { origin: string; onClose: () => void }) {
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
          command={shellCommand(origin, "/keys/create", {
            data: "DATA",
            price: priceOf(price),
            ...(name && { name }),
          })}
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
export function CreateKey({ origin, label }: { origin: string; label: string }) {
  return (
    <DialogButton
      variant="filled"
      leftSection={<IconPlus size={16} />}
      dialog={(close) => <NewKeyDialog origin={origin} onClose={close} />}
    >
      {label}
    </DialogButton>
  );
}
