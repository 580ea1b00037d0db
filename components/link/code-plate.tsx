import styles from "./code-plate.module.css";

/** The six letters, large, to compare with what the program shows. Screen readers spell it out. */
export function CodePlate({ letters, isDone = false }: { letters: string; isDone?: boolean }) {
  return (
    <div
      className={styles.plate}
      data-done={isDone || undefined}
      role="img"
      translate="no"
      aria-label={`The letters ${[...letters].join(" ")}`}
    >
      {letters}
    </div>
  );
}
