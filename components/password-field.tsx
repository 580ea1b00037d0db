"use client";

import { PasswordInput, type PasswordInputProps } from "@mantine/core";

interface PasswordFieldProps extends Omit<PasswordInputProps, "error"> {
  error: string | undefined;
}

/** A required field for a password. Mantine's own says what is wrong, but not that the field is invalid. */
export function PasswordField({ error, ...field }: PasswordFieldProps) {
  return (
    <PasswordInput
      required
      {...field}
      error={error}
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide password" }}
    />
  );
}
