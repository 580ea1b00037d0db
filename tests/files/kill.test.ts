import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { openDocument, plainText } from "@/lib/files/read";
import { sweepFiles } from "@/lib/files/sweep";
import { chunks, smallDocument, textOf } from "../support/documents";
import { storingEndlessly } from "../support/storing";
import { makeUser } from "../support/user";

const ROUNDS = 3;

test("A process that is killed while it stores leaves the old document or a new one, and the sweep removes the rest", { timeout: 120_000 }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await makeUser();
    const old = JSON.stringify(smallDocument(user.username));
    await importDocument(user, chunks(old));

    const child = await storingEndlessly(user, 20_000_000);
    await sleep(300 + round * 700);
    child.kill("SIGKILL");
    await once(child, "exit");

    const document = await openDocument(user.id);
    const text = await textOf(plainText(document));
    if (document.version === 1) expect(text).toBe(old);
    else expect([JSON.parse(text).length, text.length > 19_000_000]).toEqual([4 * 14, true]);

    await sweepFiles(new Date(Date.now() + 7 * 3_600_000));
    expect(await db.fileDraft.count({ where: { userId: user.id } })).toBe(0);
    const pieces = await db.filePiece.findMany({ where: { userId: user.id } });
    expect(pieces.every(({ bornVersion, retiredVersion }) => bornVersion === document.version && retiredVersion === null)).toBe(true);
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(text);
  }
});
