"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { TextInput } from "@/components/form";
import { IconSearch } from "@/components/icons";
import styles from "./files.module.css";
import { SORTS, type View } from "./view";

/** The pause that most users make between two keystrokes. */
const PAUSE_MS = 300;

interface FilterFieldProps {
  field: RefObject<HTMLInputElement | null>;
  applied: string;
  /** Whether it is about all folders. */
  everywhere: boolean;
  onFilter: (change: { filter: string; everywhere?: boolean }) => void;
}

/** Filters the list by name when the typing pauses, or searches all folders. */
export function FilterField({ field, applied, everywhere, onFilter }: FilterFieldProps) {
  const [value, setValue] = useState(applied);
  const filter = useRef(onFilter);
  filter.current = onFilter;

  /** Filters that are not in the address yet. */
  const pending = useRef<string[]>([]);

  useEffect(() => {
    const at = pending.current.indexOf(applied);
    pending.current.splice(0, at < 0 ? pending.current.length : at + 1);
    // Something else changed it, such as a link.
    if (at < 0) setValue(applied);
  }, [applied]);

  useEffect(() => {
    if (value === (pending.current.at(-1) ?? applied)) return;
    const timer = setTimeout(() => {
      pending.current.push(value);
      filter.current({ filter: value });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, applied]);

  return (
    <search className={styles.search}>
      <TextInput
        ref={field}
        type="search"
        size="sm"
        aria-label="Filter"
        placeholder={everywhere ? "Search all folders" : "Filter by name"}
        aria-keyshortcuts="/"
        maxLength={100}
        leftSection={<IconSearch size={16} />}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <select
        className={styles.select}
        aria-label="Search in"
        value={everywhere ? "all" : "this"}
        onChange={(event) => {
          if (value !== applied) pending.current.push(value);
          onFilter({ everywhere: event.currentTarget.value === "all", filter: value });
        }}
      >
        <option value="this">This folder</option>
        <option value="all">All folders</option>
      </select>
    </search>
  );
}

const WORDS = {
  name: ["Name, A–Z", "Name, Z–A"],
  type: ["Kind, A–Z", "Kind, Z–A"],
  size: ["Smallest first", "Largest first"],
  edited: ["Oldest first", "Newest first"],
} as const;

/** The sort order of the list, if there is no space for column heads. */
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
