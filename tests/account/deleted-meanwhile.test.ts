import { describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { createToken } from "@/lib/accounts/access-tokens/create";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import type { Caller } from "@/lib/accounts/user";
import type { Declaration } from "@/lib/api/declaration";
import { endpoint } from "@/lib/api/endpoint";
import { createKey } from "@/lib/keys/create";
import { forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { makeUser } from "@/tests/support/user";

/** What a program gets whose user, or whose token, is deleted while its request is running: never a fault of ours. */

const DECLARATIONS = Object.values(routes)
  .map(({ GET }) => GET.declaration as Declaration)
  .filter(({ caller, respond }) => caller === "token" && respond);

type Meanwhile = (caller: Caller) => Promise<unknown>;

/** The response of this route, if that happens between its checks and what it does. */
async function responseWith(declaration: Declaration, token: string, key: string, meanwhile: Meanwhile) {
  const { GET } = endpoint({
    ...declaration,
    async respond(call) {
      await meanwhile(call.caller as Caller);
      return declaration.respond(call);
    },
  });
  const path = declaration.path.replace("{id}", key).replace("{username}", "alice");
  const query = new URLSearchParams({ ...declaration.example.parameters, auth: token });
  if (query.has("key") && path.endsWith(key)) query.set("key", key);
  const response = await GET(new Request(`http://localhost:3000${path}?${query}`));
  return { status: response.status, body: await response.text() };
}

describe.each(DECLARATIONS.map((declaration) => [declaration.path, declaration] as const))("%s", (_, declaration) => {
  test.each<[string, Meanwhile]>([
    // A process may forget at any time what opens the data.
    ["the account is deleted", ({ id }) => db.user.delete({ where: { id } }).then(forgetUserKeys)],
    ["the token is removed", ({ id, accessToken }) => removeToken(id, { id: String(accessToken?.id) })],
  ])("is no fault of the service if meanwhile %s", async (_, meanwhile) => {
    const user = await makeUser();
    const { id } = await createKey({ ...user, role: "user" }, { data: "secret", price: "1" });
    const { token } = await createToken(user.id, { name: "Tool", access: "everything", days: null });
    const { status, body } = await responseWith(declaration, token, id, meanwhile);
    expect([status, status === 401 ? JSON.parse(body).code : ""]).toEqual([
      expect.toSatisfy((code: number) => code < 500),
      status === 401 ? "invalid_token" : "",
    ]);
  });
});
