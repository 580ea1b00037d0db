import { type ReactNode, useId } from "react";
import form from "../controls/form.module.css";
import styles from "./panel.module.css";

/** A section of a page with its own heading. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Buttons side by side; they wrap if there is no room. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A page with a single message, and the next links as children. */
export function MessagePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={form.page}>
      <h1>{title}</h1>
      <p className={form.lead}>{text}</p>
      {children}
    </div>
  );
}
