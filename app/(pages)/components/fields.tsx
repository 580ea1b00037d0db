"use client";

import { Checkbox } from "@/components/checkbox";
import { Choices } from "@/components/choices";
import form from "@/components/form.module.css";
import { PasswordField } from "@/components/password-field";
import { TextInput } from "@/components/text-input";

const CHOICES = [
  { value: "everything", label: "Everything", description: "You can later stop it alone." },
  { value: "read", label: "Read keys and files" },
];
const SHORT_CHOICES = [
  { value: "never", label: "Never" },
  { value: "1", label: "In 1 day" },
];

/** Each kind of field as it is, filled in, refused, and disabled. */
export function Fields() {
  return (
    <div className={form.form}>
      <TextInput label="Name" description="What the key is for." />
      <TextInput label="Filled in" defaultValue="Engine" />
      <TextInput label="Refused" defaultValue="ada lovelace" error="A username has no spaces. Use - or _ instead." />
      <TextInput label="Disabled" defaultValue="Engine" disabled />
      <PasswordField label="Password" />
      <PasswordField label="Refused password" error="A password needs at least 8 characters." />
      <Checkbox size="md" label="Also rotate my token" description="A new password alone doesn't stop programs." />
      <Checkbox size="md" label="Selected" defaultChecked />
      <Checkbox size="md" label="Disabled" disabled />
      <Choices name="access" legend="Choices" initial="read" choices={CHOICES} />
      <Choices name="ends" legend="Choices side by side" initial="never" choices={SHORT_CHOICES} inline />
    </div>
  );
}
