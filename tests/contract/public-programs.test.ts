import { beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, root, values } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { expectError } from "./answers";
import { as, newKey } from "./keys";
import { approve } from "./link";

let user: TestUser;
let holder: TestUser;
let key: string;
beforeAll(async () => {
  [user, holder] = (await makeUsers(2)) as [TestUser, TestUser];
  key = await newKey(user);
  await importDocument(user, chunks(JSON.stringify(values(root(user.username)))));
});

test.each([
  ["/v2/me", "/me"],
  ["/v2/get_user", "/me"],
  ["/v2/keys/mine", "/keys/mine"],
  ["/v2/keys/get/KEY", "/keys/get/KEY"],
  ["/v2/keys/check/nobody?key=KEY", "/keys/check/nobody?key=KEY"],
  ["/v2/read-files", "/read-files"],
  ["/v2/files/entries", "/read-files"],
  ["/files/entries", "/read-files"],
  ["/v2/health", "/health"],
])("%s is %s", async (other, path) => {
  const [there, here] = [other, path].map((one) => as(user, one.replace("KEY", key)));
  const [answer, expected] = [await there, await here];
  expect(answer?.status).toBe(200);
  expect([answer?.text, answer?.headers.etag]).toEqual([expected?.text, expected?.headers.etag]);
});

test("a bad path parameter is named under the other address, too", async () => {
  expectError(await as(user, "/v2/keys/get/nothing"), 404, "key_not_found");
  expectError(await ask("/v2/keys/get/nothing"), 401, "missing_token");
});

test.each(["/v2/link", "/v2/keys", "/v2/files", "/v2/nothing", "/v2/keys/nothing/more", "/v2/v2/me", "/v2/admin"])(
  "%s is nothing",
  async (path) => {
    expectError(await as(user, path), 404, "not_found");
  },
);

/**
 * A call, its status and what its body has at least; "linked": the person links the code. Placeholders are fields of
 * the person and of earlier bodies; "Bearer": the token is in the header.
 */
type Step = "linked" | [call: string, status: number, body: object];

const ME = { id: "{id}", username: "{username}" };
const CREATED: Step = ["/keys/create?auth={auth}&data=5&price=1.5&name=Pass", 200, { success: true, price: 1.5 }];
const SHARED: Step = ["/keys/admin_add/{key}?auth={auth}&key={key}&username={other}", 200, { success: true }];

