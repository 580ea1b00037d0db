"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { Textarea } from "@/components/controls/textarea";
import { Dialog } from "@/components/feedback/dialog";
import { IconPlus } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { create } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import styles from "./keys.module.css";

/** What the field shows. */
interface TypedPrice {
  text: string;
  isForSale: boolean;
}

interface PriceFieldProps {
  typed: TypedPrice;
  onType: (typed: TypedPrice) => void;
  error: string | undefined;
}

/**
 * A price, or that there is none. It is a field of text with the keyboard for numbers: one of numbers would drop what a
 * person mistyped, and a stored price that is not a number.
 */
export function PriceField({ typed, onType, error }: PriceFieldProps) {
  const text = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const read = () => ({ text: text.current?.value ?? "", isForSale: !box.current?.checked });

  // What was typed and selected before this script had loaded.
  const readOnce = useEffectEvent(() => onType(read()));
  useEffect(() => readOnce(), []);

  return (
    <div className={styles.price}>
      <TextInput
        ref={text}
        label="Price"
        description="A plain number like 12 or 0.5."
        name="price"
        inputMode="decimal"
        autoComplete="off"
        required={typed.isForSale}
        disabled={!typed.isForSale}
        value={typed.text}
        error={error}
        onChange={() => onType(read())}
      />
      <Checkbox
        ref={box}
        label="Not for sale"
        name="notForSale"
        checked={!typed.isForSale}
        onChange={() => onType(read())}
      />
    </div>
  );
}

/** A stored price as the field shows it. Negative means not for sale. */
export function typedPrice(stored: string): TypedPrice {
  return stored.startsWith("-") ? { text: "", isForSale: false } : { text: stored, isForSale: true };
}

/** The price as the API takes it. A key that stays not for sale keeps its own negative price. */
export function priceOf({ text, isForSale }: TypedPrice, stored = "-1"): string {
  if (isForSale) return text;
  return stored.startsWith("-") ? stored : "-1";
}

/** What a form with this field was sent with. */
export function priceIn(fields: FormData): TypedPrice {
  return { text: String(fields.get("price") ?? ""), isForSale: !fields.has("notForSale") };
}

/** A button that asks for a new key's name, data and price, creates it, and opens its page. */
export function CreateKey({ origin, label }: { origin: string; label: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [opened, setOpened] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [name, setName] = useState("");
  const [data, setData] = useState("");
  const [price, setPrice] = useState(typedPrice("0"));

  function open() {
    clear();
    setOpened(true);
  }

  async function submit() {
    const made = await run(() => create({ name, data, price: priceOf(price) }));
    if (!made) return;
    setLeaving(true);
    window.location.assign(`/keys?key=${made.ok}`);
  }

  return (
    <>
      <Button size="sm" onClick={open} leftSection={<IconPlus size={16} />}>
        {label}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New key">
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
          <TextInput
            label="Name"
            description="A label for you and its holders. Optional."
            value={name}
            error={errorAt("name")}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Textarea
            label="Data"
            description="The secret that only holders can read."
            required
            rows={3}
            spellCheck={false}
            size="md"
            value={data}
            error={errorAt("data")}
            onChange={(e) => setData(e.currentTarget.value)}
            inputClassName={styles.secret}
          />
          <PriceField
            typed={price}
            error={errorAt("price")}
            onType={(typed) => {
              if (errorAt("price")) clear();
              setPrice(typed);
            }}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy || leaving}>
              Create key
            </Button>
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          </Actions>
          <ApiCall
            title="Create the key"
            command={shellCommand(origin, "/keys/create", {
              data: "DATA",
              price: priceOf(price),
              ...(name && { name }),
            })}
          />
        </Form>
      </Dialog>
    </>
  );
}
