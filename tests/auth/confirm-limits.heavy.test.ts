import { expect, test } from "vitest";
import { authenticate, provePassword } from "@/lib/auth/authenticate";
import { confirmByPasskey } from "@/lib/auth/confirm";
import { hasRecentProof } from "@/lib/auth/recent-proof";
import { createUser } from "@/lib/auth/users";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { newNetwork } from "@/tests/support/network";
import { newUsername, signedIn } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const newOwner = async () => signedIn(await createUser({ username: newUsername(), password: PASSWORD }));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    ({ code }) => code,
  );

test("eleven wrong passwords in a session are refused; signing in from there is not", async () => {
  const owner = await newOwner();
  const network = newNetwork();
  const codes = [];
  for (let n = 0; n <= env.FAILED_PASSWORDS_PER_10_MINUTES; n++)
    codes.push(await codeOf(provePassword(owner, "wrong password", network)));
  expect(codes.slice(0, -1).every((code) => code === "wrong_password")).toBe(true);
  expect(codes.at(-1)).toBe("rate_limited");
  expect(await codeOf(provePassword(owner, PASSWORD, network))).toBe("rate_limited");
  expect(await codeOf(authenticate(owner.username, PASSWORD, network))).toBe("");
  expect(await codeOf(provePassword(await signedIn(owner), PASSWORD, network))).toBe("");
});

test("refused passkeys count towards the network's failed sign-ins", async () => {
  const owner = await newOwner();
  const source = { party: { id: "localhost", origin: "http://localhost" }, browser: newId(), network: newNetwork() };
  const confirm = () => codeOf(confirmByPasskey(owner, {}, source, new Date()));
  for (let n = 0; n < env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES; n++) expect(await confirm()).toBe("passkey_refused");
  expect(await confirm()).toBe("rate_limited");
  expect(await hasRecentProof(owner)).toBe(true);
});
