import { expect, test } from "vitest";
import {
  awaitedAt,
  COLLECT_WITHIN_SECONDS,
  COLLECTED,
  deadAt,
  decidableAt,
  isAwaited,
  isCollected,
  isDecidable,
  isLive,
  isRepeatable,
  repeatableAt,
  STORED_STATES,
} from "@/lib/link/states";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { at } from "./flow";

test("the database finds the same links as a check in memory, at every end and just before and after", async () => {
  const ends = [null, at(-1), at(0), at(1), at(11)];
  const program = newId();
  const rows = STORED_STATES.flatMap((status) =>
    ends.flatMap((collectBy) =>
      ends.flatMap((collectedAt) =>
        [at(-1), at(0), at(1)].map((expiresAt) => ({ status, collectBy, collectedAt, expiresAt })),
      ),
    ),
  );
  const common = { program, network: "n", createdAt: at(-COLLECT_WITHIN_SECONDS) };
  await db.linkCode.createMany({ data: rows.map((row) => ({ id: newId(), ...common, ...row })) });
  const links = await db.linkCode.findMany({ where: { program } });
  const [now, later] = [at(0), at(10)];
  for (const [is, where] of [
    [(link) => isDecidable(link, now), decidableAt(now)],
    [(link) => isAwaited(link, now), awaitedAt(now)],
    [(link) => isRepeatable(link, later), repeatableAt(later)],
    [isCollected, COLLECTED],
  ] satisfies [(link: (typeof links)[number]) => boolean, object][]) {
    const found = await db.linkCode.findMany({ where: { AND: [{ program }, where] }, select: { id: true } });
    const expected = links.filter(is).map(({ id }) => id);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(expected));
    expect(expected.length).toBeGreaterThan(0);
  }
  const dead = await db.linkCode.findMany({ where: { AND: [{ program }, deadAt(later)] } });
  expect(dead.filter((link) => isLive(link, later) || isRepeatable(link, later))).toEqual([]);
  await db.linkCode.deleteMany({ where: { program } });
});
