"use client";

import { Button } from "@/components/buttons";
import { Form } from "@/components/form";
import { SteadyButton } from "@/components/steady-button";
import { networkName, webPageName } from "@/components/words";
import type { PendingProgram } from "@/lib/link/view";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { decideOtherProgram } from "./actions";
import styles from "./page.module.css";

interface Props {
  programs: PendingProgram[];
  /** Binds the decision to this request and session. */
  ticket: string;
}

/** Asks about each program that polls for the token and did not prove to be the one that was linked. */
export function PendingPrograms({ programs, ticket }: Props) {
  const { run, busy, error } = useAction();
  return (
    <>
      {/* If one comes or goes, all are new: nobody presses one that moves to another's place. */}
      <div key={programs.map(nameOf).join()} role="alert" className={styles.pending}>
        {programs.map((program) => (
          <Form
            key={nameOf(program)}
            onSubmit={(fields) => run(decideOtherProgram, fields)}
            className={styles.question}
          >
            <p>
              <strong>{question(program)}</strong>
            </p>
            <p className="small">
              <span>{program.program ? `It calls itself ${program.program}` : "It doesn't give a name"}</span> and is
              asking from <span translate="no">{networkName(program.network)}</span>.
              {program.isAllowed && <span> You have allowed it. It gets the token when it asks again.</span>}
            </p>
            <input type="hidden" name="ticket" value={ticket} />
            <input type="hidden" name="network" value={program.network} />
            <input type="hidden" name="webPage" value={program.webPage} />
            <div className={styles.decision}>
              {!program.isAllowed && (
                <SteadyButton type="submit" name="answer" value="allow" disabled={busy} className={styles.equal}>
                  Allow
                </SteadyButton>
              )}
              <Button
                type="submit"
                name="answer"
                value="disallow"
                variant="default"
                disabled={busy}
                className={styles.equal}
              >
                Don't allow
              </Button>
            </div>
          </Form>
        ))}
      </div>
      <ErrorNotice error={error} />
    </>
  );
}

const nameOf = ({ network, webPage }: PendingProgram) => `${network} ${webPage}`;

function question({ webPage, isYours }: PendingProgram): string {
  if (webPage !== "")
    return `${webPageName(webPage)} wants your token. Allow it only if you are using that page right now.`;
  if (isYours === undefined) return "A program wants your token. Allow it only if it is the one you have just linked.";
  if (isYours)
    return "A program on your network wants your token. Allow it only if it is the one you have just linked.";
  return "A program on another network wants your token. Allow it only if your program has just changed networks.";
}
