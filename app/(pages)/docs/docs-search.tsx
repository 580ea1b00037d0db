"use client";

import { useEffect, useRef } from "react";
import { TextInput } from "@/components/controls/field";
import styles from "./contents.module.css";
import type { DocsEntry } from "./index-entries";

/** More would not help to choose. */
const MAX_MATCHES = 20;
const MAX_QUERY = 100;

/** The entries that contain every word of the query, those named so first; at most twenty. */
export function matchingEntries(entries: DocsEntry[], query: string): DocsEntry[] {
  const words = query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const named = entries.filter(({ name }) => isIn(name));
  const about = entries.filter(({ name, words: more = "", kind }) => !isIn(name) && isIn(`${name} ${more} ${kind}`));
  return [...named, ...about].slice(0, MAX_MATCHES);
}

interface DocsSearchProps {
  query: string;
  onChange: (query: string) => void;
  /** Called before the field gets the focus: it may be hidden. */
  onReveal: () => void;
  onFocus: () => void;
  onEnter: () => void;
}

/** A field that "/" focuses, wherever the reader is on the page. */
export function DocsSearch({ query, onChange, onReveal, onFocus, onEnter }: DocsSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const reveal = useRef(onReveal);
  reveal.current = onReveal;

  useEffect(() => {
    function focus(event: KeyboardEvent) {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      reveal.current();
      // After it is shown.
      requestAnimationFrame(() => field.current?.focus());
    }
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);

  return (
    <TextInput
      ref={field}
      type="search"
      size="sm"
      className={styles.search}
      aria-label="Search the documentation"
      aria-keyshortcuts="/"
      placeholder="Search, or press /"
      autoComplete="off"
      maxLength={100}
      value={query}
      onFocus={onFocus}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && query.trim() !== "") onEnter();
        if (event.key === "Escape") onChange("");
      }}
    />
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
