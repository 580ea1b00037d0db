import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { env } from "@/lib/env";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { postPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";

const { lane, database } = inject("target");
const { knowsNetworks } = inject("service");

const somewhere = () => newNetwork().id;
const FAILING_TOKENS = 5;
/** Each guess costs a hash, so the limits of these services are reached sooner than by default. */
const FAILING_PASSWORDS = 3;

if (knowsNetworks)
  test("wrong passwords count for the client that the proxy saw, whatever the client wrote before that", async () => {
    const [username, client] = [newUsername(), somewhere()];
    const guess = async (from: string) => (await postPassword(origin, username, "wrong password", from)).error;
    for (let guesses = 0; guesses < env.FAILED_PASSWORDS_PER_10_MINUTES; guesses++)
      expect(await guess(`${somewhere()}, ${client}`)).toBe("invalid");
    for (const claim of [somewhere(), "127.0.0.1", "unknown"])
      expect(await guess(`${claim}, ${client}`)).toBe("rate_limited");
    expect(await guess(client)).toBe("rate_limited");
    expect(await guess(`${client}, ${somewhere()}`)).toBe("invalid");
  });
else
  test(
    "where nobody vouches for an address, wrong passwords from one that somebody writes lock nobody out " +
      "of an account",
    async () => {
      const [username, client] = [newUsername(), somewhere()];
      const guess = async (from?: string) => (await postPassword(origin, username, "wrong password", from)).error;
      for (let guesses = 0; guesses <= env.FAILED_PASSWORDS_PER_10_MINUTES; guesses++)
        expect(await guess(client)).toBe("invalid");
      expect([await guess(client), await guess(somewhere()), await guess()]).toEqual(["invalid", "invalid", "invalid"]);
    },
  );

/** The statuses of so many questions with a token that is none, each from where the header says. */
async function failTokens(at: string, count: number, name?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const headers: Record<string, string> =
      name === undefined ? {} : { [name]: name === "Forwarded" ? `for=${somewhere()}` : somewhere() };
    statuses.push((await sendTo(at, "/me", { query: { auth: "lk_none" }, headers })).status);
  }
  return statuses;
}

const refusedFromThe6th = [...Array(FAILING_TOKENS).fill(401), 429, 429];

// Only this process knows its peers. Plain Next knows no networks, and on Vercel the platform's proxy is the only peer.
if (lane === "direct")
  describe.each([
    ["no proxy is trusted", ""],
    ["the trusted proxy is another machine", "192.0.2.1, linklocal"],
  ])("where %s", (_, TRUSTED_PROXIES) => {
    let service: RunningService;
    beforeAll(async () => {
      service = await startService(
        { lane, database },
        {
          TRUSTED_PROXIES,
          FAILED_TOKENS_PER_MINUTE: String(FAILING_TOKENS),
          FAILED_PASSWORDS_PER_10_MINUTES: String(FAILING_PASSWORDS),
        },
      );
    });
    afterAll(() => service?.stop());

    test(
      "whoever reaches the port chooses no address: all that he writes is one network, apart from direct " + "requests",
      async () => {
        expect(await failTokens(service.url, 7, "X-Forwarded-For")).toEqual(refusedFromThe6th);
        for (const name of ["X-Real-IP", "Forwarded", "CF-Connecting-IP", "X-Forwarded-Host"])
          expect(await failTokens(service.url, 1, name)).toEqual([429]);
        expect(await failTokens(service.url, 7)).toEqual(Array(7).fill(401));
      },
    );

    test("the log says once what to set, and nothing that anybody wrote", async () => {
      await failTokens(service.url, 3, "X-Forwarded-For");
      const lines = readFileSync(service.logFile, "utf8").split("\n");
      const warnings = lines.filter((line) => line.includes("TRUSTED_PROXIES"));
      const setting = [...(TRUSTED_PROXIES === "" ? [] : ["192.0.2.1", "linklocal"]), "loopback"].join(",");
      expect(warnings).toEqual([expect.stringContaining(`through 127.0.0.1, on this machine, `)]);
      expect(warnings[0]).toContain(`set TRUSTED_PROXIES=${setting}.`);
    });

    test("one behind the unnamed proxy locks nobody else out of an account", async () => {
      const username = newUsername();
      const guess = async (from?: string) => (await postPassword(service.url, username, "wrong password", from)).error;
      for (let guesses = 0; guesses <= FAILING_PASSWORDS; guesses++) await guess(somewhere());
      expect([await guess(somewhere()), await guess()]).toEqual(["invalid", "invalid"]);
    });
  });

if (lane === "direct")
  test("a start with a former setting says what to set instead", async () => {
    await expect(startService({ lane, database }, { TRUSTED_PROXY_HOPS: "1" })).rejects.toThrow(
      /TRUSTED_PROXY_HOPS is no longer read\. Set TRUSTED_PROXIES to/,
    );
  });
