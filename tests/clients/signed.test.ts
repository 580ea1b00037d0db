import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NO_KEY, newKey } from "@/tests/contract/keys";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { PythonClient } from "./python";
import { TypeScriptClient } from "./typescript";

/** That no client believes what the service has not signed, for whom it asked, and for now. */

const KEY = "9f0c1f6be2a94d2c8a35c2f7d0b1e6a4";
const AUDIENCE = "play.example.org";
const DAY = 86_400;
const NOW = 1_790_000_000;

interface Pair {
  privateKey: CryptoKey;
  jwk: { kid: string; kty: string; crv: string; x: string };
}

async function newPair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
  const { kty = "", crv = "", x = "" } = await exportJWK(publicKey);
  return { privateKey, jwk: { kid, kty, crv, x } };
}

const [service, next, stranger] = (await Promise.all(["first", "next", "first"].map(newPair))) as [Pair, Pair, Pair];
const jwks = { keys: [service.jwk] };

/** What the service of the tests does when it is asked. */
type Response = { status?: number; body?: object } | "nothing";
let respond: (url: URL) => Response | Promise<Response>;
let requests: string[];
const server = createServer(async ({ url = "" }, response) => {
  const at = new URL(url, "http://localhost");
  requests.push(at.pathname);
  const found = await respond(at);
  if (found === "nothing") return response.destroy();
  const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=3600", "Retry-After": "300" };
  response.writeHead(found.status ?? 200, headers).end(JSON.stringify(found.body ?? {}));
});
let address: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const header = { alg: "EdDSA", typ: "validator+jwt", kid: "first" };
const sign = (claims: JWTPayload, { by = service, ...changed }: { by?: Pair; typ?: string; kid?: string } = {}) =>
  new SignJWT(claims).setProtectedHeader({ ...header, kid: by.jwk.kid, ...changed }).sign(by.privateKey);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const claims = () => ({ iss: address, sub: "id of alice", username: "alice", aud: AUDIENCE, iat: NOW, exp: NOW + 300 });
const unsigned = (head: object) => `${encoded(head)}.${encoded(claims())}`;
const hmac = () =>
  new SignJWT(claims()).setProtectedHeader({ ...header, alg: "HS256" }).sign(Buffer.from(service.jwk.x, "base64url"));

/** What is no validator of alice for this audience, now. */
const REFUSED: Record<string, () => string | Promise<string>> = {
  "with a changed name": async () => {
    const [head, , signature] = (await sign(claims())).split(".");
    return `${head}.${encoded({ ...claims(), username: "bob" })}.${signature}`;
  },
  "of another server's key": () => sign(claims(), { by: stranger }),
  "of an unknown key": () => sign(claims(), { by: next }),
  "with its key in the header": async () => {
    const signer = new SignJWT(claims()).setProtectedHeader({ ...header, jwk: stranger.jwk });
    return signer.sign(stranger.privateKey);
  },
  "without a signature": () => `${unsigned({ ...header, alg: "none" })}.`,
  "with an empty signature": () => `${unsigned(header)}.`,
  "with the public key as the secret of an HMAC": hmac,
  "for another audience": () => sign({ ...claims(), aud: "another" }),
  "for several audiences": () => sign({ ...claims(), aud: [AUDIENCE, "another"] }),
  "of another service": () => sign({ ...claims(), iss: "https://elsewhere.example" }),
  "that has expired": () => sign({ ...claims(), exp: NOW }),
  "without an end": () => sign({ ...claims(), exp: undefined }),
  "from the future": () => sign({ ...claims(), iat: NOW + 61 }),
  "that is not valid yet": () => sign({ ...claims(), nbf: NOW + 61 }),
  "that is a proof": () => sign(claims(), { typ: "proof+jwt" }),
  "with a line break": async () => `${await sign(claims())}\n`,
  "with padding": async () => `${await sign(claims())}==`,
  "with a blank within": async () => (await sign(claims())).replace(/.$/, " $&"),
  "with other bits at the end": async () =>
    (await sign(claims())).replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
  "in four parts": async () => `${await sign(claims())}.more`,
  "in no part": () => "",
  "of no base64": () => "é.{}.!",
  "of nested JSON": () => `${Buffer.from("[".repeat(100_000)).toString("base64url")}.e30.AA`,
};

