"use client";

import { useContext, useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { whyFailed } from "@/components/failures";
import { Actions, Panel } from "@/components/page";
import { type LiveReading, type Rates, ratesBetween } from "@/lib/operator/rates";
import { durationInWords, PROOF_MS } from "@/lib/platform/bounds";
import type { ActionFailure, Outcome } from "../action";
import { ErrorNotice } from "../error-notice";
import { ConfirmIdentityContext } from "../use-action";
import { readLiveNumbers } from "./actions";
import styles from "./overview.module.css";

/**
 * Calls an action at this interval while the page is visible, and passes on its response. Stops when the action is
 * refused, and returns why; `resume` goes on. Null seconds: not at all. Goes on when the service cannot be reached.
 */
export function usePolling<T>(
  seconds: number | null,
  action: () => Promise<Outcome<T>>,
  onResponse: (response: T) => void,
) {
  const [refused, setRefused] = useState<ActionFailure | null>(null);
  const [unreachable, setUnreachable] = useState("");
  const current = useRef({ action, onResponse });
  current.current = { action, onResponse };

  useEffect(() => {
    if (seconds === null || refused) return;
    let isOver = false;
    let isPending = false;
    const poll = async () => {
      if (document.visibilityState !== "visible" || isPending) return;
      isPending = true;
      const response = await current.current.action().catch(whyFailed);
      isPending = false;
      if (isOver) return;
      setUnreachable(typeof response === "string" ? response : "");
      if (typeof response === "string") return;
      if ("error" in response) setRefused(response);
      else current.current.onResponse(response.ok);
    };
    void poll();
    const timer = setInterval(poll, seconds * 1_000);
    document.addEventListener("visibilitychange", poll);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [seconds, refused]);

  return { refused, error: unreachable || (refused?.error ?? ""), resume: () => setRefused(null) };
}

const EVERY_SECONDS = 3;
/** What is shown is of the last half minute. */
const MAX_READINGS = 11;

/** Requests per second and how long they take, as they happen. */
export function Live() {
  const [readings, setReadings] = useState<LiveReading[]>([]);
  const { refused, error, resume } = usePolling(EVERY_SECONDS, readLiveNumbers, (reading) =>
    setReadings((before) => [...before, reading].slice(-MAX_READINGS)),
  );
  const confirmIdentity = useContext(ConfirmIdentityContext);
  const rates = latest(readings);

  async function confirm() {
    if (refused?.proof && (await confirmIdentity(refused.proof))) {
      setReadings([]);
      resume();
    }
  }

  return (
    <Panel title="Now">
      <dl className={styles.figures}>
        <Figure name="Requests per second" value={rates ? perSecond(rates.perSecond) : "–"} />
        <Figure name="Half respond within (p50)" value={rates?.p50 ? duration(rates.p50) : "–"} />
        <Figure name="99% respond within (p99)" value={rates?.p99 ? duration(rates.p99) : "–"} />
      </dl>
      {refused?.proof ? (
        <>
          <p className="small">
            {`Paused: you last confirmed it's you more than ${durationInWords(PROOF_MS / 1_000)} ago.`}
          </p>
          <Actions>
            <Button variant="default" onClick={confirm}>
              Confirm it's you
            </Button>
          </Actions>
        </>
      ) : (
        <>
          <p className="small">{inWords(rates)}</p>
          <ErrorNotice error={error} />
        </>
      )}
    </Panel>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Since the first reading that can be compared with the last one. */
function latest(readings: LiveReading[]): Rates | null {
  const last = readings.at(-1);
  if (!last) return null;
  for (const before of readings.slice(0, -1)) {
    const rates = ratesBetween(before, last);
    if (rates) return rates;
  }
  return null;
}

function inWords(rates: Rates | null): string {
  if (!rates) return "Measuring starts when you open this page. The first numbers appear in a few seconds.";
  if (rates.p50 === null) return "No requests in the last half minute. This page's own don't count.";
  return "The last half minute, across all processes behind this address. This page's own requests don't count.";
}

const perSecond = (rate: number) => rate.toLocaleString("en", { maximumSignificantDigits: rate < 100 ? 2 : 4 });

function duration(seconds: number): string {
  if (seconds >= 1) return `${seconds.toLocaleString("en", { maximumSignificantDigits: 2 })} s`;
  return `${(seconds * 1000).toLocaleString("en", { maximumSignificantDigits: 2 })} ms`;
}
