import { headers } from "next/headers";
import type { ReactNode } from "react";
import { LANGUAGES } from "@/lib/api/samples";
import { APPROVE_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS, REPEAT_WITHIN_SECONDS } from "@/lib/link/states";
import { durationInWords } from "@/lib/platform/bounds";
import { Contents } from "./contents";
import { type DocsPath, GUIDES, type Guide, indexGroups, REFERENCE } from "./index-entries";
import styles from "./page.module.css";

/** Before the page is drawn, so that nothing moves: the language of samples that the reader selected last time. */
const RECALL = `try {
  const kept = localStorage.getItem("samples");
  if (${JSON.stringify(LANGUAGES.map(({ id }) => id))}.includes(kept)) document.documentElement.dataset.samples = kept;
} catch {}`;

/** Belongs before the first sample. */
async function RecallLanguage() {
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {RECALL}
    </script>
  );
}

/** The title of a page. */
export function titleOf(path: DocsPath): string {
  const { name, title }: Guide = GUIDES.find(({ href }) => href === path) ?? REFERENCE;
  return title ?? name;
}

/** A page of the documentation, under the title that the index knows, and beside the index. */
export function DocsPage({ path, children }: { path: DocsPath; children: ReactNode }) {
  return (
    <div className={styles.docs}>
      <RecallLanguage />
      <Contents current={path} groups={indexGroups} />
      <div className={styles.page}>
        <h1>{titleOf(path)}</h1>
        {children}
      </div>
    </div>
  );
}

/** What a program that links must expect, whatever kind of program it is. */
export function LinkTroubles() {
  return (
    <>
      <h2>When something goes wrong</h2>
      <ul className={styles.steps}>
        <li>
          <strong>429</strong>: wait for the number of seconds in <code>Retry-After</code>, then continue with the same
          code.
        </li>
        <li>
          <strong>No response</strong>: try again. Repeating a check is safe. For{" "}
          {durationInWords(REPEAT_WITHIN_SECONDS)} the same program can even collect the token again, in case the
          response was lost.
        </li>
        <li>
          <strong>The user denies</strong>: the status is <code>denied</code>. Stop, and say so. Only your program
          learns that: everyone else gets <code>unknown</code>, so that nobody can find out which codes exist.
        </li>
        <li>
          <strong>The code has expired</strong> after {durationInWords(APPROVE_WITHIN_SECONDS)}: the status is{" "}
          <code>expired</code>. Request a new one and show it instead. Once the user approves, your program has{" "}
          {durationInWords(COLLECT_WITHIN_SECONDS)} to collect the token.
        </li>
        <li>
          <strong>401 later on</strong>: the user has revoked access. Discard the token and link again.
        </li>
      </ul>
    </>
  );
}

const ACTORS = ["Program", "Latchkey", "User"];
const X = [90, 380, 670];

/** The messages from top to bottom: [from, to, words]. */
const MESSAGES: [number, number, string][] = [
  [0, 1, "GET /link/code?access=identity"],
  [1, 0, '{"code":"KMTRWB"}'],
  [0, 2, "shows the six letters"],
  [0, 1, "GET /link/status?code=KMTRWB"],
  [2, 1, "enters them at /link, confirms"],
  [1, 0, '{"status":"linked"}'],
  [0, 1, "GET /link/user?code=KMTRWB"],
  [1, 0, '{"linked":true,"token":"lkt_…"}'],
  [0, 1, "GET /me, with the token"],
];
const TOP = 92;
const STEP = 52;

/** The device link as a sequence: the messages between the program, the service and the person. */
export function Sequence() {
  const bottom = TOP + MESSAGES.length * STEP;
  return (
    <>
      <ol className={styles.messages}>
        {MESSAGES.map(([from, to, words]) => (
          <li key={words}>
            <p className="small">{`${ACTORS[from]} to ${ACTORS[to]}`}</p>
            <code translate="no">{words}</code>
          </li>
        ))}
      </ol>
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
    </>
  );
}