describe.each([
  ["python", PythonClient],
  ["typescript", TypeScriptClient],
] as const)("%s", (_, Client) => {
  describe("a validator", () => {
    const whoIs = async (validator: string, more: object = {}) => {
      using client = new Client(address);
      return await client.call("who_is", { validator, audience: AUDIENCE, now: NOW, jwks, ...more });
    };

    test("says who the user is, without a request", async () => {
      const alice = { answer: { id: "id of alice", username: "alice" } };
      expect(await whoIs(await sign(claims()))).toEqual(alice);
      expect(await whoIs(await sign({ ...claims(), iat: NOW + 60, exp: NOW + 1 }))).toEqual(alice);
      const azp = "My Game";
      expect(await whoIs(await sign({ ...claims(), azp }))).toEqual({ answer: { ...alice.answer, azp } });
      expect(requests).toEqual([]);
    });

    test.each(Object.entries(REFUSED))("%s is refused", async (_, made) => {
      expect((await whoIs(await made())).error?.slice(0, 2)).toEqual(["BadProof", "bad_proof"]);
    });

    test("is verified with keys that are fetched once an hour, and once a minute for a new one", async () => {
      let keys = [service.jwk];
      respond = () => ({ body: { keys } });
      using client = new Client(address);
      const ask = async (by: Pair, after: number) => {
        const validator = await sign({ ...claims(), exp: NOW + 2 * DAY }, { by });
        const sent = { validator, audience: AUDIENCE, now: NOW + after };
        const { answer } = await client.call("who_is", sent);
        return [Boolean(answer), requests.length];
      };
      expect(await ask(service, 0)).toEqual([true, 1]);
      keys = [next.jwk, service.jwk];
      expect(await ask(next, 59)).toEqual([false, 1]);
      expect(await ask(next, 61)).toEqual([true, 2]);
      expect(await ask(service, 3_600)).toEqual([true, 2]);
      keys = [next.jwk];
      expect(await ask(service, 3_662)).toEqual([false, 3]);
      expect(new Set(requests)).toEqual(new Set(["/.well-known/jwks.json"]));
    });
  });

  describe("an offline check", () => {
    const proofOf = (nonce: string | null, changed: JWTPayload = {}) => ({
      ...{ iss: address, sub: "id of alice", username: "alice", key: KEY, owned: true, nonce, iat: NOW },
      ...{ exp: NOW + 7 * DAY, ...changed },
    });
    const proves =
      (changed: JWTPayload = {}, how: Parameters<typeof sign>[1] = {}) =>
      async ({ searchParams }: URL) => {
        const proof = await sign(proofOf(searchParams.get("sign"), changed), { typ: "proof+jwt", ...how });
        const response = { owned: true, owns: true, username: "alice", key: KEY };
        return { body: { ...response, proof } };
      };
    const check = async (storage: Record<string, string>, now = NOW, more: object = {}) => {
      using client = new Client(address);
      const given = { username: "alice", key: KEY, jwks, storage, now, ...more };
      const { answer, error } = await client.call("check_offline", given);
      return (answer as { storage: Record<string, string> } | undefined) ?? error?.[1];
    };
    /** What is stored after a check online. */
    const checked = async (changed?: JWTPayload) => {
      respond = proves(changed);
      const result = await check({});
      expect(result).toMatchObject({ isOffline: false });
      return (result as { storage: Record<string, string> }).storage;
    };

    const failures = ["nothing", { status: 429 }, { status: 500 }, { status: 503 }] as const;
    test.each(failures)("survives %j until its end", async (failure) => {
      const storage = await checked();
      respond = () => failure;
      const offline = { owned: true, isOffline: true, until: NOW + 7 * DAY, storage };
      expect(await check(storage)).toEqual(offline);
      expect(await check(storage, NOW + 7 * DAY - 1)).toEqual(offline);
      expect(requests).toHaveLength(3);
    });

    test("throws the service's error without a usable proof", async () => {
      const storage = await checked();
      respond = () => ({ status: 503 });
      const [[name, proof]] = Object.entries(storage) as [[string, string]];
      const [head, , signature] = proof.split(".");
      const forged = `${head}.${encoded(proofOf(null, { exp: NOW + 99 * DAY }))}.${signature}`;
      const strange = await sign(proofOf(null), { typ: "proof+jwt", by: stranger });
      const ofBob = await sign(proofOf(null, { username: "bob" }), { typ: "proof+jwt" });
      const ofOther = await sign(proofOf(null, { key: NO_KEY }), { typ: "proof+jwt" });
      const validator = await sign(proofOf(null));
      const unavailable = expect.stringMatching(/^(?:unavailable|http_503)$/);
      for (const stored of [forged, strange, ofBob, ofOther, validator, "", "x"])
        expect(await check({ [name]: stored })).toEqual(unavailable);
      expect(await check({})).toEqual(unavailable);
      // Its end, a clock that was set back, a key that the program does not have.
      expect(await check(storage, NOW + 7 * DAY)).toEqual(unavailable);
      expect(await check(storage, NOW - 1)).toEqual(unavailable);
      expect(await check(storage, NOW, { jwks: { keys: [next.jwk] } })).toEqual(unavailable);
      expect(await check(storage, NOW, { username: "bob" })).toEqual(unavailable);
      expect(await check(storage, NOW, { key: NO_KEY })).toEqual(unavailable);
    });

    test("grants nothing that another server says, and stores none of it", async () => {
      const storage = await checked();
      const before = { ...storage };
      for (const false_ of [
        proves({ nonce: "an earlier one" }),
        proves({}, { by: stranger }),
        proves({}, { by: next }),
        proves({}, { typ: "validator+jwt" }),
        proves({ username: "bob" }),
        proves({ key: NO_KEY }),
        proves({ iss: "https://elsewhere.example" }),
        proves({ exp: NOW }),
        () => ({ body: { owned: true, owns: true, username: "alice", key: KEY } }),
      ]) {
        respond = false_;
        for (const stored of [{}, storage]) expect(await check(stored)).toBe("bad_proof");
      }
      expect(storage).toEqual(before);
    });

    test("believes a refusal, and a signed no also when the service is unavailable", async () => {
      const storage = await checked();
      const refusal = { success: false, error: "No.", message: "No.", code: "network_blocked" };
      respond = () => ({ status: 403, body: refusal });
      expect(await check(storage)).toBe("network_blocked");
      const revoked = await checked({ owned: false });
      respond = () => "nothing";
      expect(await check(revoked)).toMatchObject({ owned: false, isOffline: true });
    });

    test("works online by a clock that is slow", async () => {
      respond = proves();
      expect(await check({}, NOW - DAY)).toMatchObject({ owned: true, isOffline: false });
    });

    test("takes a former key as long as the program has it", async () => {
      const storage = await checked();
      respond = proves({}, { by: next });
      expect(await check(storage)).toBe("bad_proof");
      const both = { jwks: { keys: [service.jwk, next.jwk] } };
      expect(await check(storage, NOW, both)).toMatchObject({ owned: true, isOffline: false });
    });
  });

  test("works with the service, whose keys are fetched or pinned", async () => {
    const user = await makeUser();
    const key = await newKey(user);
    using client = new Client(origin, user.token);
    const pinned = JSON.parse((await ask("/.well-known/jwks.json")).text);
    const { answer: validator } = await client.call("validator", { audience: AUDIENCE });
    for (const jwks of [undefined, pinned]) {
      const of = { id: user.id, username: user.username };
      expect(await client.call("who_is", { validator, audience: AUDIENCE, jwks })).toEqual({ answer: of });
      const refused = await client.call("who_is", { validator, audience: "another", jwks });
      expect(refused.error?.[1]).toBe("bad_proof");
    }
    for (const [id, owned] of [
      [key, true],
      [NO_KEY, false],
    ] as const) {
      const given = { username: user.username, key: id, jwks: pinned, storage: {} };
      expect((await client.call("check_offline", given)).answer).toMatchObject({ owned, isOffline: false });
    }
  });
});
