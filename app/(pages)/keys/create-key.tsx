"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { Textarea, TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
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
interface PriceInput {
  text: string;
  isForSale: boolean;
}

interface PriceFieldProps {
  value: PriceInput;
  onChange: (value: PriceInput) => void;
  error: string | undefined;
}

/**
 * A price, or that there is none. It is a field of text with the keyboard for numbers: one of numbers would drop what a
 * person mistyped, and a stored price that is not a number.
 */
export function PriceField({ value, onChange, error }: PriceFieldProps) {
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
        error={error}
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

/** The value of this field in a submitted form. */
export function priceIn(fields: FormData): PriceInput {
  return { text: String(fields.get("price") ?? ""), isForSale: !fields.has("notForSale") };
}

/** A button that asks for a new key's name, data and price, creates it, and opens its page. */
export function CreateKey({ origin, label }: { origin: string; label: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [opened, setOpened] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [name, setName] = useState("");
  const [data, setData] = useState("");
  const [price, setPrice] = useState(priceInput("0"));

  function open() {
    clear();
    setOpened(true);
  }

  async function submit() {
    const outcome = await run(create, { name, data, price: priceOf(price) });
    if (!outcome) return;
    setLeaving(true);
    window.location.assign(`/keys?key=${outcome.ok}`);
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
            label="Secret"
            description="Only holders can read it."
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
            value={price}
            error={errorAt("price")}
            onChange={(next) => {
              if (errorAt("price")) clear();
              setPrice(next);
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
