import { expect, test } from "vitest";
import { zipOf } from "@/lib/platform/zip";
import { streamed } from "@/tests/support/unzip";

const ZEROS = Buffer.alloc(1_000_000);

test("an entry of 5 GB and what follows it are read from a stream", async () => {
  async function* bytes(length: number) {
    for (let sent = 0; sent < length; sent += ZEROS.length) yield ZEROS;
  }
  async function* parts() {
    yield { path: "large.bin", bytes: bytes(5_000_000_000), size: 5_000_000_000 };
    yield { path: "after.bin", bytes: bytes(1_000_000), size: 1_000_000 };
  }
  expect(await streamed(zipOf(parts()))).toEqual([
    ["large.bin", 5_000_000_000, true],
    ["after.bin", 1_000_000, false],
  ]);
});
