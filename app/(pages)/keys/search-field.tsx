"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useEffectEvent, useRef, useTransition } from "react";
import { Loader } from "@/components/feedback";
import { TextInput } from "@/components/form";
import { IconSearch } from "@/components/icons";

interface SearchFieldProps {
  label: string;
  name: string;
  value: string;
  /** Other parameters that the address must keep. */
  keep: Record<string, string>;
}

const PAUSE_MS = 250;

/**
 * Searches while one types, on the server: the lists are too long to be on the page completely. The address has the
 * search. Before its script has loaded, and without one, the Enter key sends it.
 */
export function SearchField({ label, name, value, keep }: SearchFieldProps) {
  const router = useRouter();
  const [isSearching, startSearch] = useTransition();
  const field = useRef<HTMLInputElement>(null);
  const searched = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function search() {
    clearTimeout(timer.current);
    const text = field.current?.value.trim() ?? "";
    if (text === searched.current) return;
    searched.current = text;
    const query = new URLSearchParams({ ...keep, ...(text && { [name]: text }) });
    startSearch(() => router.replace(`/keys?${query}`, { scroll: false }));
  }

  function searchSoon() {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, PAUSE_MS);
  }

  // What was entered before this script had loaded is searched, too.
  const searchInitialText = useEffectEvent(searchSoon);
  useEffect(() => {
    searchInitialText();
    return () => clearTimeout(timer.current);
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    search();
  }

  return (
    <search>
      <form action="/keys" onSubmit={submit}>
        {Object.entries(keep).map(([parameter, value]) => (
          <input key={parameter} type="hidden" name={parameter} value={value} />
        ))}
        <TextInput
          ref={field}
          type="search"
          name={name}
          aria-label={label}
          placeholder={label}
          defaultValue={value}
          onChange={searchSoon}
          maxLength={100}
          size="sm"
          autoComplete="off"
          leftSection={isSearching ? <Loader size="xs" /> : <IconSearch size={16} />}
        />
      </form>
    </search>
  );
}
