import { expect, test } from "vitest";
import { cookieAt } from "@/lib/auth/cookie-at";

const name = (origin: string, path?: string) => cookieAt(origin, "session-token", path).name;

test("a cookie's name is that of one address: services on other ports of the host have others", () => {
  const here = name("http://keys.example.org:3000");
  expect(here).toMatch(/^latchkey-[0-9a-f]{8}\.session-token$/);
  expect(name("http://keys.example.org:3000")).toBe(here);
  for (const other of ["http://keys.example.org:3001", "http://keys.example.org", "https://keys.example.org:3000"])
    expect(name(other)).not.toContain(here);
});

test("over https, the name has the browser's own promise of where it was set", () => {
  expect(name("https://keys.example.org")).toMatch(/^__Host-/);
  expect(name("https://keys.example.org", "/link")).toMatch(/^__Secure-/);
  const { options } = cookieAt("https://keys.example.org", "session-token");
  expect(options).toEqual({ httpOnly: true, sameSite: "lax", secure: true, path: "/" });
});
