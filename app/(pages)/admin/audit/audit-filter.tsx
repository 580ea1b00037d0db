import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import type { TypedFilter } from "@/lib/operator/audit/filter";
import { FilterForm } from "../filter-form";

interface AuditFilterProps {
  typed: TypedFilter;
  /** Why a field was refused. */
  refused?: { field?: string; error: string };
  /** The actions to choose from, by group. */
  groups: readonly { group: string; actions: readonly string[] }[];
}

const FIELDS = [
  { name: "who", label: "Who", placeholder: "Username or operator" },
  { name: "which", label: "Which", placeholder: "Key id or username" },
  { name: "network", label: "Network", placeholder: "203.0.113.7" },
  { name: "from", label: "From", placeholder: "2026-03-31 or 7d" },
  { name: "to", label: "To", placeholder: "2026-04-30" },
] as const;

/** The filter of the audit trail. The address has it, so that it can be kept and sent to somebody. */
export function AuditFilterForm({ typed, refused, groups }: AuditFilterProps) {
  const errorOf = (name: string) => (refused?.field === name ? refused.error : undefined);
  return (
    <FilterForm page="/admin/audit" isFiltered={Object.keys(typed).length > 0}>
      <SelectField
        label="What"
        name="what"
        size="sm"
        defaultValue={typed.what ?? ""}
        error={errorOf("what")}
        data={[
          { value: "", label: "Everything" },
          ...groups.map(({ group, actions }) => ({
            group,
            items: [
              { value: group, label: `All of ${group}` },
              ...actions.map((action) => ({ value: action, label: action })),
            ],
          })),
        ]}
      />
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          placeholder={placeholder}
          defaultValue={typed[name] ?? ""}
          error={errorOf(name)}
          maxLength={100}
          size="sm"
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </FilterForm>
  );
}
