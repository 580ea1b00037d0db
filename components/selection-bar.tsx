import type { ReactNode } from "react";
import styles from "./selection-bar.module.css";

/** How many rows of a list are selected, with what can be done to them. It stays in sight while the list scrolls. */
export function SelectionBar({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  return (
    <section className={styles.bar} aria-label={label}>
      <span>{`${count} selected`}</span>
      {children}
    </section>
  );
}
