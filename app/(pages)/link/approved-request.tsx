import { IconCheck } from "@tabler/icons-react";
import form from "@/components/form.module.css";
import { CodePlate } from "@/components/link/code-plate";
import { Countdown } from "@/components/link/countdown";
import { Onlookers } from "@/components/link/onlookers";
import { placeOf } from "@/components/link/place";
import { Since } from "@/components/link/since";
import type { LinkedProgram } from "@/lib/link/programs";
import type { LinkRequest } from "@/lib/link/view";
import { CodeForm } from "./code-form";
import { EnterAnother } from "./enter-another";
import { LiveRefresh } from "./live-refresh";
import styles from "./page.module.css";
import { TakeAccessAway } from "./take-access-away";
import { WantingPrograms } from "./wanting-programs";

interface Props {
  letters: string;
  username: string;
  request: LinkRequest;
  /** Binds an answer to this request and session. */
  ticket: string;
  /** All programs that use the same token. */
  programs: LinkedProgram[];
}

/** After linking: whether the program has collected the token, and the way to take it back. */
export function ApprovedRequest({ letters, username, request, ticket, programs }: Props) {
  const { collected, onlookers } = request;
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
            {placeOf(collected, collected.program)}. It acts as <strong>{username}</strong> from now on.
            {collected.repeats > 0 && ` It has asked again ${timesWords(collected.repeats)}, as a program does that has missed the answer.`}
          </p>
        ) : (
          <>
            <p className={form.lead}>
              It may want a click first. There is <Countdown seconds={request.secondsLeft} /> left.
            </p>
            {onlookers && onlookers.wanting.length > 0 && <WantingPrograms wanting={onlookers.wanting} ticket={ticket} />}
            <LiveRefresh seconds={2} />
          </>
        )}
        {collected && collected.secondsSince < 15 && <LiveRefresh seconds={5} />}
        {onlookers && <Onlookers onlookers={onlookers} />}
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

const timesWords = (count: number) => (count === 1 ? "once" : `${count} times`);
