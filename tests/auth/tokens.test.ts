import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cookieAt } from "@/lib/accounts/session-cookie";
import { couldBeToken, hashToken, mintAccessToken, mintToken, openToken } from "@/lib/platform/crypto/tokens";
import { newId } from "@/lib/platform/ids";

describe("a token", () => {
  test("has 256 random bits, is looked up by a keyed hash, and handed out by opening its sealed form", () => {
    const id = newId();
    const minted = Array.from({ length: 1_000 }, () => mintToken(id));
    for (const { token, stored } of minted) {
      expect(couldBeToken(token)).toBe(true);
      expect(hashToken(token)).toBe(stored.tokenHash);
      expect(stored.tokenHash).toMatch(/^[0-9a-f]{64}$/);
      expect(openToken(stored.tokenSealed, id)).toBe(token);
    }
    expect(new Set(minted.map(({ token }) => token)).size).toBe(1_000);
    expect(new Set(minted.map(({ stored }) => stored.tokenSealed.slice(0, 16))).size).toBe(1_000);
  });

  test("is stored in no readable form, which opens for its own user only, and with no bit changed", () => {
    const { token, stored } = mintToken("alice");
    const sealed = Buffer.from(stored.tokenSealed, "base64");
    for (const text of [JSON.stringify(stored), sealed.toString("latin1")]) expect(text).not.toContain(token.slice(3));
    expect(() => openToken(stored.tokenSealed, "bob")).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openToken(changed.toString("base64"), "alice")).toThrow();
    }
  });

  test("ends in the CRC-32 of the rest in base 62, by which scanners recognise it", () => {
    const digits = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
    for (const token of [mintToken(newId()).token, mintAccessToken().token]) {
      const [, rest = "", checksum = ""] = /^(lkt?_[\w-]{43})([A-Za-z0-9]{6})$/.exec(token) ?? [];
      expect([...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)).toBe(crc32(rest));
      expect(couldBeToken(token)).toBe(true);
      expect(couldBeToken(rest)).toBe(true);
    }
  });

  test.each([
    "",
    "lk_",
    "lk_short",
    `lk_${"a".repeat(42)}`,
    `lk_${"a".repeat(44)}`,
    `lk_${"a".repeat(48)}-`,
    `lk_${"a".repeat(50)}`,
    `LK_${"a".repeat(43)}`,
    `lk_${"a".repeat(42)}=`,
    `lk_${"a".repeat(42)}\n`,
  ])("is nothing like %j", (text) => {
    expect(couldBeToken(text)).toBe(false);
  });
});

describe("a cookie", () => {
  const name = (origin: string, path?: string) => cookieAt(origin, "session-token", path).name;

  test("has the name of one address: services on other ports of the host have others", () => {
    const here = name("http://keys.example.org:3000");
    expect(here).toMatch(/^latchkey-[0-9a-f]{8}\.session-token$/);
    expect(name("http://keys.example.org:3000")).toBe(here);
    for (const other of ["http://keys.example.org:3001", "http://keys.example.org", "https://keys.example.org:3000"])
      expect(name(other)).not.toContain(here);
  });

  test("over https has the browser's own promise of where it was set in its name", () => {
    expect(name("https://keys.example.org")).toMatch(/^__Host-/);
    expect(name("https://keys.example.org", "/link")).toMatch(/^__Secure-/);
    const { options } = cookieAt("https://keys.example.org", "session-token");
    expect(options).toEqual({ httpOnly: true, sameSite: "lax", secure: true, path: "/" });
  });
});
