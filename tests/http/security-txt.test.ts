import { afterEach, expect, test } from "vitest";
import { GET } from "@/app/(api)/.well-known/security.txt/route";
import { env } from "@/lib/platform/env";
import { DAY_MS } from "@/lib/platform/time";

afterEach(() => {
  Object.assign(env, { CONTACT: undefined, NEXTAUTH_URL: undefined });
});

async function answerWith(contact: string | undefined, origin = "https://keys.example.org") {
  Object.assign(env, { CONTACT: contact, NEXTAUTH_URL: origin });
  const answer = await GET(new Request(`${origin}/.well-known/security.txt`));
  return { answer, text: await answer.text() };
}

test("it has the fields of RFC 9116, and expires in half a year", async () => {
  const { answer, text } = await answerWith("help@example.org");
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
  const [, expires = ""] = /^Expires: (\d{4}-\d\d-\d\dT00:00:00\.000Z)$/m.exec(text) ?? [];
  expect(text.split("\n")).toEqual([
    "Contact: mailto:help@example.org",
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    "Canonical: https://keys.example.org/.well-known/security.txt",
    "",
  ]);
  const days = (Date.parse(expires) - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThanOrEqual(180);
});

test.each([
  ["o'neil+keys@example.org", "mailto:o'neil+keys@example.org"],
  ["https://example.org/help?to=keys", "https://example.org/help?to=keys"],
  ["HTTPS://example.org/ä b", "https://example.org/%C3%A4%20b"],
  ["https://example.org/\nContact: mailto:x@example.org", "https://example.org/Contact:%20mailto:x@example.org"],
])("the contact %j is the address %s", async (contact, address) => {
  const { text } = await answerWith(contact);
  expect(text.match(/^Contact: .*$/gm)).toEqual([`Contact: ${address}`]);
});

test("an origin without TLS is no canonical address", async () => {
  expect((await answerWith("help@example.org", "http://localhost:3000")).text).not.toContain("Canonical");
});

test.each([undefined, "http://example.org/help", "HTTP://example.org/help"])(
  "with CONTACT=%s, there is none",
  async (contact) => {
    const { answer, text } = await answerWith(contact);
    expect([answer.status, JSON.parse(text).code]).toEqual([404, "not_found"]);
  },
);
