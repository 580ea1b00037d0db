import type { MouseEvent } from "react";
import styles from "../pager.module.css";

interface FolderPagerProps {
  /** The number of the first row, how many rows are shown, and how many there are; null where that was not counted. */
  first: number | null;
  shown: number;
  total: number | null;
  /** Where the pages around this one begin. */
  previous: string | null;
  next: string | null;
  /** The search has not come to the end of the folder. */
  isPartial: boolean;
  hrefOf: (at: string) => string;
  /** Goes there without loading everything anew. */
  onGo: (at: string, event: MouseEvent) => void;
}

/** Which part of a folder this is, and the ways to the parts around it. Nothing where one page has it all. */
export function FolderPager({ first, shown, total, previous, next, isPartial, hrefOf, onGo }: FolderPagerProps) {
  if (previous === null && next === null) return null;
  const ways: { label: string; at: string | null; rel?: string }[] = [
    { label: "First", at: previous === null ? null : "" },
    { label: "Previous", at: previous, rel: "prev" },
    { label: isPartial ? "Search on" : "Next", at: next, rel: "next" },
    { label: "Last", at: next === null || isPartial ? null : "last" },
  ];
  return (
    <nav className={styles.pager} aria-label="Pages of the folder">
      <span role="status">{isPartial ? "The folder is large: a part of it was searched so far." : whereInWords(first, shown, total)}</span>
      {ways.map(
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

function whereInWords(first: number | null, shown: number, total: number | null): string {
  if (first === null) return total === null ? "" : `${total.toLocaleString("en")} in all`;
  const range = `${first.toLocaleString("en")}–${Math.max(first, first + shown - 1).toLocaleString("en")}`;
  return total === null ? range : `${range} of ${total.toLocaleString("en")}`;
}
