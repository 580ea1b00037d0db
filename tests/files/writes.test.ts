import fc from "fast-check";
import { expect, test } from "vitest";
import { openDocument, plainText } from "@/lib/files/read-document";
import { sized } from "@/tests/support/size";
import { textOf } from "../support/documents";
import { StoreAndModel } from "../support/store-and-model";
import { runStep, step } from "../support/store-steps";
import { makeUser } from "../support/user";

test("After any writes, imports and sweeps the document is right, and its old readers get theirs whole", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const pair = new StoreAndModel(await makeUser());
      for (const each of steps) {
        const before = pair.model.entries.size > 0 ? await pair.text() : undefined;
        const reading = before === undefined ? undefined : plainText(await openDocument(pair.user.id));
        const begun = await reading?.next();
        await runStep(pair, each);
        if (reading && each.kind !== "sweep") {
          const rest = await textOf(reading);
          expect(Buffer.from(begun?.value ?? []).toString("latin1") + Buffer.from(rest).toString("latin1")).toBe(
            Buffer.from(before ?? "").toString("latin1"),
          );
        } else await reading?.return(undefined);
        await pair.compare();
      }
    }),
    { numRuns: sized(2, 25) },
  );
});
