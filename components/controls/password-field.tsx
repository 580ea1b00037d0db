"use client";

import { type ComponentProps, useState } from "react";
import { IconEye, IconEyeOff } from "@/components/frame/icons";
import { IconButton } from "./button";
import { Field, type FieldAppearance } from "./field";
import styles from "./password-field.module.css";

type PasswordFieldProps = FieldAppearance & Omit<ComponentProps<"input">, "size" | "type">;

/** A required field for a password, and a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <Field {...props} id={id} inputClassName={styles.input}>
      {(attributes) => (
        <>
          <input required {...others} {...attributes} type={isShown ? "text" : "password"} />
          <IconButton
            aria-label="Show or hide password"
            aria-pressed={isShown}
            tabIndex={-1}
            disabled={others.disabled}
            className={styles.toggle}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={22} stroke={1.5} />
          </IconButton>
        </>
      )}
    </Field>
  );
}
