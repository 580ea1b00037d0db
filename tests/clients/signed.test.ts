import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { NO_KEY, newKey } from "@/tests/contract/keys";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { CLIENTS } from "./clients";
import { encoded, first, header, next, type Pair, serviceOfFile, sign, stranger } from "./signing-service";

/** That no client believes what the service has not signed, for whom it asked, and for now. */

const AUDIENCE = "play.example.org";
const DAY = 86_400;
const NOW = 1_790_000_000;
const jwks = { keys: [first.jwk] };
const service = serviceOfFile();

const claims = () => ({
  iss: service.address,
  sub: "id of alice",
  username: "alice",
  aud: AUDIENCE,
  iat: NOW,
  exp: NOW + 300,
});
const unsigned = (head: object) => `${encoded(head)}.${encoded(claims())}`;
const hmac = () =>
  new SignJWT(claims()).setProtectedHeader({ ...header, alg: "HS256" }).sign(Buffer.from(first.jwk.x, "base64url"));

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

describe.each(Object.entries(CLIENTS))("%s", (_, Client) => {
  describe("a validator", () => {
    const whoIs = async (validator: string, more: object = {}) => {
      using client = new Client(service.address);
      return await client.call("who_is", { validator, audience: AUDIENCE, now: NOW, jwks, ...more });
    };

    test("says who the user is, without a request", async () => {
      const alice = { answer: { id: "id of alice", username: "alice" } };
      expect(await whoIs(await sign(claims()))).toEqual(alice);
      expect(await whoIs(await sign({ ...claims(), iat: NOW + 60, exp: NOW + 1 }))).toEqual(alice);
      const azp = "My Game";
      expect(await whoIs(await sign({ ...claims(), azp }))).toEqual({ answer: { ...alice.answer, azp } });
      expect(service.requests).toEqual([]);
    });

    test.each(Object.entries(REFUSED))("%s is refused", async (_, made) => {
      service.respond = () => ({ body: jwks });
      expect((await whoIs(await made())).error?.slice(0, 2)).toEqual(["BadProof", "bad_proof"]);
    });

    test("is verified with keys that are fetched once an hour, and once a minute for a new one", async () => {
      let keys = [first.jwk];
      service.respond = () => ({ body: { keys } });
      using client = new Client(service.address);
      const ask = async (by: Pair, after: number) => {
        const validator = await sign({ ...claims(), exp: NOW + 2 * DAY }, { by });
        const sent = { validator, audience: AUDIENCE, now: NOW + after };
        const { answer } = await client.call("who_is", sent);
        return [Boolean(answer), service.requests.length];
      };
      expect(await ask(first, 0)).toEqual([true, 1]);
      keys = [next.jwk, first.jwk];
      expect(await ask(next, 59)).toEqual([false, 1]);
      expect(await ask(next, 61)).toEqual([true, 2]);
      expect(await ask(first, 3_600)).toEqual([true, 2]);
      keys = [next.jwk];
      expect(await ask(first, 3_662)).toEqual([false, 3]);
      expect(new Set(service.requests)).toEqual(new Set(["/.well-known/jwks.json"]));
    });
  });

  test("keys that are given are enough until one follows, which is asked for once a minute", async () => {
    using client = new Client(service.address);
    // No other test's, whose keys are remembered.
    const given = { keys: [{ ...first.jwk, use: "sig" }] };
    const ask = async (by: Pair, after: number) => {
      const validator = await sign({ ...claims(), exp: NOW + 2 * DAY }, { by });
      const { error } = await client.call("who_is", { validator, audience: AUDIENCE, now: NOW + after, jwks: given });
      return [error?.[1], service.requests.length];
    };
    const body = { success: false, error: "No.", message: "No.", code: "network_blocked" };
    service.respond = () => ({ status: 403, body });
    expect(await ask(first, 0)).toEqual([undefined, 0]);
    expect(await ask(next, 0)).toEqual(["network_blocked", 1]);
    expect(await ask(next, 59)).toEqual(["bad_proof", 1]);
    service.respond = () => ({ body: { keys: [next.jwk, first.jwk] } });
    expect(await ask(next, 61)).toEqual([undefined, 2]);
    expect(await ask(first, DAY)).toEqual([undefined, 3]);
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
