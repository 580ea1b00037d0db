import styles from "./console.module.css";

interface View {
  href: string;
  words: string;
  /** How much it has. */
  count?: number;
  isShown: boolean;
}

/** Links to the views of the same thing, one of which is shown. */
export function Views({ label, views }: { label: string; views: View[] }) {
  return (
    <nav className={styles.views} aria-label={label}>
      {views.map(({ href, words, count, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          <span>{words}</span>
          {count !== undefined && <span>{` ${count.toLocaleString("en")}`}</span>}
        </a>
      ))}
    </nav>
  );
}
