"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import styles from "./field.module.css";

/** What is wrong with the fields of the form around them, by their names. */
export const FieldErrors = createContext<Record<string, string>>({});

/** What stands around every field for a text. */
export interface FieldAppearance {
  label?: ReactNode;
  /** A sentence between the label and the field. */
  description?: ReactNode;
  /** What is wrong with what was typed, if not the form says it. Also read out. */
  error?: ReactNode;
  size?: "sm" | "md";
  /** An icon inside the field, before its text. */
  leftSection?: ReactNode;
  /** Of the whole field, with its label. */
  className?: string;
  /** Of the element that is typed in. */
  inputClassName?: string;
}

/** What the element that is typed in must have. */
interface InputAttributes {
  id: string;
  className: string | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps extends FieldAppearance {
  id: string | undefined;
  name?: string;
  disabled?: boolean;
  /** The element that is typed in. */
  children: (attributes: InputAttributes) => ReactNode;
}

/** A label, a description, the element that is typed in, and what is wrong with it, which screen readers connect. */
export function Field(props: FieldProps) {
  const { label, description, size = "md", leftSection, className, inputClassName, children } = props;
  const errors = useContext(FieldErrors);
  // Nobody can correct what is disabled.
  const error = props.error ?? (props.disabled ? undefined : errors[props.name ?? ""]);
  const own = useId();
  const id = props.id ?? own;
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`];
  const describedBy = [error ? errorId : "", description ? descriptionId : ""].filter(Boolean).join(" ");
  return (
    <div className={className} data-size={size}>
      {label && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {description && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      <div className={styles.box} data-size={size} data-icon={leftSection ? true : undefined}>
        {leftSection && <span className={styles.icon}>{leftSection}</span>}
        {children({
          id,
          className: inputClassName ? `${styles.input} ${inputClassName}` : styles.input,
          "aria-invalid": error ? true : undefined,
          "aria-describedby": describedBy || undefined,
        })}
      </div>
      {error && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export type TextInputProps = FieldAppearance & Omit<ComponentProps<"input">, "size">;

/** The browser's own field for one line, with its label, description and error. */
export function TextInput(props: TextInputProps) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <input {...others} {...attributes} />}
    </Field>
  );
}

/** The browser's own field for several lines, with its label, description and error. */
export function Textarea(props: FieldAppearance & ComponentProps<"textarea">) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <textarea {...others} {...attributes} />}
    </Field>
  );
}
