import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import type { SortColumn } from "@/lib/keys/order";
import { IconButton } from "./buttons";
import { Checkbox } from "./checkbox";
import { IconArrowDown, IconArrowUp, IconX } from "./icons";
import styles from "./table.module.css";

/** The browser's own table, as wide as what it is in, with a line below each row but the last. */
export function DataTable({ className, ...others }: ComponentProps<"table">) {
  return <table {...others} className={className ? `${styles.dataTable} ${className}` : styles.dataTable} />;
}

/** For each column of a list: the address that sorts by it, and which way the list is sorted by it now, if it is. */
export type Sorting<Column extends string = SortColumn> = Partial<
  Record<Column, { href: string; sorted?: "ascending" | "descending" }>
>;

interface SortHeadProps<Column extends string> {
  sorting: Sorting<Column>;
  column: Column;
  label: string;
  className?: string;
}

/** The head of a column, with a link, if it has one, that sorts the list by it and, followed again, the other way. */
export function SortHead<Column extends string>({ sorting, column, label, className }: SortHeadProps<Column>) {
  const { href, sorted } = sorting[column] ?? {};
  return (
    <th className={className} aria-sort={sorted}>
      {href === undefined ? (
        label
      ) : (
        <Link href={href} replace scroll={false} prefetch={false} className={styles.head}>
          <span>{label}</span>
          {sorted === "ascending" && <IconArrowUp size={14} />}
          {sorted === "descending" && <IconArrowDown size={14} />}
        </Link>
      )}
    </th>
  );
}

interface SelectAllProps {
  ids: string[];
  /** Those of the selected rows. */
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

/** Selects or clears all rows of a page. */
export function SelectAll({ ids, chosen, onChoose }: SelectAllProps) {
  const all = chosen.length === ids.length;
  return (
    <Checkbox
      aria-label="Select all on this page"
      checked={all}
      // Only a script can make it so.
      ref={(box) => {
        if (box) box.indeterminate = !all && chosen.length > 0;
      }}
      onChange={() => onChoose(all ? [] : ids)}
    />
  );
}

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  /** What can be done to the selected rows. */
  children: ReactNode;
}

/**
 * How many rows of a list are selected, with what can be done to them. It stays in sight while the list scrolls. Escape
 * clears the selection, too.
 */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label="Selection"
      onKeyDown={({ key }) => key === "Escape" && onClear()}
    >
      <span role="status">{`${count.toLocaleString("en")} selected`}</span>
      <IconButton aria-label="Clear selection" title="Clear selection" onClick={onClear}>
        <IconX size={16} />
      </IconButton>
      {children}
    </div>
  );
}

interface PagerProps {
  /** The contents of the list, as in "Pages of keys". */
  of: string;
  page: number;
  size: number;
  total: number;
  hrefOf: (page: number) => string;
}

/** Shows which part of a list this is, with links to the adjacent parts. Nothing if one page has it all. */
export function Pager({ of, page, size, total, hrefOf }: PagerProps) {
  if (total <= size) return null;
  const first = (page - 1) * size + 1;
  const last = Math.min(page * size, total);
  return (
    <nav className={styles.pager} aria-label={`Pages of ${of}`}>
      <span className="figures">{`${inWords(first)}–${inWords(last)} of ${inWords(total)}`}</span>
      {page > 1 && (
        <a href={hrefOf(page - 1)} rel="prev">
          Previous
        </a>
      )}
      {last < total && (
        <a href={hrefOf(page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}

const inWords = (count: number) => count.toLocaleString("en");

interface PageLink {
  href: string;
  words: string;
}

interface PageLinksProps {
  /** The contents of the list, as in "Pages of keys". */
  of: string;
  /** Where the list begins; not on its first page. */
  first: PageLink | false;
  /** Where it continues; not on its last page. */
  next: PageLink | false;
}

/** Links between the pages of a list that is read from its beginning. Nothing if one page has it all. */
export function PageLinks({ of, first, next }: PageLinksProps) {
  if (!first && !next) return null;
  return (
    <nav className={styles.pager} aria-label={`Pages of ${of}`}>
      {first && <a href={first.href}>{first.words}</a>}
      {next && (
        <a href={next.href} rel="next">
          {next.words}
        </a>
      )}
    </nav>
  );
}

/** The id before which a page of a list ends, as its address has it. Undefined for the first page. */
export function idBefore(parameter: string | string[] | undefined): number | undefined {
  return typeof parameter === "string" && /^[1-9]\d{0,14}$/.test(parameter) ? Number(parameter) : undefined;
}
