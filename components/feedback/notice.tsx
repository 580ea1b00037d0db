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

interface LoaderProps {
  size?: "xs" | "sm" | "md";
  className?: string;
  /** Read out, where nothing else says that something is loading. */
  "aria-label"?: string;
}

/** A turning ring. On a button it has the colour of the words. */
export function Loader({ size = "md", className, "aria-label": label }: LoaderProps) {
  const role = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  return <span className={className ? `${styles.loader} ${className}` : styles.loader} data-size={size} {...role} />;
}
