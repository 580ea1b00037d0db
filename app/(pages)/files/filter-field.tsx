"use client";

import { useEffect, useRef, useState } from "react";
import { IconSearch } from "@/components/icons";
import { TextInput } from "@/components/text-input";
import styles from "./files.module.css";

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
