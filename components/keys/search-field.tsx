import { Button, TextInput } from "@mantine/core";
import styles from "./search-field.module.css";

interface SearchFieldProps {
  label: string;
  name: string;
  typed: string;
  /** What else the address must keep. */
  keep: Record<string, string>;
}

/** Searches by loading the page again: the lists are too long to be in it whole. */
export function SearchField({ label, name, typed, keep }: SearchFieldProps) {
  return (
    <search>
      <form action="/keys" className={styles.search}>
        {Object.entries(keep).map(([kept, value]) => (
          <input key={kept} type="hidden" name={kept} value={value} />
        ))}
        <TextInput type="search" name={name} aria-label={label} placeholder={label} defaultValue={typed} maxLength={100} size="sm" className={styles.field} />
        <Button type="submit" variant="default" size="sm">
          Search
        </Button>
      </form>
    </search>
  );
}
