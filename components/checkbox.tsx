import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./checkbox.module.css";

interface CheckboxProps extends Omit<ComponentProps<"input">, "size" | "type"> {
  label?: ReactNode;
  /** A sentence below the label. */
  description?: ReactNode;
  size?: "sm" | "md";
}

/** The browser's own checkbox in our looks, with its label and description. */
export function Checkbox({ label, description, size = "sm", ...others }: CheckboxProps) {
  const id = useId();
  const descriptionId = description ? `${id}-description` : undefined;
  return (
    <div className={styles.field} data-size={size}>
      <span className={styles.box}>
        <input {...others} type="checkbox" id={id} aria-describedby={descriptionId} />
        <svg viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth={2.4} strokeLinecap="round" aria-hidden>
          <path className={styles.check} d="M1.2 6.3l3.2 3.2l6.4 -6.4" strokeLinejoin="round" />
          <path className={styles.dash} d="M1.2 6h9.6" />
        </svg>
      </span>
      {label && (
        <span className={styles.words}>
          <label htmlFor={id}>{label}</label>
          {description && (
            <span id={descriptionId} className={styles.description}>
              {description}
            </span>
          )}
        </span>
      )}
    </div>
  );
}

interface Choice {
  value: string;
  label: string;
  description?: string;
}

interface ChoicesProps {
  /** The name of the form's field. */
  name: string;
  legend: string;
  choices: Choice[];
  /** The value that is selected at first. */
  initial: string;
  /** Side by side: for short labels without descriptions. */
  inline?: boolean;
}

/** A field of a form with a few choices, one of which is selected. It works before the page's script has loaded. */
export function Choices({ name, legend, choices, initial, inline = false }: ChoicesProps) {
  return (
    <fieldset className={styles.choicesField}>
      <legend>{legend}</legend>
      <div className={inline ? styles.inline : styles.list}>
        {choices.map(({ value, label, description }) => (
          <label key={value} className={styles.choice}>
            <input type="radio" name={name} value={value} defaultChecked={value === initial} />
            <span>
              <span>{label}</span>
              {description && <small className="detail">{description}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
