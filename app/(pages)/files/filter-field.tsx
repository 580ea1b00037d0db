"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

/** As long as most people take between two letters. */
const PAUSE_MS = 300;

/** Narrows the list to names with what is typed in them, when the typing pauses. */
export function FilterField({ typed, onFilter }: { typed: string; onFilter: (filter: string) => void }) {
  const [value, setValue] = useState(typed);
  const filter = useRef(onFilter);
  filter.current = onFilter;

  useEffect(() => {
    if (value === typed) return;
    const timer = setTimeout(() => filter.current(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, typed]);

  return (
    <search>
      <TextInput
        type="search"
        size="sm"
        aria-label="Filter"
        placeholder="Filter by name"
        maxLength={100}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    </search>
  );
}
