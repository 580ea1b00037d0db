import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { frontOf } from "@/server/front";
import { arrive, forwardedFor } from "@/tests/server/arrive";

const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
const warnings = () => warn.mock.calls.map(([sentence]) => String(sentence));
beforeEach(() => void warn.mockClear());
afterEach(() => {
  for (const sentence of warnings()) expect(sentence).toMatch(/^[A-Z0-9][^\n]{20,400}\.$/);
});

test("names the address and the setting once for each kind of place, however many come", () => {
  const front = frontOf(undefined, undefined);
  for (let last = 1; last < 250; last++)
    for (const peer of [`127.0.0.${last}`, `172.18.0.${last}`, `198.51.100.${last}`, `2001:db8:${last}::1`])
      arrive(front, peer, forwardedFor("203.0.113.7"));
  expect(warnings()).toEqual([
    expect.stringMatching(/127\.0\.0\.1, on this machine.* set TRUSTED_PROXIES=loopback\.$/),
    expect.stringMatching(/172\.18\.0\.1, in a private network.* set TRUSTED_PROXIES=172\.18\.0\.1\.$/),
    expect.stringMatching(
      /198\.51\.100\.1, on the internet.* Only if it is a proxy of yours, set TRUSTED_PROXIES=198\.51\.100\.1\.$/,
    ),
  ]);
});

test("includes the existing setting in its advice", () => {
  arrive(frontOf("loopback 192.0.2.0/24", undefined), "172.18.0.1", forwardedFor("203.0.113.7"));
  expect(warnings()).toEqual([expect.stringContaining("set TRUSTED_PROXIES=loopback,192.0.2.0/24,172.18.0.1.")]);
});

test("says nothing of requests that pass no proxy, and of those that pass the right one", () => {
  for (const peer of ["127.0.0.1", "::1", "172.18.0.1", "fd00::4", "198.51.100.4", "2001:db8::3"])
    arrive(frontOf(undefined, undefined), peer);
  arrive(frontOf("loopback", "https://keys.example"), "127.0.0.1", {
    ...forwardedFor("203.0.113.7"),
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "keys.example",
    Origin: "https://keys.example",
  });
  expect(warnings()).toEqual([]);
});

test("says once that NEXTAUTH_URL is http where people come by https", () => {
  const front = frontOf("loopback", "http://keys.example");
  for (let time = 0; time < 3; time++)
    arrive(front, "127.0.0.1", { ...forwardedFor("203.0.113.7"), "X-Forwarded-Proto": "https" });
  expect(warnings()).toEqual([
    expect.stringMatching(/NEXTAUTH_URL is http:\/\/keys\.example: set NEXTAUTH_URL=https:\/\/keys\.example\.$/),
  ]);
});

test("says once that people open another host than NEXTAUTH_URL, when a form comes from there", () => {
  const front = frontOf("loopback", "https://keys.example");
  for (let time = 0; time < 3; time++)
    arrive(front, "127.0.0.1", {
      ...forwardedFor("203.0.113.7"),
      Host: "10.0.0.5",
      Origin: "https://10.0.0.5",
    });
  expect(warnings()).toEqual([
    expect.stringMatching(
      /^People open this service at 10\.0\.0\.5, but NEXTAUTH_URL is https:\/\/keys\.example,.* set NEXT/,
    ),
  ]);
  warn.mockClear();
  // Other sites, and machines that ask by number, are no people that open this one.
  const other = frontOf("loopback", "https://keys.example");
  arrive(other, "127.0.0.1", { ...forwardedFor("203.0.113.7"), Origin: "https://evil.example" });
  arrive(other, "127.0.0.1", { ...forwardedFor("203.0.113.7"), Origin: "null" });
  arrive(other, "127.0.0.1", { ...forwardedFor("203.0.113.7"), Host: "10.0.0.5:3000" });
  expect(warnings()).toEqual([]);
});

test("says once that a host was refused, and how it would not be", () => {
  const front = frontOf("loopback", "https://keys.example");
  for (const Host of ["www.keys.example", "evil.test"])
    expect(() => arrive(front, "127.0.0.1", { ...forwardedFor("203.0.113.7"), Host })).toThrow(/NEXTAUTH_URL/);
  expect(warnings()).toEqual([
    expect.stringMatching(
      /the host www\.keys\.example, .*\(421\).* set NEXTAUTH_URL .* it is https:\/\/keys\.example\.$/,
    ),
  ]);
});

test("never shows what somebody wrote as an address or a host that is none", () => {
  const front = frontOf("10.0.0.5", undefined);
  for (const text of ["lk_secret", "a\nb", "<script>"]) arrive(front, "10.0.0.5", forwardedFor(text));
  for (const sentence of warnings()) expect(sentence).not.toMatch(/lk_|\n|</);
});
