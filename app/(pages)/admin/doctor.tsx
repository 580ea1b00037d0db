"use client";

import { useState } from "react";
import { Button } from "@/components/buttons";
import { Actions, Panel } from "@/components/page";
import { RelativeTime, When } from "@/components/time";
import type { ExaminationState } from "@/lib/operator/doctor/examination";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { examineService, readExamination } from "./actions";
import styles from "./console.module.css";
import { usePolling } from "./live";

interface Finding {
  problem: string;
  advice: string;
}

/** What is wrong, each with what to do about it. */
export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul className={styles.findings}>
      {findings.map(({ problem, advice }) => (
        <li key={problem}>
          <strong>{problem}</strong>
          <p>{advice}</p>
        </li>
      ))}
    </ul>
  );
}

const EVERY_SECONDS = 2;

/** What the doctor found when somebody last asked it, and the button that asks it again. */
export function Doctor({ last }: { last: ExaminationState | null }) {
  const [examination, setExamination] = useState(last);
  const { run, busy, error } = useAction();
  const isRunning = examination?.state === "running";
  const polling = usePolling(isRunning ? EVERY_SECONDS : null, readExamination, setExamination);

  async function begin() {
    const begun = await run(examineService);
    if (begun) setExamination(begun.ok);
  }

  return (
    <Panel title="Doctor">
      <p role="status">{examination ? <InWords {...examination} /> : "This service hasn't been examined yet."}</p>
      {examination && examination.findings.length > 0 && <Findings findings={examination.findings} />}
      <Actions>
        <Button variant="default" onClick={begin} loading={busy || isRunning}>
          Examine now
        </Button>
      </Actions>
      <p className="small">
        Reads everything that is stored and changes nothing. On a large service, this takes a few minutes.
      </p>
      <ErrorNotice error={error || polling.error} />
    </Panel>
  );
}

function InWords({ state, startedAt, at, findings }: ExaminationState) {
  const problems = `${findings.length} ${findings.length === 1 ? "problem" : "problems"}`;
  if (state === "running") return findings.length > 0 ? `Examining. So far: ${problems}.` : "Examining…";
  if (state === "interrupted")
    return (
      <span>
        The examination of <When at={startedAt} precise /> stopped before it was complete. Found so far:{" "}
        <span>{problems}</span>.
      </span>
    );
  return (
    <span>
      <span>{findings.length > 0 ? `${problems}, ` : "No problems found, "}</span>as of <RelativeTime at={at} precise />
      .
    </span>
  );
}
