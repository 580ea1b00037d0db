import { Button } from "@/components/button";
import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import type { Asked } from "./asked";
import styles from "./users.module.css";

const ROLES = [
  { value: "", label: "Any role" },
  { value: "admin", label: "Administrators" },
  { value: "user", label: "Users" },
];
const ACCESS = [
  { value: "", label: "Enabled or not" },
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
];
const PASSWORDS = [
  { value: "", label: "With or without password" },
  { value: "without", label: "Without a password" },
];
const IDLE = [7, 30, 90, 365];

/** Filters the list. Works without scripts: the address has what is asked for. */
export function FindUsers({ asked }: { asked: Asked }) {
  const { name = "", role = "", disabled, passwordless, idleDays } = asked;
  const days = idleDays === undefined || IDLE.includes(idleDays) ? IDLE : [...IDLE, idleDays];
  const access = disabled === undefined ? "" : disabled ? "disabled" : "enabled";
  return (
    <search>
      <form action="/admin/users" className={styles.find} key={JSON.stringify(asked)}>
        <TextInput
          type="search"
          name="q"
          label="Name begins with"
          defaultValue={name}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SelectField name="role" label="Role" data={ROLES} defaultValue={role} />
        <SelectField name="access" label="Access" data={ACCESS} defaultValue={access} />
        <SelectField name="password" label="Password" data={PASSWORDS} defaultValue={passwordless ? "without" : ""} />
        <SelectField
          name="idle"
          label="Last seen"
          data={[
            { value: "", label: "At any time" },
            ...days.map((count) => ({ value: String(count), label: `Not for ${count} days` })),
          ]}
          defaultValue={idleDays ?? ""}
        />
        {asked.sort !== "created" && name === "" && <input type="hidden" name="sort" value={asked.sort} />}
        <Button type="submit" variant="default">
          Show
        </Button>
      </form>
    </search>
  );
}
