import Link from "next/link";
import type { ReactNode } from "react";
import type { SortColumn } from "@/lib/keys/order";
import { IconButton } from "./buttons";
import { Checkbox } from "./checkbox";
import { IconArrowDown, IconArrowUp, IconX } from "./icons";
import styles from "./table.module.css";

/** For each column of a list: the address that sorts by it, and which way the list is sorted by it now, if it is. */
export type Sorting<Name extends string = SortColumn> = Partial<
  Record<Name, { href: string; sorted?: "ascending" | "descending" }>
>;

type Look = "number" | "wide" | "person" | "ends" | "claimed" | "action";

/** A column of a table: its head, if it has one, and what it shows of a row. */
interface Column<Row> {
  head?: string;
  /** How it looks; "wide": not on a phone. */
  looks?: Look | `${Look} ${Look}`;
  className?: string;
  /** Its cells name their rows. */
  isName?: boolean;
  /** Each cell has the head beside it where the rows are cards. */
  isLabelled?: boolean;
  cell: (row: Row) => ReactNode;
}

/** Which rows are selected, by their keys. */
interface Selection<Row> {
  chosen: string[];
  onChoose: (keys: string[]) => void;
  /** What a row is called, if none of its cells names it. */
  nameOf?: (row: Row) => string;
}

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** By their names, which `sorting` has, too. */
  columns: Record<string, Column<Row>>;
  className?: string;
  rowClass?: (row: Row) => string | undefined;
  sorting?: Sorting<string>;
  selection?: Selection<Row>;
}

/** A list as a table: a row for each, with a line below each but the last. It can be sorted, and rows selected. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, className, rowClass, sorting, selection } = props;
  const columns = Object.entries(props.columns);
  return (
    <table className={className ? `${styles.table} ${className}` : styles.table} aria-label={label}>
      {columns.some(([, { head }]) => head !== undefined) && (
        <thead>
          <tr>
            {selection && (
              <th className={styles.action}>
                <SelectAll keys={rows.map((row) => String(keyOf(row)))} {...selection} />
              </th>
            )}
            {columns.map(([name, { head, ...column }]) =>
              head === undefined ? (
                <td key={name} className={classOf(column)} />
              ) : (
                <th key={name} className={classOf(column)} aria-sort={sorting?.[name]?.sorted}>
                  <Head {...sorting?.[name]}>{head}</Head>
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => {
          const key = String(keyOf(row));
          const isChosen = selection?.chosen.includes(key);
          return (
            <tr key={key} className={isChosen ? styles.selected : rowClass?.(row)}>
              {selection && (
                <td className={styles.action}>
                  <SelectRow id={key} name={selection.nameOf?.(row)} {...selection} />
                </td>
              )}
              {columns.map(([name, { head, isName, isLabelled, cell, ...column }]) =>
                isName ? (
                  <th key={name} scope="row" className={classOf(column)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={classOf(column)} data-label={isLabelled ? head : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function classOf({ looks, className }: Pick<Column<never>, "looks" | "className">): string | undefined {
  const own = looks?.split(" ").map((look) => styles[look]) ?? [];
  return [...own, className].filter(Boolean).join(" ") || undefined;
}

/** The head of a column, with a link, if it has one, that sorts the list by it and, followed again, the other way. */
function Head({ href, sorted, children }: Partial<Sorting<string>[string]> & { children: string }) {
  if (href === undefined) return children;
  return (
    <Link href={href} replace scroll={false} prefetch={false} className={styles.head}>
      <span>{children}</span>
      {sorted === "ascending" && <IconArrowUp size={14} />}
      {sorted === "descending" && <IconArrowDown size={14} />}
    </Link>
  );
}

type Chosen = Pick<Selection<never>, "chosen" | "onChoose">;

/** Selects or clears all rows of a page. */
function SelectAll({ keys, chosen, onChoose }: Chosen & { keys: string[] }) {
  const all = chosen.length === keys.length;
  return (
    <Checkbox
      aria-label="Select all on this page"
      checked={all}
      // Only a script can make it so.
      ref={(box) => {
        if (box) box.indeterminate = !all && chosen.length > 0;
      }}
      onChange={() => onChoose(all ? [] : keys)}
    />
  );
}

/** Selects or clears one row. */
function SelectRow({ id, name, chosen, onChoose }: Chosen & { id: string; name?: string }) {
  const isChosen = chosen.includes(id);
  return (
    <Checkbox
      aria-label={name === undefined ? "Select" : `Select ${name}`}
      checked={isChosen}
      onChange={() => onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
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

interface ViewsProps {
  label: string;
  views: {
    href: string;
    words: string;
    /** How much it has. */
    count?: number;
    isShown: boolean;
  }[];
  /** They are what the page is about. */
  isLarge?: boolean;
}

/** Links to the views of the same thing, one of which is shown. */
export function Views({ label, views, isLarge = false }: ViewsProps) {
  return (
    <nav className={isLarge ? `${styles.views} ${styles.large}` : styles.views} aria-label={label}>
      {views.map(({ href, words, count, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          <span>{words}</span>
          {count !== undefined && <span>{` ${inWords(count)}`}</span>}
        </a>
      ))}
    </nav>
  );
}
