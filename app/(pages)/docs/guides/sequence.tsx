import styles from "../page.module.css";

const ACTORS = ["Program", "Latchkey", "User"];
const X = [90, 380, 670];

/** The messages from top to bottom: [from, to, words]. */
const MESSAGES: [number, number, string][] = [
  [0, 1, "GET /link/code"],
  [1, 0, '{"code":"KMTRWB"}'],
  [0, 2, "shows the six letters"],
  [0, 1, "GET /link/status?code=KMTRWB"],
  [2, 1, "enters them at /link, confirms"],
  [1, 0, '{"status":"approved"}'],
  [0, 1, "GET /link/user?code=KMTRWB"],
  [1, 0, '{"linked":true,"token":"lk_…"}'],
  [0, 1, "GET /me, with the token"],
];
const TOP = 92;
const STEP = 52;

/** The device link as a sequence: the messages between the program, the service and the person. */
export function Sequence() {
  const bottom = TOP + MESSAGES.length * STEP;
  return (
    <svg
      className={styles.sequence}
      viewBox={`0 0 760 ${bottom + 10}`}
      role="img"
      aria-labelledby="sequence-title"
      fontSize="15"
    >
      <title id="sequence-title">
        The program requests a code, shows it, and asks for its status; the user enters it at /link and confirms; the
        program learns that it was approved, gets the token, then asks who it belongs to.
      </title>
      {ACTORS.map((name, index) => (
        <g key={name}>
          <line x1={X[index]} y1="48" x2={X[index]} y2={bottom} stroke="var(--line-strong)" strokeDasharray="3 5" />
          <rect x={(X[index] ?? 0) - 70} y="8" width="140" height="40" rx="8" fill="var(--door)" />
          <text x={X[index]} y="34" textAnchor="middle" fill="#ecc468" fontWeight="650">
            {name}
          </text>
        </g>
      ))}
      {MESSAGES.map(([from, to, words], index) => {
        const [x1, x2, y] = [X[from] ?? 0, X[to] ?? 0, TOP + index * STEP];
        const tip = x2 > x1 ? -9 : 9;
        return (
          <g key={words} stroke="var(--accent)" fill="none" strokeWidth="1.75">
            <path d={`M${x1} ${y}H${x2}m${tip} -5l${-tip} 5l${tip} 5`} />
            <text
              x={(x1 + x2) / 2}
              y={y - 9}
              textAnchor="middle"
              fill="currentColor"
              stroke="var(--ground)"
              fontFamily="var(--font-code)"
              fontSize="13"
            >
              {words}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
