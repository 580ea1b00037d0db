import { describe, expect, inject, test } from "vitest";
import { addPasskey, verifyRegistration } from "@/lib/accounts/ways-in/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { newId } from "@/lib/platform/ids";
import { Authenticator } from "@/tests/support/authenticator";
import { callAction } from "@/tests/support/call-action";
import { newNetwork, sendTo } from "@/tests/support/request";
import { cookiesOf, makeUser } from "@/tests/support/user";

const { url, eachUrl, isOnVercel } = inject("service");
/** Browsers have passkeys for names only. */
const origin = url.replace("127.0.0.1", "localhost");
/** Of a service that is one process, it twice. */
const [one = "", other = one] = eachUrl;
const party = { id: "localhost", origin };

/** Somebody with a passkey, in a browser of their own. */
async function newOwner() {
  const user = await makeUser();
  const key = new Authenticator(origin);
  const ceremony: Ceremony = { purpose: "add", party, browser: newId(), subject: user.id };
  await addPasskey(user.id, await verifyRegistration(key.create(newChallenge(ceremony)), ceremony));
  return { user, key, network: newNetwork().id };
}

/** A challenge of the process at `at`, and the browser's cookie. */
async function ask(at: string, network: string) {
  const asked = await callAction(at, "/signin", "optionsToSignIn", [], { origin, network });
  const challenge = /"challenge":"([\w-]+)"/.exec(asked.text)?.[1];
  if (!challenge) throw new Error(`There is no challenge: ${asked.status} ${asked.text}`);
  return { challenge, cookie: cookiesOf(asked) };
}

/** Signs in at the process at `at`. Returns the status, and whether there is a session. */
async function answerAt(at: string, answer: object, cookie: string, network: string) {
  const Host = new URL(origin).host;
  const started = await sendTo(at, "/api/auth/csrf", { network, headers: { Host } });
  const body = new URLSearchParams({
    csrfToken: String(started.body?.csrfToken),
    answer: JSON.stringify(answer),
    callbackUrl: origin,
    json: "true",
  }).toString();
  const sent = await sendTo(at, "/api/auth/callback/passkey", {
    method: "POST",
    network,
    body,
    headers: {
      Host,
      Origin: origin,
      Cookie: `${cookie}; ${cookiesOf(started)}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(body.length),
    },
  });
  return { status: sent.status, isSignedIn: cookiesOf(sent).includes("session-token="), text: sent.text };
}

if (isOnVercel)
  test("where the service's own address is a number, there are no passkeys", async () => {
    const { text } = await callAction(url, "/signin", "optionsToSignIn", [], { network: newNetwork().id });
    expect(text).toContain("Passkeys need a name instead of 127.0.0.1.");
  });
else
  describe("passkeys", () => {
    test("a challenge of one process is answered at the other, once in all", async () => {
      const { key, network } = await newOwner();
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const { challenge, cookie } = await ask(from, network);
        const answer = key.get(challenge);
        expect(await answerAt(to, answer, cookie, network)).toMatchObject({ status: 200, isSignedIn: true });
        for (const again of [from, to]) {
          const refused = await answerAt(again, answer, cookie, network);
          expect(refused).toMatchObject({ status: 401, isSignedIn: false });
          expect(refused.text).toContain("passkey_expired");
        }
      }
    });

    test("of two answers at the same time, one at each process, one signs in, ten times", async () => {
      const { key, network } = await newOwner();
      for (let round = 0; round < 10; round++) {
        const { challenge, cookie } = await ask(one, network);
        const answer = key.get(challenge);
        const both = await Promise.all([one, other].map((at) => answerAt(at, answer, cookie, newNetwork().id)));
        expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
      }
    });
  });
