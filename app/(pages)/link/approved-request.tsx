import { IconCheck } from "@tabler/icons-react";
import form from "@/components/form.module.css";
import { CodePlate } from "@/components/link/code-plate";
import { Countdown } from "@/components/link/countdown";
import { placeOf } from "@/components/link/place";
import { Since } from "@/components/link/since";
import type { LinkedProgram } from "@/lib/link/programs";
import type { LinkRequest } from "@/lib/link/view";
import { CodeForm } from "./code-form";
import { EnterAnother } from "./enter-another";
import { LiveRefresh } from "./live-refresh";
import styles from "./page.module.css";
import { TakeAccessAway } from "./take-access-away";

interface Props {
  letters: string;
  username: string;
  request: LinkRequest;
  /** All programs that use the same token. */
  programs: LinkedProgram[];
}

/** After linking: whether the program has collected the token, and the way to take it back. */
export function ApprovedRequest({ letters, username, request, programs }: Props) {
  const { collected } = request;
  return (
    <div className={styles.page}>
      <h1>{collected ? "Your program is linked" : "Go back to your program"}</h1>
      <div className={styles.card}>
        <div className={styles.compare}>
          <CodePlate letters={letters} isDone={collected !== null} />
        </div>
        <div role="status" className={styles.status}>
          {collected ? (
            <p className={styles.done}>
              <IconCheck size={20} aria-hidden /> The program has collected your token.
            </p>
          ) : (
            <p className={styles.waiting}>
              <span className={styles.pulse} aria-hidden="true" /> Waiting for the program to collect your token.
            </p>
          )}
        </div>
        {collected ? (
          <p className={collected.isYours === false ? styles.warning : form.lead}>
            <Since seconds={collected.secondsSince} />
            {placeOf(collected, request.program)}. It acts as <strong>{username}</strong> from now on.
          </p>
        ) : (
          <>
            <p className={form.lead}>
              It may want a click first. There is <Countdown seconds={request.secondsLeft} /> left.
            </p>
            <LiveRefresh seconds={2} />
          </>
        )}
        <TakeAccessAway programs={programs} isCollected={collected !== null} />
      </div>
      {collected ? (
        <section className={styles.head} aria-labelledby="another">
          <h2 id="another">Link another program</h2>
          <CodeForm entry="" error="" />
        </section>
      ) : (
        <EnterAnother>Link another program</EnterAnother>
      )}
    </div>
  );
}
