"use client";

import { useContext, useState } from "react";
import { Button } from "@/components/button";
import { Actions, Panel } from "@/components/panel";
import { type LiveReading, type Rates, ratesBetween } from "@/lib/operator/rates";
import { durationInWords, PROOF_MS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { AskIdentityContext } from "../identity/use-confirmed";
import styles from "./overview.module.css";
import { readLiveNumbers } from "./overview-actions";
import { usePolling } from "./use-polling";

const EVERY_SECONDS = 3;
/** What is shown is of the last half minute. */
const MOST_READINGS = 11;

/** Requests per second and how long they take, as they happen. */
export function Live() {
  const [readings, setReadings] = useState<LiveReading[]>([]);
  const { refused, error, resume } = usePolling(EVERY_SECONDS, readLiveNumbers, (reading) =>
    setReadings((before) => [...before, reading].slice(-MOST_READINGS)),
  );
  const ask = useContext(AskIdentityContext);
  const rates = latest(readings);

  async function confirm() {
    if (refused?.proof && (await ask(refused.proof))) {
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
          <p className={styles.soft}>
            {`Paused, because you confirmed more than ${durationInWords(PROOF_MS / 1_000)} ago who you are.`}
          </p>
          <Actions>
            <Button variant="default" onClick={confirm}>
              Confirm it's you
            </Button>
          </Actions>
        </>
      ) : (
        <>
          <p className={styles.soft}>{inWords(rates)}</p>
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
  if (!rates) return "Measuring begins when this page is opened: the first numbers come in a few seconds.";
  if (rates.p50 === null) return "No request in the last half minute. This page's own do not count.";
  return "The last half minute of all processes behind this address, without this page's own requests.";
}

const perSecond = (rate: number) => rate.toLocaleString("en", { maximumSignificantDigits: rate < 100 ? 2 : 4 });

function duration(seconds: number): string {
  if (seconds >= 1) return `${seconds.toLocaleString("en", { maximumSignificantDigits: 2 })} s`;
  return `${(seconds * 1000).toLocaleString("en", { maximumSignificantDigits: 2 })} ms`;
}
