"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { Checkbox } from "@/components/checkbox";
import { TextInput } from "@/components/text-input";
import styles from "./keys.module.css";

/** What the field shows. */
export interface TypedPrice {
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
