import { expect, test } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { newNetwork } from "@/tests/support/network";
import { makeUser, signedIn } from "@/tests/support/user";
import { recoverByCode } from "./recover-by";
import { codeOf } from "./refused";

const NEW = "another horse battery";

test("of two uses of a code at the same time, one wins", async () => {
  for (let round = 0; round < 50; round++) {
    const user = await makeUser();
    const [code] = await createRecoveryCodes(await signedIn(user), "", newNetwork());
    const passwords = [NEW, `${NEW} 2`];
    const uses = passwords.map((one) => codeOf(recoverByCode(user.username, String(code), one, false, newNetwork())));
    const codes = await Promise.all(uses);
    expect([...codes].sort()).toEqual(["ok", "wrong_code"]);
    const won = String(passwords[codes.indexOf("ok")]);
    expect(await authenticate(user.username, won, newNetwork())).toMatchObject({ id: user.id });
  }
});

test("of 10,000 guesses from one network, ten are looked at for a name, and fifty for many names", async () => {
  const user = await makeUser();
  const [code] = await createRecoveryCodes(await signedIn(user), "", newNetwork());
  const count = async (nameOf: (n: number) => string) => {
    const network = newNetwork();
    const codes: Record<string, number> = {};
    for (let n = 0; n < 5_000; n++) {
      const refused = await codeOf(recoverByCode(nameOf(n), `${n}`.padStart(24, "0"), NEW, false, network));
      codes[refused] = (codes[refused] ?? 0) + 1;
    }
    return codes;
  };
  expect(await count(() => user.username)).toEqual({ wrong_code: 10, rate_limited: 4_990 });
  expect(await count((n) => `guess${n}`)).toEqual({ wrong_code: 50, rate_limited: 4_950 });
  await recoverByCode(user.username, String(code), NEW, false, newNetwork());
});
