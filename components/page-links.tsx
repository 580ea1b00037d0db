import styles from "./pager.module.css";

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
