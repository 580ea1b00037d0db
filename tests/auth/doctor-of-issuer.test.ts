import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "@/tests/support/admin";
import { type Issuer, startIssuer } from "@/tests/support/issuer";

let issuer: Issuer;
let refusal = "";
const proxy = createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`));
beforeAll(async () => {
  issuer = await startIssuer("latchkey");
  await once(proxy.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  issuer.stop();
  proxy.close();
});

/** What the doctor says of signing in there. */
async function doctor(set: Record<string, string> = {}): Promise<{ problem: string; advice: string }[]> {
  const { stdout } = await runAdmin(["doctor"], {
    ...process.env,
    ...{ OIDC_ISSUER: issuer.url, OIDC_ID: "latchkey", OIDC_SECRET: "a secret" },
    ...set,
  });
  return JSON.parse(stdout).problems.filter(({ check }: { check: string }) => check === "sign-in");
}

test("nothing is wrong with an issuer that is well", async () => {
  expect(await doctor()).toEqual([]);
});

test.each([
  [{ id_token_signing_alg_values_supported: ["HS256"] }, "signs in no way that can be verified with its public keys"],
  [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, "takes no client secret: private_key_jwt"],
  [{ require_pushed_authorization_requests: true }, "takes only pushed authorization requests"],
])("names why nobody could sign in with %j", async (metadata, problem) => {
  issuer.metadata = metadata;
  expect(await doctor()).toEqual([expect.objectContaining({ problem: expect.stringContaining(problem) })]);
  issuer.metadata = {};
});

test.each([
  ["407 Proxy Authentication Required", "user and password"],
  ["403 Forbidden", "NO_PROXY"],
])("does not take a proxy's %s for the issuer's", async (status, advice) => {
  refusal = status;
  const { port } = proxy.address() as AddressInfo;
  expect(await doctor({ HTTP_PROXY: `127.0.0.1:${port}` })).toEqual([
    expect.objectContaining({
      problem: expect.stringContaining(
        `The proxy in HTTP_PROXY does not open the way to the issuer: ${status.slice(0, 3)}`,
      ),
      advice: expect.stringContaining(advice),
    }),
  ]);
});
