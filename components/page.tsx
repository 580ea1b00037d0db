import { type ComponentProps, type ReactNode, useId } from "react";
import { Picture } from "./code-display";
import styles from "./page.module.css";

/** A section of a page with its own heading. `id`: what links lead to. */
export function Panel({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section id={id} className={styles.panel} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

/** Buttons side by side; they wrap if there is no room. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface EmptyStateProps {
  picture?: ComponentProps<typeof Picture>["of"];
  title: string;
  children?: ReactNode;
}

/** What a list has instead of rows: a picture of the house, what is missing, and what to do, as children. */
export function EmptyState({ picture = "door", title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Picture of={picture} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A page with a single message, and the next links as children. */
export function MessagePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <p className="soft">{text}</p>
      {children}
    </div>
  );
}
