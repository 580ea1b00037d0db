import { Checkbox } from "./checkbox";

interface SelectProps {
  /** Ids of the selected rows. */
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

/** Selects or clears all rows of a page. */
export function SelectAll({ ids, chosen, onChoose }: SelectProps & { ids: string[] }) {
  const all = chosen.length === ids.length;
  return (
    <Checkbox
      aria-label="Select all on this page"
      checked={all}
      // Only a script can make it so.
      ref={(box) => {
        if (box) box.indeterminate = !all && chosen.length > 0;
      }}
      onChange={() => onChoose(all ? [] : ids)}
    />
  );
}

/** Selects or clears one key. */
export function SelectKey({ id, name, chosen, onChoose }: SelectProps & { id: string; name: string }) {
  const isChosen = chosen.includes(id);
  return (
    <Checkbox
      aria-label={`Select ${name || "unnamed key"} ${id.slice(0, 8)}`}
      checked={isChosen}
      onChange={() => onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
    />
  );
}
