import Link from "next/link";
import { IconArrowDown, IconArrowUp } from "@/components/icons";
import type { SortColumn } from "@/lib/keys/schema";
import styles from "./sort-head.module.css";

/** For each column of a list: the address that sorts by it, and which way the list is sorted by it now, if it is. */
export type Sorting = Partial<Record<SortColumn, { href: string; sorted?: "ascending" | "descending" }>>;

interface SortHeadProps {
  sorting: Sorting;
  column: SortColumn;
  label: string;
  className?: string;
}

/** The head of a column, with a link that sorts the list by it and, followed again, the other way round. */
export function SortHead({ sorting, column, label, className }: SortHeadProps) {
  const { href = "", sorted } = sorting[column] ?? {};
  return (
    <th className={className} aria-sort={sorted}>
      <Link href={href} replace scroll={false} prefetch={false} className={styles.head}>
        <span>{label}</span>
        {sorted === "ascending" && <IconArrowUp size={14} />}
        {sorted === "descending" && <IconArrowDown size={14} />}
      </Link>
    </th>
  );
}
