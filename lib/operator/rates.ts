/** What a service has answered since it began to measure. */
export interface LiveReading {
  /** The service that answered: a reading of another one cannot be compared. */
  source: string;
  /** Unix ms. */
  at: number;
  /** How many requests were answered within `seconds`, ascending; the last is Infinity. */
  within: { seconds: number; count: number }[];
}

export interface Rates {
  perSecond: number;
  /** Seconds until the response began. Null: no request. */
  p50: number | null;
  p99: number | null;
}

/**
 * What happened between two readings. Null if they cannot be compared: of two services, or a process of the service was
 * replaced.
 */
export function ratesBetween(before: LiveReading, after: LiveReading): Rates | null {
  if (before.source !== after.source || after.at <= before.at) return null;
  const within = after.within.map(({ seconds, count }) => ({
    seconds,
    count: count - (before.within.find((one) => one.seconds === seconds)?.count ?? 0),
  }));
  if (within.some(({ count }) => count < 0)) return null;
  const total = within.at(-1)?.count ?? 0;
  return {
    perSecond: (total * 1000) / (after.at - before.at),
    p50: quantile(within, 0.5),
    p99: quantile(within, 0.99),
  };
}

/** As Prometheus' histogram_quantile: evenly within a bucket, and no more than the last limit. */
function quantile(within: LiveReading["within"], share: number): number | null {
  const total = within.at(-1)?.count ?? 0;
  if (total === 0) return null;
  const rank = share * total;
  const index = within.findIndex(({ count }) => count >= rank);
  const [below, here] = [within[index - 1] ?? { seconds: 0, count: 0 }, within[index]];
  if (!here || here.seconds === Number.POSITIVE_INFINITY) return below.seconds;
  return below.seconds + ((here.seconds - below.seconds) * (rank - below.count)) / (here.count - below.count);
}
