import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionsOf } from "@/server/gate-limits";
import { actionId, allActions } from "@/tests/support/call-action";

const build = join(".builds", readFileSync(join(".builds", "current"), "utf8").trim());

test("every action has the limits of its declaration, and is on a page", () => {
  const find = actionsOf(build);
  for (const { id, page } of allActions()) {
    const action = find(id);
    expect(action?.pages).toContain(page);
    expect(action?.bodyBytes).toBeGreaterThanOrEqual(action?.strangersBytes ?? Number.POSITIVE_INFINITY);
  }
  expect(find(actionId("changeMany"))).toMatchObject({ bodyBytes: 409_600, strangersBytes: 4_096 });
  expect(find(actionId("undoMove"))).toMatchObject({ bodyBytes: 409_600 });
  expect(find(actionId("previewClaim"))).toMatchObject({ bodyBytes: 4_096, pages: new Set(["/claim"]) });
  expect(find("a")).toBeUndefined();
});