const PROGRAMS: [program: string, steps: Step[]][] = [
  [
    "an extension for Scratch links with a name and permissions, and asks for the status first",
    [
      ["/link/code?name=My%20App&permissions=account:view", 200, {}],
      ["/link/status?code={code}", 404, { status: "pending" }],
      ["/link/user?code={code}", 404, { linked: false, token: "" }],
      "linked",
      ["/link/status?code={code}", 200, { status: "linked" }],
      ["/link/user?code={code}", 200, { linked: true }],
      ["/me?auth={token}", 200, ME],
      ["/get_user?auth={token}", 200, ME],
      ["/keys/mine?auth={token}", 403, { code: "token_access" }],
      ["/link/status?code={code}", 404, { status: "collected" }],
    ],
  ],
  [
    "an app with a name of 50 characters, every address under /v2",
    [
      [`/v2/link/code?name=${"x".repeat(50)}&permissions=keys:view`, 200, {}],
      ["/v2/link/status?code={code}", 404, { status: "pending" }],
      "linked",
      ["/v2/link/status?code={code}", 200, { status: "linked" }],
      ["/v2/link/user?code={code}", 200, { linked: true }],
      ["Bearer /v2/me", 200, ME],
      ["Bearer /v2/get_user", 200, { ...ME, token: { name: "x".repeat(40), access: "read" } }],
      ["/v2/keys/mine?auth={token}", 200, []],
    ],
  ],
  [
    "a desktop program in Python links without parameters, and sends the code in lower case",
    [
      ["/link/code", 200, {}],
      ["/link/user?code={code.lower}", 404, { linked: false, token: "" }],
      "linked",
      ["/link/user?code={code.lower}", 200, { linked: true, token: "{auth}" }],
      ["/me?auth={token}", 200, ME],
      ["/me?auth=wrong", 401, { success: false, code: "invalid_token" }],
    ],
  ],
  [
    "a chat proves its user to its own server",
    [
      ["/generate_validator?auth={auth}&key=chat.example.org", 200, {}],
      ["/validate?v={validator}&key=chat.example.org", 200, { valid: true, ...ME }],
      ["/v2/validate?v={validator}&key=chat.example.org", 200, { valid: true, ...ME }],
      ["/validate?v={validator}&key=other.example.org", 200, { valid: false }],
      ["Bearer /v2/generate_validator?key=chat.example.org", 200, {}],
    ],
  ],
  [
    "a manager of keys creates, changes and reads one",
    [
      CREATED,
      ["/keys/update/{key}?auth={auth}&key=price&data=2", 200, { success: true }],
      ["/keys/update/{key}?auth={auth}&key={key}&data=007", 200, { success: true }],
      ["/keys/get/{key}?auth={auth}", 200, { key: "{key}", data: "007", price: 2, isCreator: true, owned: true }],
      ["/keys/check/{username}?key={key}", 200, { owned: true, owns: true }],
      ["/keys/get/{key}", 401, { code: "missing_token" }],
    ],
  ],
  [
    "a shop sells access, and its customer leaves",
    [
      CREATED,
      SHARED,
      ["/keys/check/{other}?key={key}", 200, { owns: true }],
      ["/keys/cancel/{key}?auth={auth}", 400, { code: "creator_access" }],
      ["/keys/cancel/{key}?auth={otherAuth}", 200, { user: "{other}", revoked: true }],
      ["/keys/cancel/{key}?auth={otherAuth}", 200, { user: "{other}", revoked: false }],
      ["/keys/get/{key}?auth={otherAuth}", 200, { owned: false, data: null }],
      ["/keys/revoke/{key}?auth={auth}&key={key}&user={other}", 200, { success: true }],
    ],
  ],
  [
    "a desktop reads files by path and by id",
    [
      ["/files/entries?auth={auth}&path=/", 200, [".folder", "{username}"]],
      ["/v2/files/entries?auth={auth}&path=nothing.txt", 404, { code: "no_such_entry" }],
      ["Bearer /v2/files/entries?only=index", 200, [".folder", "{username}"]],
      ["/read-files?auth={auth}&id=nothing", 404, { code: "no_such_entry" }],
    ],
  ],
];

test.each(PROGRAMS)("%s", async (_, steps) => {
  const { id, username, token } = user;
  const fields: Record<string, string> = { id, username, auth: token, token };
  Object.assign(fields, { other: holder.username, otherAuth: holder.token });
  const filled = (text: string) =>
    text.replace(/\{(\w+)(\.lower)?\}/g, (_all, name: string, lower?: string) => {
      const value = fields[name] ?? "";
      return lower ? value.toLowerCase() : value;
    });
  for (const step of steps) {
    if (step === "linked") await approve(fields.code ?? "", user);
    if (step === "linked") continue;
    const [call, status, expected] = step;
    const path = filled(call.replace(/^Bearer /, ""));
    const headers = call.startsWith("Bearer ") ? { Authorization: `Bearer ${fields.token}` } : undefined;
    const answer = await ask(path, { headers });
    expect([path, answer.status]).toEqual([path, status]);
    const body = JSON.parse(answer.text);
    const least = JSON.parse(filled(JSON.stringify(expected)));
    if (Array.isArray(least)) expect(body.slice(0, least.length)).toEqual(least);
    else expect(body).toMatchObject(least);
    for (const name of ["code", "token", "key", "validator"])
      if (status === 200 && typeof body[name] === "string") fields[name] = body[name];
  }
});

test("the id of a user is that of /me for every token, and of nobody else", async () => {
  const ids = await Promise.all([user, user, holder].map(async (one) => (await as(one, "/me")).body?.id));
  expect(ids).toEqual([user.id, user.id, holder.id]);
});

test.each([
  ["/keys/admin_add?username=somebody", 404],
  ["/keys/create", 400],
])("the guide for existing programs names what does not work: %s", async (path, status) => {
  const { text } = await ask("/docs/guides/existing-clients");
  expect(text).toContain(`<code>${path.split("?")[0]}</code>`);
  expect((await as(user, path)).status).toBe(status);
});

test("it says so of keys read without a token, and of permissions at the link", async () => {
  const { text } = await ask("/docs/guides/existing-clients");
  expect(text).toMatch(/reading a key without a token/);
  expect((await ask(`/keys/get/${key}`)).status).toBe(401);
  expect(text).toContain("<code>permissions</code>");
  expect((await ask("/link/code?permissions=account:view")).status).toBe(200);
});
