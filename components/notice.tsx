import type { ReactNode } from "react";
import styles from "./notice.module.css";

/**
 * A message for eyes and screen readers alike. Keep it on the page even when empty: screen readers announce only
 * changes.
 */
export function Notice({ kind, children }: { kind: "error" | "done"; children: ReactNode }) {
  return (
    <div role={kind === "error" ? "alert" : "status"} className={styles.region}>
      {Boolean(children) && <p className={styles[kind]}>{children}</p>}
    </div>
  );
}
