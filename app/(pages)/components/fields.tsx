"use client";

import { Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { Choices } from "@/components/choices";
import form from "@/components/form.module.css";

const CHOICES = [
  { value: "everything", label: "Everything", description: "You can later stop it alone." },
  { value: "read", label: "Read keys and files" },
];
const SHORT_CHOICES = [
  { value: "never", label: "Never" },
  { value: "1", label: "In 1 day" },
];
const TOGGLE = { "aria-label": "Show or hide password" };

/** Each kind of field as it is, filled in, refused, and disabled. */
export function Fields() {
  return (
    <div className={form.form}>
      <TextInput label="Name" description="What the key is for." />
      <TextInput label="Filled in" defaultValue="Engine" />
      <TextInput label="Refused" defaultValue="ada lovelace" error="A username has no spaces. Use - or _ instead." />
      <TextInput label="Disabled" defaultValue="Engine" disabled />
      <PasswordInput label="Password" visibilityToggleButtonProps={TOGGLE} />
      <PasswordInput
        label="Refused password"
        error="A password needs at least 8 characters."
        visibilityToggleButtonProps={TOGGLE}
      />
      <Checkbox size="md" label="Also rotate my token" description="A new password alone doesn't stop programs." />
      <Checkbox size="md" label="Selected" defaultChecked />
      <Checkbox size="md" label="Disabled" disabled />
      <Choices name="access" legend="Choices" initial="read" choices={CHOICES} />
      <Choices name="ends" legend="Choices side by side" initial="never" choices={SHORT_CHOICES} inline />
    </div>
  );
}
