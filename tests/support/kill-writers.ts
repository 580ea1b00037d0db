import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { importDocument } from "@/lib/files/import";
import { openDocument, plainText } from "@/lib/files/read-document";
import { sweepFiles } from "@/lib/files/sweep";
import { RESUMABLE_MS } from "@/lib/files/unfinished-uploads";
import { chunks, smallDocument, textOf } from "./documents";
import { contentBytes, entriesOf, expectIndexed } from "./indexed";
import { storingEndlessly } from "./storing";
import { expectSwept } from "./swept";
import { makeUser } from "./user";

const IMPORTED_BYTES = 20_000_000;
const UPLOADED_BYTES = 6_000_000;

/**
 * Kills a process while it imports or uploads, and checks that the document is one from before or after a whole write,
 * never a mixture, and that the sweep removes the rest.
 */
export async function survivesKillingWriters(what: "imports" | "uploads", rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const user = await makeUser();
    const old = JSON.stringify(smallDocument(user.username));
    await importDocument(user, chunks(old));

    // During the first write, the second and the third in turn.
    const count = round % 3;
    const { child, took } = await storingEndlessly(user, what, {
      bytes: what === "imports" ? IMPORTED_BYTES : UPLOADED_BYTES,
      count,
    });
    await sleep(Math.random() * (count === 0 ? 500 : took));
    child.kill("SIGKILL");
    await once(child, "exit");

    const document = await openDocument(user.id);
    expect(document.version).toBeGreaterThan(count);
    const text = await textOf(plainText(document));
    if (document.version === 1) expect(text).toBe(old);
    else if (what === "imports")
      expect([JSON.parse(text).length, text.length > IMPORTED_BYTES * 0.95]).toEqual([4 * 14, true]);
    else expectWhole(JSON.parse(text), JSON.parse(old));
    await expectIndexed(user.id);

    await sweepFiles(new Date(Date.now() + RESUMABLE_MS + 3_600_000));
    await expectSwept(user.id);
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(text);
  }
}

/** Every uploaded file is complete, and in exactly one list: that of its folder. */
function expectWhole(document: unknown[], old: unknown[]): void {
  const entries = entriesOf(document);
  const before = new Set(entriesOf(old).map((entry) => entry[13]));
  for (const [type, , location, data, , , , , , , , , , id] of entries.filter((entry) => !before.has(entry[13]))) {
    if (type === ".bin") expect(contentBytes(data).bytes.length).toBe(UPLOADED_BYTES);
    const listing = entries.filter((entry) => Array.isArray(entry[3]) && entry[3].includes(id));
    expect(listing.map((entry) => `${entry[2]}/${entry[1]}`)).toEqual([location]);
  }
}
