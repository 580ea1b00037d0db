import type { ReactNode } from "react";
import styles from "./feedback.module.css";

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

/** Progress from 0 to 1. `label` says of what. */
export function ProgressBar({
  label,
  done,
  state = "running",
}: {
  label: string;
  done: number;
  state?: "running" | "failed" | "full";
}) {
  const percent = Math.round(Math.min(1, Math.max(0, done)) * 100);
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-state={state}
    >
      <div className={styles.progress} style={{ width: `${percent}%` }} />
    </div>
  );
}
