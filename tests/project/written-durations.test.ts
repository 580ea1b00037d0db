import { expect, test } from "vitest";
import { markupTextsOf, textsOf } from "@/tests/support/imports";
import { OURS } from "./ours";

const SPELLED = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|ninety";
/** "ten minutes", "24 hours"; a text that ends with a number has its unit in the next one. */
const WRITTEN = new RegExp(
  `\\b(?:(?:one|${SPELLED}|\\d[\\d,]*)(?:\\s+|-)(?:second|minute|hour|day|week)s?\\b|(?:${SPELLED}) $)`,
  "g",
);

/** What these say is their own: each has the number itself beside its words. */
const OF_THEIR_OWN = [
  "app/(pages)/admin/links/times.ts",
  "app/(pages)/claim/accept-key.tsx",
  "app/(pages)/token-ends.ts",
  "lib/operator/statistics/view.ts",
];

test("pages, errors and messages take durations from their constants (lib/platform/bounds.ts says them)", () => {
  const files = OURS.filter((file) => /^(?:app|components|lib|server|scripts\/admin|clients)\//.test(file));
  const written = files
    .filter((file) => !OF_THEIR_OWN.includes(file))
    .flatMap((file) => [...textsOf(file), ...markupTextsOf(file)].map((text) => ({ file, text })))
    .flatMap(({ file, text }) => text.match(WRITTEN)?.map((found) => `${file}: ${found}`) ?? []);
  expect(files.length).toBeGreaterThan(500);
  expect(written).toEqual([]);
});
