import { When } from "../when";
import styles from "./lost-keys.module.css";

interface Lost {
  creator: string;
  keys: number;
  at: Date;
}

/** Tells a holder which keys were lost because their creators deleted their accounts. Nothing if there are none. */
export function LostKeys({ lost }: { lost: Lost[] }) {
  if (lost.length === 0) return null;
  return (
    <ul className={styles.lost} aria-label="Deleted keys">
      {lost.map(({ creator, keys, at }) => (
        <li key={`${creator} ${at.getTime()}`}>
          <strong translate="no">{creator}</strong> deleted their account on <When at={at} />, and with it{" "}
          <span>{keys === 1 ? "a key you held" : `${keys.toLocaleString("en")} keys you held`}</span>.
        </li>
      ))}
    </ul>
  );
}
