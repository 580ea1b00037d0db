import { APPROVE_WITHIN_SECONDS, ASK_AGAIN_WITHIN_SECONDS, COLLECT_WITHIN_SECONDS } from "@/lib/link/states";
import { durationInWords } from "@/lib/platform/bounds";
import styles from "./page.module.css";

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
          {durationInWords(ASK_AGAIN_WITHIN_SECONDS)} the same program can even collect the token again, in case the
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
