"use client";

import { useEffect, useRef, useState } from "react";
import { TextInput } from "@/components/controls/field";
import { IconSearch } from "@/components/frame/icons";
import styles from "./files.module.css";
import { SORTS, type View } from "./view";

/** The time most people take between two keystrokes. */
const PAUSE_MS = 300;

interface FilterFieldProps {
  typed: string;
  /** Whether it is about all folders. */
  everywhere: boolean;
  onFilter: (change: { filter: string; everywhere?: boolean }) => void;
}

/** Filters the list by name when the typing pauses, or searches all folders. The key "/" leads here. */
export function FilterField({ typed, everywhere, onFilter }: FilterFieldProps) {
  const [value, setValue] = useState(typed);
  const field = useRef<HTMLInputElement>(null);
  const filter = useRef(onFilter);
  filter.current = onFilter;

  /** What was sent and is not in the address yet. */
  const sent = useRef<string[]>([]);

  useEffect(() => {
    const at = sent.current.indexOf(typed);
    sent.current.splice(0, at < 0 ? sent.current.length : at + 1);
    // Something else changed it, such as a link.
    if (at < 0) setValue(typed);
  }, [typed]);

  useEffect(() => {
    if (value === (sent.current.at(-1) ?? typed)) return;
    const timer = setTimeout(() => {
      sent.current.push(value);
      filter.current({ filter: value });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, typed]);

  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
      event.preventDefault();
      field.current?.select();
    };
    window.addEventListener("keydown", lead);
    return () => window.removeEventListener("keydown", lead);
  }, []);

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
          if (value !== typed) sent.current.push(value);
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
