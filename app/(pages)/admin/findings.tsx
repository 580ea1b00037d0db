import styles from "./console.module.css";

interface Finding {
  problem: string;
  advice: string;
}

/** What is wrong, each with what to do about it. */
export function Findings({ found }: { found: Finding[] }) {
  return (
    <ul className={styles.findings}>
      {found.map(({ problem, advice }) => (
        <li key={problem}>
          <strong>{problem}</strong>
          <p>{advice}</p>
        </li>
      ))}
    </ul>
  );
}
