import { IconChevronDown } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { Field, type FieldLooks } from "./field";
import styles from "./select.module.css";

type SelectProps = Omit<FieldLooks, "leftSection"> &
  Omit<ComponentProps<"select">, "size" | "children"> & {
    /** What can be selected, in this order. */
    data: readonly { value: string; label: string }[];
  };

/** The browser's own list of choices, with its label, description and error. */
export function Select(props: SelectProps) {
  const { label, description, error, size, className, inputClassName, id, data, ...others } = props;
  return (
    <Field {...props} id={id} inputClassName={styles.select}>
      {(attributes) => (
        <>
          <select {...others} {...attributes}>
            {data.map(({ value, label: words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
          <IconChevronDown size={16} stroke={2} className={styles.mark} aria-hidden />
        </>
      )}
    </Field>
  );
}
