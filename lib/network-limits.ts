import { type Limiter, type LimitVerdict, limiter } from "./limits";
import { countedAs, widerNetworks } from "./network";

/**
 * The factors for a /56 and a /48 relative to a /64: the owner of a whole one gains little by rotating through its
 * /64s.
 */
export const WIDER_POINTS = [4, 16];

/** Counts per network and per wider network around it. Keys are ids of networks. */
export type NetworkLimiter = Pick<Limiter, "take" | "peek" | "giveBack">;

/**
 * A limit of `points` per `seconds` for each IPv4 address and each IPv6 /64, 4 times that for a /56 and 16 times for a
 * /48 (contract, section 4: limits). A refusal by one of them is final, and is not counted for the networks around it:
 * one /64 does not use up its neighbours' share. `counter` counts each of them.
 */
export function networkLimiter(name: string, points: number, seconds: number, counter = limiter): NetworkLimiter {
  const limits = [
    counter(name, points, seconds),
    ...WIDER_POINTS.map((times, index) => counter(`${name} ${["/56", "/48"][index]}`, times * points, seconds)),
  ];
  const keysOf = (id: string) => [countedAs(id), ...widerNetworks(countedAs(id))];
  const each = <T>(id: string, act: (limit: Limiter, key: string) => Promise<T>): Promise<T[]> =>
    Promise.all(keysOf(id).map((key, index) => act(limits[index] as Limiter, key)));
  return {
    async take(network) {
      const verdicts: LimitVerdict[] = [];
      for (const [index, key] of keysOf(network).entries()) {
        const verdict = await (limits[index] as Limiter).take(key);
        verdicts.push(verdict);
        if (!verdict.allowed) break;
      }
      return strictest(verdicts);
    },
    peek: async (network) => strictest(await each(network, (limit, key) => limit.peek(key))),
    giveBack: async (network) => void (await each(network, (limit, key) => limit.giveBack(key))),
  };
}

/** The longest refusal or, if nothing refuses, the narrowest network's verdict. */
function strictest(verdicts: LimitVerdict[]): LimitVerdict {
  const [own] = verdicts as [LimitVerdict, ...LimitVerdict[]];
  const refusals = verdicts.filter(({ allowed }) => !allowed);
  return refusals.reduce(
    (longest, verdict) => (verdict.retryAfter > longest.retryAfter || longest.allowed ? verdict : longest),
    own,
  );
}
