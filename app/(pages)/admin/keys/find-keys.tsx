import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import type { FindBy } from "@/lib/keys/operator";
import { FilterForm } from "../filter-form";

const WAYS: { value: FindBy | "id"; label: string }[] = [
  { value: "name", label: "Name begins with" },
  { value: "creator", label: "Created by" },
  { value: "holder", label: "Held by" },
  { value: "id", label: "Id" },
];

/** Finds keys by their name or their people, or one by its id. */
export function FindKeys({ by, typed }: { by: FindBy; typed: string }) {
  return (
    <FilterForm page="/admin/keys" isFiltered={typed !== ""} key={`${by} ${typed}`}>
      <SelectField label="Find by" name="by" size="sm" data={WAYS} defaultValue={by} />
      <TextInput
        type="search"
        name="q"
        label="Name or id"
        size="sm"
        defaultValue={typed}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FilterForm>
  );
}
