import { expect, test, vi } from "vitest";
import { holdingOf } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { trailOf } from "@/lib/keys/trail";
import type { Caller } from "@/lib/user";
import { makeUsers } from "@/tests/support/user";

const ROUNDS = 50;
const asViewer = (user: { id: string; username: string }) => ({ ...user, role: "user" });

test(`extending at the second of the end, ${ROUNDS} times`, async () => {
  const [creator, holder] = (await makeUsers(2)).map(asViewer) as [Caller, Caller];
  for (let round = 0; round < ROUNDS; round++) {
    const key = (await createKey(creator, { data: "secret", price: "1" })).id;
    const row = await findKey(creator, key);
    const end = new Date((Math.floor(Date.now() / 1000) + 100) * 1000);
    await addHolder(creator, row, holder.username, end);
    // Just before, at and just after that second, in turn; the clock of the databases plays no part.
    vi.useFakeTimers({ now: end.getTime() + (round % 5) - 2, toFake: ["Date"] });
    const later = [600_000, 1_200_000].map((ms) => new Date(end.getTime() + ms));
    const answers = await Promise.all([
      ...later.map((one) => addHolder(creator, row, holder.username, one)),
      holdingOf(holder.username, key),
    ]);
    const held = await holdingOf(holder.username, key);
    vi.useRealTimers();
    // Whichever was last holds, and both were told that they changed an end: nobody was added twice or lost.
    expect(later).toContainEqual(held?.until);
    expect(answers.slice(0, 2)).toEqual([
      { user: holder.username, added: false, changed: true },
      { user: holder.username, added: false, changed: true },
    ]);
    const events = await trailOf(creator, row, 10);
    expect(events.map(({ action }) => action)).toEqual(["key.until", "key.until", "key.add", "key.create"]);
    expect(events[0]?.detail.until).toBe(held?.until?.toISOString());
    expect(events[0]?.detail.from).toBe(events[1]?.detail.until);
  }
});
