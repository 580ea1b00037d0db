import type { ReactNode } from "react";
import styles from "./code-display.module.css";

/** Between the turns of two letters. */
const TURN_MS = 70;

/** The brass plate with the letters of a code, which turn over as they arrive. Screen readers spell them out. */
export function Plate({ code, isSmall = false }: { code: string; isSmall?: boolean }) {
  return (
    <div
      className={styles.plate}
      data-small={isSmall || undefined}
      role="img"
      translate="no"
      aria-label={`The letters ${[...code].join(" ")}`}
    >
      {[...code].map((letter, position) => (
        // Another letter is another tile, which turns over.
        <span key={code.slice(0, position + 1)} style={{ animationDelay: `${position * TURN_MS}ms` }}>
          {letter}
        </span>
      ))}
    </div>
  );
}

/** The door that a code opens. What is written on it is `children`. */
export function Door({ children }: { children: ReactNode }) {
  return <div className={styles.door}>{children}</div>;
}

/** The lock of the door with its latchkey, which turns if `isTurned`. A picture beside words. */
export function Lock({ isTurned = false, size = 72 }: { isTurned?: boolean; size?: number }) {
  return (
    <svg className={styles.lock} data-turned={isTurned || undefined} {...square(size)} aria-hidden="true">
      <path className={styles.bolt} d="M48 25h14v14H48z" />
      <circle className={styles.brass} cx="30" cy="32" r="26" />
      <g className={styles.key}>
        <circle className={styles.plug} cx="30" cy="32" r="18" />
        <path className={styles.bow} d="M30 46V31m0 0a7.5 7.5 0 1 1 .01 0M30 40h5M30 45h5" />
      </g>
    </svg>
  );
}

const square = (size: number) => ({ width: size, height: size, viewBox: "0 0 64 64" });

const PICTURES = {
  door: () => (
    <>
      <path className={styles.leaf} d="M14 58V26a18 18 0 0 1 36 0v32z" />
      <path className={styles.inset} d="M19.5 53V26.5a12.5 12.5 0 0 1 25 0V53z" />
      <rect className={styles.brass} x="23" y="28" width="18" height="7" rx="1.5" />
      <circle className={styles.brass} cx="40" cy="44" r="2" />
      <path className={styles.ground} d="M6 58h52" />
    </>
  ),
  plate: () => (
    <>
      <rect className={styles.brass} x="3" y="21" width="58" height="22" rx="4" />
      <path className={styles.tiles} d="M11 27v10m8.4-10v10m8.4-10v10m8.4-10v10m8.4-10v10M53 27v10" />
    </>
  ),
  key: () => (
    <>
      <circle className={styles.latchkey} cx="20" cy="32" r="10" />
      <path className={styles.latchkey} d="M30 32h27v8M47 32v6" />
    </>
  ),
};

/** The door, its plate or its latchkey, for a page that has nothing else to show. */
export function Picture({ of }: { of: keyof typeof PICTURES }) {
  return (
    <svg className={styles.picture} {...square(72)} aria-hidden="true">
      {PICTURES[of]()}
    </svg>
  );
}
