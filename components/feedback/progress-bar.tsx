import styles from "./progress-bar.module.css";

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
      <div className={styles.done} style={{ width: `${percent}%` }} />
    </div>
  );
}
