import type { LinkedProgram } from "@/lib/link/program";
import { RelativeTime } from "../relative-time";
import styles from "./program-list.module.css";
import { networkName } from "./whereabouts";

/** Further programs are shown on request. */
const SHOWN = 5;
const MOST_LISTED = 200;

/**
 * Programs that can act for a user, latest first: the name of each, its network, since when, and whether it has
 * collected the token.
 */
export function ProgramList({ programs }: { programs: LinkedProgram[] }) {
  const more = programs.slice(SHOWN, MOST_LISTED);
  return (
    <div className={styles.list}>
      <Programs programs={programs.slice(0, SHOWN)} />
      {more.length > 0 && (
        <details>
          <summary>{`${more.length.toLocaleString("en")} more`}</summary>
          <Programs programs={more} />
          {programs.length > MOST_LISTED && <p>{`Only the latest ${MOST_LISTED} are listed.`}</p>}
        </details>
      )}
    </div>
  );
}

function Programs({ programs }: { programs: LinkedProgram[] }) {
  return (
    <ul className={styles.programs}>
      {programs.map(({ id, program, network, linkedAt, collected }) => (
        <li key={id}>
          <strong translate={program ? "no" : undefined}>{program || "Unnamed program"}</strong>, from{" "}
          <span translate="no">{networkName(network)}</span>, linked <RelativeTime at={new Date(linkedAt)} precise />
          {!collected && <span>, not collected yet</span>}
        </li>
      ))}
    </ul>
  );
}
