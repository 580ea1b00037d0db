import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { IconArrowDown, IconArrowUp, IconX } from "@/components/frame/icons";
import type { SortColumn } from "@/lib/keys/schema";
import { IconButton } from "../controls/button";
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
