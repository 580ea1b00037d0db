import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** What happened, said to eyes and screen readers alike. Keep it on the page while it has nothing to say: only a change is read out. */
export function Notice({ kind, children }: { kind: "error" | "done"; children: ReactNode }) {
  return (
    <div role={kind === "error" ? "alert" : "status"} className={styles.region}>
      {Boolean(children) && <p className={styles[kind]}>{children}</p>}
    </div>
  );
}
