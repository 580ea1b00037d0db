import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { combineCrc } from "@/lib/files/pieces/crc";

test("The CRC-32 of two concatenated texts is computed from theirs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.uint8Array({ maxLength: 3_000 }), (first, second) => {
      expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
    }),
  );
});

test("However long the second one is", () => {
  const second = Buffer.alloc(50_000_000, "ab");
  expect(combineCrc(crc32("first"), crc32(second), second.length)).toBe(crc32(second, crc32("first")));
  const longer = 2 ** 32 + 5;
  let crc = crc32("first");
  const zeros = Buffer.alloc(2 ** 25);
  for (let left = longer; left > 0; left -= zeros.length) crc = crc32(zeros.subarray(0, left), crc);
  let ofZeros = 0;
  for (let left = longer; left > 0; left -= zeros.length) ofZeros = crc32(zeros.subarray(0, left), ofZeros);
  expect(combineCrc(crc32("first"), ofZeros, longer)).toBe(crc);
});
