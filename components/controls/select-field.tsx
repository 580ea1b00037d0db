"use client";

import type { ComponentProps } from "react";
import { IconChevronDown } from "@/components/frame/icons";
import { Field, type FieldAppearance } from "./field";
import styles from "./select-field.module.css";

interface Choice {
  value: string;
  label: string;
}

type SelectFieldProps = Omit<FieldAppearance, "leftSection"> &
  Omit<ComponentProps<"select">, "size" | "children"> & {
    /** What can be selected, in this order; some of it in groups. */
    data: readonly (Choice | { group: string; items: readonly Choice[] })[];
  };

/** The browser's own list of choices, with its label, description and error. */
export function SelectField(props: SelectFieldProps) {
  const { label, description, error, size, className, inputClassName, id, data, ...others } = props;
  return (
    <Field {...props} id={id} inputClassName={styles.select}>
      {(attributes) => (
        <>
          <select {...others} {...attributes}>
            {data.map((one) =>
              "group" in one ? (
                <optgroup key={one.group} label={one.group}>
                  {one.items.map(option)}
                </optgroup>
              ) : (
                option(one)
              ),
            )}
          </select>
          <IconChevronDown size={16} stroke={2} className={styles.mark} />
        </>
      )}
    </Field>
  );
}

const option = ({ value, label }: Choice) => (
  <option key={value} value={value}>
    {label}
  </option>
);
