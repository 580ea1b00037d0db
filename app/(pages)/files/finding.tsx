"use client";

import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { ProgressBar } from "@/components/feedback";
import { TextInput } from "@/components/form";
import { IconChevronDown, IconSearch } from "@/components/icons";
import pagerStyles from "@/components/table.module.css";
import { readableBytes } from "@/components/words";
import type { FilesSummary, FolderListing } from "@/lib/files/list";
import { counted, entriesInWords, seenOf } from "@/lib/platform/bounds";
import styles from "./files.module.css";
import { IconChevronRight, IconDots } from "./icons";
import type { Target } from "./use-changes";
import type { Dragging } from "./use-list";
import { SORTS, type View } from "./view";

interface BreadcrumbsProps {
  /** From the outermost folder to the current one. */
  folders: Target[];
  hrefOf: (id: string) => string;
  onOpen: (id: string, event: MouseEvent) => void;
  dropProps: Dragging["dropProps"];
}

/** With more, the middle is collapsed. */
const MAX_SHOWN = 4;

/** The path of the current folder; each folder in it is a link. The middle of a long path is shown on request. */
export function Breadcrumbs({ folders, hrefOf, onOpen, dropProps }: BreadcrumbsProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const folded = folders.length > MAX_SHOWN && !isUnfolded ? folders.slice(1, -2) : [];

  return (
    <nav aria-label="Folder path">
      <ol className={styles.folders}>
        {folders.map((folder, index) => {
          const { id, name } = folder;
          const isHere = index === folders.length - 1;
          if (folded.includes(folder)) {
            if (index > 1) return null;
            return (
              <li key={id}>
                <IconChevronRight size={16} />
                <button
                  type="button"
                  aria-label={`Show ${counted(folded.length, "more folder", "more folders")}`}
                  onClick={() => setUnfolded(true)}
                  onDragEnter={() => setUnfolded(true)}
                >
                  <IconDots size={16} />
                </button>
              </li>
            );
          }
          return (
            <li key={id}>
              {index > 0 && <IconChevronRight size={16} />}
              <a
                ref={isUnfolded && index === 1 ? focusLink : undefined}
                href={hrefOf(index === 0 ? "" : id)}
                aria-current={isHere ? "page" : undefined}
                onClick={(event) => onOpen(index === 0 ? "" : id, event)}
                {...(isHere ? {} : dropProps(id))}
              >
                <bdi translate="no">{index === 0 ? "All files" : name}</bdi>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Focuses the links that replaced the button. */
function focusLink(link: HTMLAnchorElement | null) {
  link?.focus();
}

interface FolderPagerProps {
  listing: FolderListing;
  hrefOf: (at: string) => string;
  /** Navigates without reloading everything. */
  onGo: (at: string, event: MouseEvent) => void;
}

/** Shows which part of a folder this is, with links to the adjacent parts. Nothing if one page has it all. */
export function FolderPager({ listing, hrefOf, onGo }: FolderPagerProps) {
  const { previous, next, isPartial } = listing;
  if (previous === null && next === null) return null;
  const links: { label: string; at: string | null; rel?: string }[] = [
    { label: "First", at: previous === null ? null : "" },
    { label: "Previous", at: previous, rel: "prev" },
    { label: isPartial ? "Keep searching" : "Next", at: next, rel: "next" },
    { label: "Last", at: next === null || isPartial ? null : "last" },
  ];
  return (
    <nav className={pagerStyles.pager} aria-label="Pages of the folder">
      <span role="status">
        {isPartial ? "This is a large folder. Only part of it has been searched so far." : whereInWords(listing)}
      </span>
      {links.map(
        ({ label, at, rel }) =>
          at !== null && (
            <a key={label} href={hrefOf(at)} rel={rel} onClick={(event) => onGo(at, event)}>
              {label}
            </a>
          ),
      )}
    </nav>
  );
}

function whereInWords({ first, total, entries }: FolderListing): string {
  if (first === null) return total === null ? "" : `${total.toLocaleString("en")} in total`;
  const range = `${first.toLocaleString("en")}–${Math.max(first, first + entries.length - 1).toLocaleString("en")}`;
  return total === null ? range : `${range} of ${total.toLocaleString("en")}`;
}

/** How much space is used; the details on demand. */
export function Space({ used, quota }: { used: FilesSummary; quota: FilesSummary }) {
  const bytes = quota.bytes > 0 ? used.bytes / quota.bytes : 1;
  const entries = quota.entries > 0 ? used.entries / quota.entries : 1;
  const isFull = Math.max(bytes, entries) >= 0.95;
  const close = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    currentTarget.open = false;
  };
  return (
    <div className={styles.space}>
      <details onBlur={close} onKeyDown={(event) => event.key === "Escape" && close(event)}>
        <summary>
          <span>{`${readableBytes(used.bytes)} of ${readableBytes(quota.bytes)}`}</span>
          <IconChevronDown size={16} />
        </summary>
        <div className={styles.details}>
          <ProgressBar label="Space used" done={Math.max(bytes, entries)} state={isFull ? "full" : "running"} />
          <p>{`${readableBytes(Math.max(0, quota.bytes - used.bytes))} left`}</p>
          <p>{`${seenOf(used.entries).toLocaleString("en")} of ${entriesInWords(quota.entries)}`}</p>
          <p>Files that aren't text use a third more than their size.</p>
        </div>
      </details>
      {isFull && <strong>Delete something to free up space.</strong>}
    </div>
  );
}

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
