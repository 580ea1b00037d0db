import fc from "fast-check";
import { expect, test } from "vitest";
import { spliced } from "@/lib/files/document/splices";
import { openDocument, plainText } from "@/lib/files/read";
import { problemOf, resealFiles } from "@/lib/files/reseal";
import { bytesOf } from "@/tests/support/documents";
import { contentsOf, newerKey, unseal } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { runStep, type Step, StoreAndModel, step } from "@/tests/support/store-steps";
import { makeUser } from "@/tests/support/user";

async function runWhileReading(pair: StoreAndModel, each: Step): Promise<void> {
  if (pair.model.entries.size === 0) return runStep(pair, each);
  const before = await pair.text();
  const reading = plainText(await openDocument(pair.user.id));
  const begun = (await reading.next()).value ?? Buffer.alloc(0);
  await runStep(pair, each);
  // A sweep may remove what is too old.
  if (each.kind === "sweep") return void (await reading.return(undefined));
  expect(Buffer.concat([begun, await bytesOf(reading)]).toString()).toBe(before);
}

/** The user's files are sealed again, with one new key after another, until `isOver`. */
async function resealEndlessly(id: string, isOver: () => boolean): Promise<number> {
  let resealed = 0;
  while (!isOver()) resealed += await resealFiles(id, await newerKey(id));
  return resealed;
}

test("after any writes, imports and sweeps the document is right, also while all is resealed", async () => {
  let [resealed, run] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const pair = new StoreAndModel(await makeUser());
      const { id } = pair.user;
      const isResealed = run++ % 2 === 0;
      let isOver = false;
      const resealing = isResealed ? resealEndlessly(id, () => isOver) : 0;
      try {
        for (const [n, each] of steps.entries()) {
          if (isResealed && n % 4 === 3) await unseal(id);
          await runWhileReading(pair, each);
          await pair.compare();
        }
      } finally {
        isOver = true;
        resealed += await resealing;
      }
      if (!isResealed) return;
      const current = await newerKey(id);
      await resealFiles(id, current);
      expect((await contentsOf(id)).filter(({ sealedWith }) => sealedWith !== current.number)).toEqual([]);
      expect(await problemOf(id)).toBeUndefined();
      await pair.compare();
    }),
    { numRuns: sized(3, 35) },
  );
  expect(resealed).toBeGreaterThan(10);
});

test("a text that is changed piece by piece is the text that is changed whole", () => {
  const text = Buffer.from("0123456789ab");
  const positions = fc.uniqueArray(fc.integer({ min: 1, max: 11 })).map((all) => all.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(positions, positions, (borders, changed) => {
      // In turn what lies between two places is replaced, and something inserted right after it.
      const splices = changed.map((from, n) => ({ from, to: n % 2 ? from : (changed[n + 1] ?? from), text: `<${n}>` }));
      const starts = [0, ...borders];
      const parts = starts.map((start, n) => spliced(text.subarray(start, starts[n + 1]), start, splices));
      expect(`${Buffer.concat(parts)}`).toBe(`${spliced(text, 0, splices)}`);
    }),
  );
});
