"use client";

import styles from "./files.module.css";
import { SORTS, type View } from "./view";

const WORDS = {
  name: ["Name, A–Z", "Name, Z–A"],
  type: ["Kind, A–Z", "Kind, Z–A"],
  size: ["Smallest first", "Largest first"],
  edited: ["Oldest first", "Newest first"],
} as const;

/** The sort order of the list, if there is no room for column heads. */
export function SortField({ view, onSort }: { view: View; onSort: (sort: View["sort"], descending: boolean) => void }) {
  const options = SORTS.flatMap((sort) => [false, true].map((descending) => ({ sort, descending })));
  const current = options.findIndex(({ sort, descending }) => sort === view.sort && descending === view.descending);
  return (
    <select
      className={`${styles.select} ${styles.sort}`}
      aria-label="Sort by"
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
