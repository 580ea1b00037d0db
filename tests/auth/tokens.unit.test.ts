import { describe, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { hashToken, looksLikeToken, mintToken, openToken } from "@/lib/tokens";

describe("a token", () => {
  test("has 256 random bits, and no two are alike", () => {
    const tokens = Array.from({ length: 1_000 }, () => mintToken("someone").token);
    for (const token of tokens) expect(looksLikeToken(token)).toBe(true);
    expect(new Set(tokens).size).toBe(1_000);
  });

  test("is looked up by a keyed hash and handed out by opening its sealed form", () => {
    const id = newId();
    const { token, stored } = mintToken(id);
    expect(hashToken(token)).toBe(stored.tokenHash);
    expect(stored.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(openToken(stored.tokenSealed, id)).toBe(token);
  });
});

describe("what is stored of it", () => {
  test("holds the token in no readable form", () => {
    const { token, stored } = mintToken("someone");
    const bytes = Buffer.from(stored.tokenSealed, "base64").toString("latin1");
    expect(JSON.stringify(stored)).not.toContain(token.slice(3));
    expect(bytes).not.toContain(token.slice(3));
  });

  test("opens for its own user only", () => {
    const { stored } = mintToken("alice");
    expect(() => openToken(stored.tokenSealed, "bob")).toThrow();
  });

  test("does not open once any of its bits is changed", () => {
    const { stored } = mintToken("alice");
    const sealed = Buffer.from(stored.tokenSealed, "base64");
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openToken(changed.toString("base64"), "alice")).toThrow();
    }
  });

  test("is sealed differently each time", () => {
    const sealed = Array.from({ length: 100 }, () => mintToken("alice").stored.tokenSealed.slice(0, 16));
    expect(new Set(sealed).size).toBe(100);
  });
});

test.each([
  "",
  "lk_",
  "lk_short",
  `lk_${"a".repeat(42)}`,
  `lk_${"a".repeat(44)}`,
  `LK_${"a".repeat(43)}`,
  `lk_${"a".repeat(42)}=`,
  `lk_${"a".repeat(42)}\n`,
])("%j could not be a token", (text) => {
  expect(looksLikeToken(text)).toBe(false);
});
