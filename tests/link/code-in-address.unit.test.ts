import { expect, test } from "vitest";
import { codeInAddress } from "@/lib/link/code-in-address";

test.each([
  ["https://keys.example.org/link?code=KMTRWB", "KMTRWB"],
  ["  http://localhost:3000/link?code=kmtrwb\n", "kmtrwb"],
  ["keys.example.org/link?code=KMT-RWB", "KMT-RWB"],
  ["/link?code=KMTRWB", "KMTRWB"],
  ["https://keys.example.org/link/?a=b&code=KMTRWB#there", "KMTRWB"],
  ["Open https://keys.example.org/link?code=KMTRWB", "KMTRWB"],
  ["https://keys.example.org/link?code=%4bMTRWB", "KMTRWB"],
  ["HTTPS://KEYS.EXAMPLE.ORG/LINK?CODE=KMTRWB", "KMTRWB"],
  ['<https://keys.example.org/link?code=KMTRWB>; rel="verification"', "KMTRWB"],
  ["Open (https://keys.example.org/link?code=KMTRWB).", "KMTRWB"],
  ["Go to\nkeys.example.org/link?code=KMTRWB\nand sign in", "KMTRWB"],
  ["https://keys.example.org/link?code=%", "%"],
  ["https://keys.example.org/link?code=", ""],
])("%j has the code %s", (text, code) => {
  expect(codeInAddress(text)).toBe(code);
});

test.each([
  "KMTRWB",
  "",
  "link",
  "https://keys.example.org/link",
  "https://keys.example.org/link?user=a",
  "https://keys.example.org/keys?code=KMTRWB",
  "https://keys.example.org/backlink?code=KMTRWB",
  `${"x".repeat(2_000)} /link?code=KMTRWB`,
  "link?".repeat(100_000),
])("%j is no address with a code", (text) => {
  expect(codeInAddress(text)).toBeUndefined();
});
