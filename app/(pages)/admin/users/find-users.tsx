import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import { FilterForm } from "../filter-form";
import { type Asked, isFiltered } from "./asked";

const ROLES = [
  { value: "", label: "Any" },
  { value: "admin", label: "Administrators" },
  { value: "user", label: "Users" },
];
const ACCESS = [
  { value: "", label: "Any" },
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
];
const PASSWORDS = [
  { value: "", label: "With or without" },
  { value: "without", label: "Without" },
];
const IDLE = [7, 30, 90, 365];

/** Filters the list. Works without scripts: the address has what is asked for. */
export function FindUsers({ asked }: { asked: Asked }) {
  const { name = "", role = "", disabled, passwordless, idleDays } = asked;
  const days = idleDays === undefined || IDLE.includes(idleDays) ? IDLE : [...IDLE, idleDays];
  const access = disabled === undefined ? "" : disabled ? "disabled" : "enabled";
  return (
    <FilterForm page="/admin/users" isFiltered={isFiltered(asked)} key={JSON.stringify(asked)}>
      <TextInput
        type="search"
        name="q"
        label="Name begins with"
        size="sm"
        defaultValue={name}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField name="role" label="Role" size="sm" data={ROLES} defaultValue={role} />
      <SelectField name="access" label="Access" size="sm" data={ACCESS} defaultValue={access} />
      <SelectField
        name="password"
        label="Password"
        size="sm"
        data={PASSWORDS}
        defaultValue={passwordless ? "without" : ""}
      />
      <SelectField
        name="idle"
        label="Last seen"
        size="sm"
        data={[
          { value: "", label: "At any time" },
          ...days.map((count) => ({ value: String(count), label: `Not for ${count} days` })),
        ]}
        defaultValue={idleDays ?? ""}
      />
      {asked.sort !== "created" && name === "" && <input type="hidden" name="sort" value={asked.sort} />}
    </FilterForm>
  );
}
