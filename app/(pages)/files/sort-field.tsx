"use client";

import styles from "./files.module.css";
import { SORTS, type View } from "./view";

const WORDS = {
  name: ["Name, A first", "Name, Z first"],
  type: ["Kind, A first", "Kind, Z first"],
  size: ["Smallest first", "Largest first"],
  edited: ["Oldest first", "Newest first"],
} as const;

/** In which order the list is, where there is no room for the heads of its columns. */
export function SortField({ view, onSort }: { view: View; onSort: (sort: View["sort"], descending: boolean) => void }) {
  const options = SORTS.flatMap((sort) => [false, true].map((descending) => ({ sort, descending })));
  const current = options.findIndex(({ sort, descending }) => sort === view.sort && descending === view.descending);
  return (
    <select
      className={styles.sort}
      aria-label="Order"
      value={current}
      onChange={(event) => {
        const option = options[Number(event.currentTarget.value)];
        if (option) onSort(option.sort, option.descending);
      }}
    >
      {options.map(({ sort, descending }, index) => (
        <option key={`${sort} ${descending}`} value={index}>
          {WORDS[sort][descending ? 1 : 0]}
        </option>
      ))}
    </select>
  );
}
