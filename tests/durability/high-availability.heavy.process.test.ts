import { expect, test } from "vitest";
import { survivesBreaking } from "@/tests/support/cluster-rounds";

/** The lease of a primary takes 20 seconds to end. */
const LONGEST_SECONDS = 60;

test("a cluster whose primary is killed loses nothing acknowledged, and works again by itself", async () => {
  const { rounds } = await survivesBreaking(["primary killed"]);
  expect(rounds.filter(({ seconds }) => seconds > LONGEST_SECONDS)).toEqual([]);
});
