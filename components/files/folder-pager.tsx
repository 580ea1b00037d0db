import type { MouseEvent } from "react";
import styles from "../pager.module.css";

interface FolderPagerProps {
  /** The number of the first row, the number of rows shown, and of all rows; null if not counted. */
  first: number | null;
  shown: number;
  total: number | null;
  /** The cursors of the previous and next page. */
  previous: string | null;
  next: string | null;
  /** The search has not reached the end of the folder. */
  isPartial: boolean;
  hrefOf: (at: string) => string;
  /** Navigates without reloading everything. */
  onGo: (at: string, event: MouseEvent) => void;
}

/** Shows which part of a folder this is, with links to the adjacent parts. Nothing if one page has it all. */
export function FolderPager({ first, shown, total, previous, next, isPartial, hrefOf, onGo }: FolderPagerProps) {
  if (previous === null && next === null) return null;
  const ways: { label: string; at: string | null; rel?: string }[] = [
    { label: "First", at: previous === null ? null : "" },
    { label: "Previous", at: previous, rel: "prev" },
    { label: isPartial ? "Keep searching" : "Next", at: next, rel: "next" },
    { label: "Last", at: next === null || isPartial ? null : "last" },
  ];
  return (
    <nav className={styles.pager} aria-label="Pages of the folder">
      <span role="status">
        {isPartial
          ? "This is a large folder. Only part of it has been searched so far."
          : whereInWords(first, shown, total)}
      </span>
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
  if (first === null) return total === null ? "" : `${total.toLocaleString("en")} in total`;
  const range = `${first.toLocaleString("en")}–${Math.max(first, first + shown - 1).toLocaleString("en")}`;
  return total === null ? range : `${range} of ${total.toLocaleString("en")}`;
}
