import type { JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { NO_KEY } from "@/tests/contract/keys";
import { CLIENTS } from "./clients";
import { encoded, first, next, type Pair, serviceOfFile, sign, stranger } from "./signing-service";

/** That a licence works without a network, for no longer than the service signed, whatever the clock says. */

const KEY = "9f0c1f6be2a94d2c8a35c2f7d0b1e6a4";
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const NOW = 1_790_000_000;
const jwks = { keys: [first.jwk] };
const service = serviceOfFile();

describe.each(Object.entries(CLIENTS))("%s", (_, Client) => {
  const proofOf = (nonce: string | null, changed: JWTPayload = {}) => ({
    ...{ iss: service.address, sub: "id of alice", username: "alice", key: KEY, owned: true, nonce, iat: NOW },
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
    using client = new Client(service.address);
    const given = { username: "alice", key: KEY, jwks, storage, now, ...more };
    const { answer, error } = await client.call("check_offline", given);
    return (answer as { storage: Record<string, string> } | undefined) ?? error?.[1];
  };
  /** What is stored after a check online. */
  const checked = async (changed?: JWTPayload) => {
    service.respond = proves(changed);
    const result = await check({});
    expect(result).toMatchObject({ isOffline: false });
    return (result as { storage: Record<string, string> }).storage;
  };

  const failures = ["nothing", { status: 429 }, { status: 500 }, { status: 503 }] as const;
  test.each(failures)("survives %j until its end", async (failure) => {
    const storage = await checked();
    service.respond = () => failure;
    const offline = { owned: true, isOffline: true, until: NOW + 7 * DAY, storage };
    expect(await check(storage)).toEqual(offline);
    expect(await check(storage, NOW + 7 * DAY - 1)).toEqual(offline);
    expect(service.requests).toHaveLength(3);
  });

  test("throws the service's error without a usable proof", async () => {
    const storage = await checked();
    service.respond = () => ({ status: 503 });
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
      service.respond = false_;
      for (const stored of [{}, storage]) expect(await check(stored)).toBe("bad_proof");
    }
    expect(storage).toEqual(before);
  });

  test("believes a refusal, and a signed no also when the service is unavailable", async () => {
    const storage = await checked();
    const refusal = { success: false, error: "No.", message: "No.", code: "network_blocked" };
    service.respond = () => ({ status: 403, body: refusal });
    expect(await check(storage)).toBe("network_blocked");
    const revoked = await checked({ owned: false });
    service.respond = () => "nothing";
    expect(await check(revoked)).toMatchObject({ owned: false, isOffline: true });
  });

  test("works online by a clock that is slow", async () => {
    service.respond = proves();
    expect(await check({}, NOW - DAY)).toMatchObject({ owned: true, isOffline: false });
  });

  test("takes a former key as long as the program has it", async () => {
    const storage = await checked();
    service.respond = proves({}, { by: next });
    expect(await check(storage)).toBe("bad_proof");
    const both = { jwks: { keys: [first.jwk, next.jwk] } };
    expect(await check(storage, NOW, both)).toMatchObject({ owned: true, isOffline: false });
  });

  /** The sentence with which a check fails. */
  const sentence = async (storage: Record<string, string>, now: number) => {
    using client = new Client(service.address);
    return (await client.call("check_offline", { username: "alice", key: KEY, jwks, storage, now })).error?.[3];
  };

  test.each([
    ["two hours slow", -2 * HOUR],
    ["20 minutes slow", -20 * MINUTE],
    ["20 minutes fast", 20 * MINUTE],
    ["eight days fast", 8 * DAY],
  ])("on a machine whose clock is %s, counts as long as elsewhere", async (_, wrong) => {
    service.respond = proves();
    const online = await check({}, NOW + wrong);
    const until = NOW + 7 * DAY + Math.max(0, wrong);
    expect(online).toMatchObject({ owned: true, isOffline: false, until });
    const { storage } = online as { storage: Record<string, string> };
    service.respond = () => ({ status: 503 });
    const offline = { owned: true, isOffline: true, until };
    for (const after of [0, 7 * DAY - 1]) expect(await check(storage, NOW + wrong + after)).toMatchObject(offline);
    // Also after that clock was put right.
    for (const at of [NOW, NOW + 7 * DAY - 1]) expect(await check(storage, at)).toMatchObject(offline);
    const earlier = Math.min(NOW, NOW + wrong) - 1;
    expect(await sentence(storage, earlier)).toMatch(/ The stored response does not count: The clock is slow\.$/);
    expect(await sentence(storage, until)).toMatch(/ does not count: What was signed has expired\.$/);
  });

  test("learns the keys that follow from what one of its own has signed, and goes on without that one", async () => {
    const third = { ...stranger, jwk: { ...stranger.jwk, kid: "third" } };
    const keys = (...pairs: Pair[]) => ({ keys: pairs.map(({ jwk }) => jwk) });
    let storage = await checked(keys(next));
    for (const [by, changed] of [
      [next, keys(third)],
      [next, keys(third)],
      [third, {}],
    ] as const) {
      service.respond = proves(changed, { by });
      const online = await check(storage);
      expect(online).toMatchObject({ owned: true, isOffline: false });
      ({ storage } = online as { storage: Record<string, string> });
      service.respond = () => ({ status: 503 });
      expect(await check(storage)).toMatchObject({ owned: true, isOffline: true });
    }
    const [of, keysOf] = [`latchkey:${service.address}:alice:${KEY}`, `latchkey:${service.address}:keys`];
    expect(Object.keys(storage).sort()).toEqual([of, keysOf]);
    expect([storage[keysOf]?.split(" ").length, storage[of]?.split(" ").length]).toEqual([2, 3]);
    // Also if the storage has room for one only.
    const [one, another] = [{ [of]: String(storage[of]) }, { [keysOf]: String(storage[keysOf]) }];
    expect(await check(one)).toMatchObject({ owned: true, isOffline: true });
    // They count for every question to this service.
    const asked = { username: "Alice", key: NO_KEY };
    service.respond = proves(asked, { by: third });
    expect(await check(another, NOW, asked)).toMatchObject({ owned: true, isOffline: false });
    service.respond = () => ({ status: 503 });
    // Nobody else's proof names any.
    const forged = await sign(proofOf(null, keys(next)), { typ: "proof+jwt", by: { ...next, jwk: first.jwk } });
    const ofNext = await sign(proofOf(null), { typ: "proof+jwt", by: next });
    for (const taught of [forged, "x", "", ofNext, `${forged} ${forged}`])
      expect(await check({ [keysOf]: taught, [of]: ofNext })).toMatch(/^(?:unavailable|http_503)$/);
  });
});
