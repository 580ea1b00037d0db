import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { env } from "@/lib/platform/env";
import { origin } from "@/tests/support/http";
import { newNetwork, sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername, postPassword } from "@/tests/support/user";

const somewhere = () => newNetwork().id;
const FAILING_TOKENS = 5;
/** Each guess costs a hash, so the limits of this service are reached sooner than by default. */
const FAILING_PASSWORDS = 3;

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

// Vercel's own proxy is the only peer there.
if (!inject("service").isOnVercel)
  describe("where no proxy is trusted", () => {
    let service: RunningService;
    beforeAll(async () => {
      const limits = {
        FAILED_TOKENS_PER_MINUTE: String(FAILING_TOKENS),
        FAILED_PASSWORDS_PER_10_MINUTES: String(FAILING_PASSWORDS),
      };
      service = await startService({ lane: "direct", database: "sqlite" }, { TRUSTED_PROXIES: "", ...limits });
    });
    afterAll(() => service?.stop());

    /** The statuses of so many questions with a token that is none, each from where the header says. */
    async function failTokens(count: number, name?: string): Promise<number[]> {
      const statuses: number[] = [];
      for (let asked = 0; asked < count; asked++) {
        const value = name === "Forwarded" ? `for=${somewhere()}` : somewhere();
        const headers: Record<string, string> = name === undefined ? {} : { [name]: value };
        statuses.push((await sendTo(service.url, "/me", { query: { auth: "lk_none" }, headers })).status);
      }
      return statuses;
    }

    test("whoever reaches the port chooses no address: what he writes is one network, and is logged", async () => {
      expect(await failTokens(7, "X-Forwarded-For")).toEqual([...Array(FAILING_TOKENS).fill(401), 429, 429]);
      for (const name of ["X-Real-IP", "Forwarded", "CF-Connecting-IP", "X-Forwarded-Host"])
        expect(await failTokens(1, name)).toEqual([429]);
      expect(await failTokens(7)).toEqual(Array(7).fill(401));
      const lines = readFileSync(service.logFile, "utf8").split("\n");
      const [warning, ...others] = lines.filter((line) => line.includes("TRUSTED_PROXIES"));
      expect(others).toEqual([]);
      expect(warning).toContain("through 127.0.0.1, on this machine, ");
      expect(warning).toContain("set TRUSTED_PROXIES=loopback.");
    });

    test("one behind the unnamed proxy locks nobody else out of an account", async () => {
      const username = newUsername();
      const guess = async (from?: string) => (await postPassword(service.url, username, "wrong password", from)).error;
      for (let guesses = 0; guesses <= FAILING_PASSWORDS; guesses++) await guess(somewhere());
      expect([await guess(somewhere()), await guess()]).toEqual(["invalid", "invalid"]);
    });
  });
