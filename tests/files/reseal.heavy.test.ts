import fc from "fast-check";
import { expect, test } from "vitest";
import { problemOf } from "@/lib/files/check";
import { openDocument, plainText } from "@/lib/files/read-document";
import { resealFiles } from "@/lib/files/reseal";
import { textOf } from "../support/documents";
import { contentsOf, newerKey, unseal } from "../support/sealed-pieces";
import { StoreAndModel } from "../support/store-and-model";
import { runStep, step } from "../support/store-steps";
import { makeUser } from "../support/user";

test("Files that are resealed while they are written, read and swept stay what they should be", async () => {
  let resealed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const pair = new StoreAndModel(await makeUser());
      const { id } = pair.user;
      let isOver = false;
      const resealing = (async () => {
        while (!isOver) resealed += await resealFiles(id, await newerKey(id));
      })();
      try {
        for (const [n, each] of steps.entries()) {
          const before = pair.model.entries.size > 0 ? await pair.text() : undefined;
          if (n % 4 === 3) await unseal(id);
          const reading = before === undefined ? undefined : plainText(await openDocument(id));
          const begun = await reading?.next();
          await runStep(pair, each);
          if (reading && each.kind !== "sweep") {
            const rest = Buffer.from(await textOf(reading));
            expect(Buffer.concat([begun?.value ?? Buffer.alloc(0), rest]).toString()).toBe(before);
          } else await reading?.return(undefined);
          await pair.compare();
        }
      } finally {
        isOver = true;
        await resealing;
      }
      const current = await newerKey(id);
      await resealFiles(id, current);
      expect((await contentsOf(id)).filter(({ sealedWith }) => sealedWith !== current.number)).toEqual([]);
      expect(await problemOf(id)).toBeUndefined();
      await pair.compare();
    }),
    { numRuns: 4 },
  );
  expect(resealed).toBeGreaterThan(30);
});
