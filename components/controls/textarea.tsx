import type { ComponentProps } from "react";
import { Field, type FieldAppearance } from "./field";

/** The browser's own field for several lines, with its label, description and error. */
export function Textarea(props: FieldAppearance & ComponentProps<"textarea">) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <textarea {...others} {...attributes} />}
    </Field>
  );
}
