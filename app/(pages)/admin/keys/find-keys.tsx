import { Button } from "@/components/button";
import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import type { FindBy } from "@/lib/keys/all/list";
import styles from "./keys.module.css";

const WAYS: { value: FindBy; label: string }[] = [
  { value: "name", label: "Name begins with" },
  { value: "creator", label: "Created by" },
  { value: "holder", label: "Held by" },
];

/** Finds keys by their name or their people, and one by its id. The address has what is typed: no script is needed. */
export function FindKeys({ by, typed }: { by: FindBy; typed: string }) {
  return (
    <search className={styles.search}>
      <form action="/admin/keys" className={styles.find}>
        <SelectField name="by" aria-label="Find keys by" data={WAYS} defaultValue={by} key={by} />
        <TextInput
          type="search"
          name="q"
          aria-label="Name of the key or user"
          placeholder="Name"
          defaultValue={typed}
          key={typed}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
      <form action="/admin/keys" className={styles.find}>
        <TextInput
          name="key"
          aria-label="Id of a key"
          placeholder="Id"
          required
          maxLength={32}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" variant="default">
          Open
        </Button>
      </form>
    </search>
  );
}
