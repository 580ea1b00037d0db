import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { Traces } from "@/tests/support/traces";

/** Not a random one: that could be deflated to bytes with so many zeros that the search takes them for a row. */
const MARK = "marked-0d3f7c51b8a29e6446ce9a18";

test("the search finds a text in every form", () => {
  const traces = new Traces({ text: MARK });
  const folder = mkdtempSync(join(tmpdir(), "latchkey-traces-"));
  const find = (bytes: Buffer) => {
    writeFileSync(join(folder, "file"), Buffer.concat([randomBytes(1_001), bytes, randomBytes(1_001)]));
    return traces.inFiles(folder, () => true).map((found) => found.split(" in ")[0]);
  };
  const text = `["a","${MARK}"]`;
  for (const bytes of [text, Buffer.from(text, "utf16le"), Buffer.from(text).toString("hex")])
    expect(find(Buffer.from(bytes))).toEqual(["text"]);
  for (const shift of ["", "x", "xx"])
    expect(find(Buffer.from(Buffer.from(shift + text).toString("base64")))).toEqual(["text"]);
  expect(find(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }))).toEqual(["text, deflated"]);
  expect(find(Buffer.from(`[${MARK.slice(0, -1)}]`))).toEqual([]);
  rmSync(folder, { recursive: true });
});
