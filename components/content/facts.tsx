import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** What is known of something, side by side. With `even`, in columns. */
export function Facts({ even = false, children }: { even?: boolean; children: ReactNode }) {
  return <dl className={even ? `${styles.facts} ${styles.even}` : styles.facts}>{children}</dl>;
}

/** One of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
