import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { openDocument, plainText } from "@/lib/files/read";
import { sweepFiles } from "@/lib/files/sweep";
import { RESUMABLE_MS } from "@/lib/files/upload";
import { bundled } from "@/scripts/bundled.mjs";
import { chunks, smallDocument, textOf } from "@/tests/support/documents";
import { contentBytes, entriesOf, expectIndexed, expectSwept } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";

const ROUNDS = sized(1, 20);
const BYTES = { imports: sized(2_000_000, 20_000_000), uploads: sized(1_500_000, 6_000_000) };
type What = keyof typeof BYTES;

async function writer({ id, username }: TestUser, what: What, count: number) {
  const script = await bundled("tests/support/write-endlessly.ts");
  const child = spawn(process.execPath, [script, what, id, username, String(BYTES[what])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let began = performance.now();
  let stored = -1;
  for await (const _ of createInterface(child.stdout)) {
    if (++stored === 0) began = performance.now();
    if (stored === count) break;
  }
  return { child, took: (performance.now() - began) / Math.max(1, stored) };
}

function expectIntact(document: unknown[], old: unknown[]): void {
  const entries = entriesOf(document);
  const before = new Set(entriesOf(old).map((entry) => entry[13]));
  for (const [type, , location, data, , , , , , , , , , id] of entries.filter((entry) => !before.has(entry[13]))) {
    if (type === ".bin") expect(contentBytes(data).bytes.length).toBe(BYTES.uploads);
    const listing = entries.filter((entry) => Array.isArray(entry[3]) && entry[3].includes(id));
    expect(listing.map((entry) => `${entry[2]}/${entry[1]}`)).toEqual([location]);
  }
}

test.each(["imports", "uploads"] as const)(
  "a process that is killed during %s leaves the old document or a new one, and the sweep removes the rest",
  { timeout: 1_800_000 },
  async (what) => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await makeUser();
      const old = JSON.stringify(smallDocument(user.username));
      await importDocument(user, chunks(old));

      // During the second write, the third and the first in turn.
      const count = (round + 1) % 3;
      const { child, took } = await writer(user, what, count);
      await sleep(Math.random() * (count === 0 ? 500 : took));
      child.kill("SIGKILL");
      await once(child, "exit");

      const document = await openDocument(user.id);
      expect(document.version).toBeGreaterThan(count);
      const text = await textOf(plainText(document));
      if (document.version === 1) expect(text).toBe(old);
      else if (what === "imports")
        expect([JSON.parse(text).length, text.length > BYTES.imports * 0.95]).toEqual([4 * 14, true]);
      else expectIntact(JSON.parse(text), JSON.parse(old));
      await expectIndexed(user.id);

      await sweepFiles(new Date(Date.now() + RESUMABLE_MS + 3_600_000));
      await expectSwept(user.id);
      expect(await textOf(plainText(await openDocument(user.id)))).toBe(text);
    }
  },
);
