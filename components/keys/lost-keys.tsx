import { When } from "../when";
import styles from "./lost-keys.module.css";

interface Lost {
  creator: string;
  keys: number;
  at: Date;
}

/** Tells a holder which keys are gone because their makers deleted their accounts. Nothing where there are none. */
export function LostKeys({ lost }: { lost: Lost[] }) {
  if (lost.length === 0) return null;
  return (
    <ul className={styles.lost} aria-label="Keys that are gone">
      {lost.map(({ creator, keys, at }) => (
        <li key={`${creator} ${at.getTime()}`}>
          <strong>{creator}</strong> deleted the account on <When at={at} />, and with it{" "}
          {keys === 1 ? "a key that you held" : `${keys.toLocaleString("en")} keys that you held`}.
        </li>
      ))}
    </ul>
  );
}
