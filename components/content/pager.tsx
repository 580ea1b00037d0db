import type { MouseEvent } from "react";
import styles from "./pager.module.css";

interface PagerProps {
  /** The contents of the list, as in "Pages of keys". */
  of: string;
  page: number;
  size: number;
  total: number;
  hrefOf: (page: number) => string;
  /** Navigates without reloading everything. */
  onGo?: (page: number, event: MouseEvent) => void;
}

/** Shows which part of a list this is, with links to the adjacent parts. Nothing if one page has it all. */
export function Pager({ of, page, size, total, hrefOf, onGo }: PagerProps) {
  if (total <= size) return null;
  const first = (page - 1) * size + 1;
  const last = Math.min(page * size, total);
  return (
    <nav className={styles.pager} aria-label={`Pages of ${of}`}>
      <span className="figures">{`${inWords(first)}–${inWords(last)} of ${inWords(total)}`}</span>
      {page > 1 && (
        <a href={hrefOf(page - 1)} rel="prev" onClick={onGo && ((event) => onGo(page - 1, event))}>
          Previous
        </a>
      )}
      {last < total && (
        <a href={hrefOf(page + 1)} rel="next" onClick={onGo && ((event) => onGo(page + 1, event))}>
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
