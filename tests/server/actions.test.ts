import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { actionsOf } from "@/server/actions";
import { actionId, allActions } from "@/tests/support/call-action";

const build = join(".builds", readFileSync(join(".builds", "current"), "utf8").trim());
const MANIFEST = "server/server-reference-manifest.json";
const ROUTES = "app-path-routes-manifest.json";

/** A build whose manifest of actions is another one. */
function buildWith(change: (manifest: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "server"));
  writeFileSync(join(folder, MANIFEST), change(readFileSync(join(build, MANIFEST), "utf8")));
  writeFileSync(join(folder, ROUTES), readFileSync(join(build, ROUTES)));
  return folder;
}

test.each(["changeMany", "recoverWithPasskey"])(
  "a build without an action that has limits of its own does not start: %s",
  (name) => {
    const without = buildWith((manifest) =>
      manifest
        .replaceAll(`"exportedName":"${name}"`, '"exportedName":"other"')
        .replaceAll(`"exportedName": "${name}"`, '"exportedName": "other"'),
    );
    expect(() => actionsOf(without)).toThrow(name);
  },
);

test("a build without the pages that strangers use does not start either", () => {
  expect(() => actionsOf(buildWith((manifest) => manifest.replaceAll("(pages)/claim/", "(pages)/claims/")))).toThrow(
    "claim/",
  );
});

test("every action has limits, and is on a page", () => {
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
