import type { ComponentProps } from "react";
import { Field, type FieldLooks } from "./field";

export type TextInputProps = FieldLooks & Omit<ComponentProps<"input">, "size">;

/** The browser's own field for one line, with its label, description and error. */
export function TextInput(props: TextInputProps) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <input {...others} {...attributes} />}
    </Field>
  );
}
