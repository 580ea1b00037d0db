import { expect, test } from "vitest";
import { isPatroniSafe, patroniVersion } from "@/scripts/cluster/patroni";
import type { Breakage } from "@/tests/support/cluster-breakages";
import { type Round, survivesBreaking } from "@/tests/support/cluster-rounds";
import { canMount } from "@/tests/support/small-disk";

const EACH_KIND: Breakage[] = [
  "process killed",
  "synchronous standby killed",
  "planned switchover",
  "postgres killed",
  ...(canMount() ? ["disk full" as const] : []),
  ...(isPatroniSafe() ? ["primary frozen" as const] : []),
  "primary cut off",
  "primary killed",
];

/** Each kind in turn, until there are twenty. */
const TWENTY = Array.from({ length: 20 }, (_, n) => EACH_KIND[n % EACH_KIND.length] as Breakage);

/** Longer than the lease of a primary (20 s), and what its successor and the checks of it need on a busy machine. */
const LONGEST_SECONDS = 90;

test("a cluster that is broken twenty times loses nothing acknowledged, and works again by itself", async ({
  annotate,
}) => {
  const { rounds, acknowledged } = await survivesBreaking(TWENTY);
  await annotate(`Patroni ${patroniVersion()}; ${acknowledged} changes were acknowledged`);
  for (const kind of EACH_KIND) await annotate(inWords(kind, rounds));
  expect(rounds.filter(({ seconds }) => seconds > LONGEST_SECONDS)).toEqual([]);
});

function inWords(kind: Breakage, rounds: Round[]): string {
  const of = (key: "seconds" | "slowest") => {
    const sorted = rounds.filter(({ breakage }) => breakage === kind).map((round) => round[key]);
    return sorted.sort((a, b) => a - b).map((seconds) => seconds.toFixed(1));
  };
  return `${kind}: seconds without a change ${of("seconds").join(", ")}; for a response ${of("slowest").join(", ")}`;
}
