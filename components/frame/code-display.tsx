import styles from "./code-display.module.css";

/** The plate on the door: six letters as a person sees them. A picture, so screen readers skip it. */
export function CodeDisplay({ code }: { code: string }) {
  return (
    <div className={styles.door} aria-hidden="true">
      <p className={styles.ask}>Your app shows</p>
      <div className={styles.plate} translate="no">
        {[...code].map((character) => (
          <span key={character}>{character}</span>
        ))}
      </div>
      <svg className={styles.lock} viewBox="0 0 120 72" fill="none" aria-hidden="true">
        <path d="M60 0v14" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2 4" />
        <circle cx="60" cy="38" r="21" stroke="currentColor" strokeWidth="1.5" />
        <path d="M60 30a5 5 0 0 1 2.6 9.3L64.5 48h-9l1.9-8.7A5 5 0 0 1 60 30Z" fill="currentColor" />
      </svg>
      <p className={styles.said}>The user confirms them in a browser.</p>
    </div>
  );
}
