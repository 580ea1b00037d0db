import { describe, expect, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { createRecoveryCodes } from "@/lib/accounts/recovery/codes";
import { recoveryOf } from "@/lib/accounts/recovery/recover";
import { setDisabled } from "@/lib/accounts/role";
import { openSession, sessionUser } from "@/lib/accounts/sessions";
import { authenticate } from "@/lib/accounts/sign-in";
import { revealToken } from "@/lib/accounts/token";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn } from "@/tests/support/user";
import { recoverByCode } from "./recover-by";

const OLD = "correct horse battery";
const NEW = "another horse battery";

/** A user without a password, for whom hashing takes no time, and the user's codes. */
async function prepared() {
  const user = await makeUser();
  const codes = await createRecoveryCodes(await signedIn(user), "", { network: newNetwork() });
  return { user, codes, code: String(codes[0]) };
}
const recover = (username: string, code: string, alsoToken = false) =>
  recoverByCode(username, code, { password: NEW, token: alsoToken, network: newNetwork() });

describe("recovery codes", () => {
  test("are ten, each good once for a new password; all browsers are signed out, and the token stays", async () => {
    const { user, codes, code } = await prepared();
    expect(new Set(codes).size).toBe(10);
    for (const one of codes) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
    const session = await openSession(user, { userAgent: "", network: "" });
    const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
    expect(await recover(user.username.toUpperCase(), typed)).toMatchObject({ username: user.username });
    expect(await authenticate(user.username, NEW, { network: newNetwork() })).toMatchObject({ id: user.id });
    expect(await sessionUser(String(session))).toBeNull();
    expect(await revealToken(user.id)).toBe(user.token);
    expect((await recoveryOf(user.id)).codes.left).toBe(9);
    expect(await codeOf(recover(user.username, code))).toBe("wrong_code");

    await recover(user.username, String(codes[1]), true);
    expect(await revealToken(user.id)).not.toBe(user.token);
    const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
    const actions = ["recovery.codes", "user.signin", "recovery.use", "recovery.use", "token.rotate"];
    expect(events.map(({ action }) => action)).toEqual(actions);
    expect(events.map(({ actorId }) => actorId)).toEqual(actions.map(() => user.id));
    expect(JSON.parse(String(events[2]?.detail))).toMatchObject({ through: "code" });
    for (const one of codes) expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain(one);
  });

  test("an unknown name, another user's code, a wrong one and a disabled account get the same answer", async () => {
    const [one, other] = [await prepared(), await prepared()];
    const refusal = (name: string, code: string) =>
      recover(name, code).catch(({ status, code, message, field }) => ({ status, code, message, field }));
    const answers = [
      await refusal(newUsername(), one.code),
      await refusal(other.user.username, one.code),
      await refusal(one.user.username, "0000-0000-0000-0000-0000-0000"),
      await refusal((await makeUser()).username, ""),
      await refusal(one.user.username, one.code + " ".repeat(80)),
      await refusal(one.user.username, "A".repeat(60_000)),
      await refusal(one.user.username, "x".repeat(100_000)),
    ];
    await setDisabled(one.user.username, { disabled: true });
    answers.push(await refusal(one.user.username, one.code));
    expect(answers[0]).toMatchObject({ status: 401, code: "wrong_code", field: "code" });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await setDisabled(one.user.username, { disabled: false });
    await recover(one.user.username, one.code);
  });

  test("new ones take the password, and end the former ones; a refused password uses none up", async () => {
    const user = await createUser({ username: newUsername(), password: OLD });
    const here = await signedIn(user);
    expect(await codeOf(createRecoveryCodes(here, "wrong password", { network: newNetwork() }))).toBe("wrong_password");
    expect(await recoveryOf(user.id)).toEqual({ codes: { left: 0, createdAt: null }, link: null });
    const [former] = await createRecoveryCodes(here, OLD, { network: newNetwork() });
    const [code] = await createRecoveryCodes(here, OLD, { network: newNetwork() });
    expect(await codeOf(recover(user.username, String(former)))).toBe("wrong_code");
    const short = recoverByCode(user.username, String(code), { password: "short", network: newNetwork() });
    expect(await codeOf(short)).toBe("invalid_parameter");
    await recover(user.username, String(code));
  });

  test("of two uses at the same time, one wins", async () => {
    for (let round = 0; round < sized(2, 30); round++) {
      const { user, code } = await prepared();
      const passwords = [NEW, `${NEW} 2`];
      const uses = passwords.map((one) =>
        codeOf(recoverByCode(user.username, code, { password: one, network: newNetwork() })),
      );
      const codes = await Promise.all(uses);
      expect([...codes].sort()).toEqual(["ok", "wrong_code"]);
      const won = String(passwords[codes.indexOf("ok")]);
      expect(await authenticate(user.username, won, { network: newNetwork() })).toMatchObject({ id: user.id });
    }
  });

  test("are tried ten times for a name and a network, fifty times for many names; elsewhere all is open", async () => {
    const { user, code } = await prepared();
    const guess = async (nameOf: (n: number) => string, network = newNetwork()) => {
      const codes: Record<string, number> = {};
      for (let n = 0; n < 60; n++) {
        const refused = await codeOf(recoverByCode(nameOf(n), `${n}`.padStart(24, "0"), { password: NEW, network }));
        codes[refused] = (codes[refused] ?? 0) + 1;
      }
      return codes;
    };
    const network = newNetwork();
    expect(await guess(() => user.username, network)).toEqual({ wrong_code: 10, rate_limited: 50 });
    expect(await codeOf(recoverByCode(user.username, code, { password: NEW, network }))).toBe("rate_limited");
    expect(await guess((n) => `guess${n}`)).toEqual({ wrong_code: 50, rate_limited: 10 });
    await recover(user.username, code);
  });
});
