import { expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { as, newKey } from "./keys";

/** The calls that /docs/guides/existing-clients says do not work, with a token. */
const REFUSED: [path: string, status: number][] = [
  ["/generate_validator?key=audience", 404],
  ["/validate?v=validator&key=audience", 404],
  ["/v2/link/code", 404],
  ["/v2/keys/mine", 404],
  ["/files/entries", 404],
  ["/keys/admin_add?username=somebody", 404],
  ["/keys/create", 400],
];

test.each(REFUSED)("the guide for existing programs names what does not work: %s", async (path, status) => {
  const { text } = await ask("/docs/guides/existing-clients");
  const [name = ""] = path.startsWith("/v2/") ? ["/v2"] : path.split("?");
  expect(text).toContain(`<code>${name}</code>`);
  expect((await as(await makeUser(), path)).status).toBe(status);
});

test("it says so of keys read without a token, and of permissions at the link", async () => {
  const { text } = await ask("/docs/guides/existing-clients");
  expect(text).toMatch(/reading a key without a token/);
  expect((await ask(`/keys/get/${await newKey(await makeUser())}`)).status).toBe(401);
  expect(text).toContain("<code>permissions</code>");
  expect((await ask("/link/code?permissions=account:view")).status).toBe(200);
});
