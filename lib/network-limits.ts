import { type Limiter, limiter, type Verdict } from "./limits";
import { countedAs, widerNetworks } from "./network";

/** How many times more than a /64 its /56 and its /48 may do: whoever has one whole gains little by walking through its /64s. */
export const WIDER_POINTS = [4, 16];

/** Counts per network, and per the wider networks around it. Keys are ids of networks. */
export type NetworkLimiter = Pick<Limiter, "take" | "peek" | "giveBack">;

/**
 * A limit of `points` per `seconds` for each IPv4 address and each IPv6 /64, of 4 times as many for a /56 and 16 times as many
 * for a /48 (contract, section 4: limits). What one of them refuses is refused, and not counted for the networks
 * around it: one /64 does not spend what its neighbours have.
 */
export function networkLimiter(name: string, points: number, seconds: number): NetworkLimiter {
  const limits = [limiter(name, points, seconds), ...WIDER_POINTS.map((times, index) => limiter(`${name} ${["/56", "/48"][index]}`, times * points, seconds))];
  const keysOf = (id: string) => [countedAs(id), ...widerNetworks(countedAs(id))];
  const each = <T>(id: string, act: (limit: Limiter, key: string) => Promise<T>): Promise<T[]> =>
    Promise.all(keysOf(id).map((key, index) => act(limits[index] as Limiter, key)));
  return {
    async take(network) {
      const verdicts: Verdict[] = [];
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

/** The refusal that lasts longest, or where nothing refuses, the narrowest network's verdict. */
function strictest(verdicts: Verdict[]): Verdict {
  const [own] = verdicts as [Verdict, ...Verdict[]];
  const refusals = verdicts.filter(({ allowed }) => !allowed);
  return refusals.reduce((longest, verdict) => (verdict.retryAfter > longest.retryAfter || longest.allowed ? verdict : longest), own);
}
