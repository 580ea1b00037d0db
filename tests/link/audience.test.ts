import { decodeJwt } from "jose";
import { expect, it } from "vitest";
import { partyNamed } from "@/lib/accounts/access-tokens/prove";
import { findTokenCaller } from "@/lib/accounts/access-tokens/use";
import { createValidator } from "@/lib/accounts/validators";
import { approveRequest } from "@/lib/link/approve";
import { viewRequest } from "@/lib/link/view";
import { newNetwork } from "@/tests/support/request";
import { collect, requested } from "./flow";

const GAME = "https://game.example";
const OTHER = "chat.example";

it.each([
  ["a web page", { webPage: GAME }, [GAME, "game.example"], GAME],
  ["a web page that names another site", { webPage: GAME, audience: OTHER }, [OTHER], GAME],
  ["a program", { name: "My Game", access: "identity" }, ["My Game"], "My Game"],
  [
    "a program with several blanks",
    { name: "My  new\u00a0game", access: "read" },
    ["My new game"],
    "My  new\u00a0game",
  ],
  ["a program that names a server", { name: "My Game", audience: OTHER }, [OTHER], "My Game"],
  ["a program that is called like a page", { name: GAME, access: "read" }, [GAME], "game.example"],
  ["a program that a parser takes for a page", { name: "https:/a.b", access: "read" }, ["https:/a.b"], "a.b"],
] as const)("%s proves who its user is to what the page names, and to nobody else", async (_, options, own, azp) => {
  const { code, network, id, actor } = await requested(newNetwork(), new Date(), options);
  const [shown] = own.slice(-1);
  const isAnothers = "audience" in options || ("name" in options && options.name.startsWith("http"));
  expect((await viewRequest(actor, id))?.audience).toEqual({ text: shown, isAnothers });
  const webPage = "webPage" in options ? options.webPage : null;
  await approveRequest(actor, id, { opener: webPage ?? undefined });
  const caller = await findTokenCaller(String((await collect(code, network, new Date(), { webPage }))?.token));
  const made = (audience: string) => createValidator(caller, { audience, issuer: "https://keys.example" });
  for (const aud of own) expect(decodeJwt((await made(aud)).validator)).toMatchObject({ aud, azp });
  for (const audience of [OTHER, GAME, "GAME.example", "game.example ", "*", `${own[0]}.`])
    if (!(own as readonly string[]).includes(audience))
      await expect(made(audience)).rejects.toMatchObject({ status: 403, code: "audience_not_approved" });
});

it.each([
  ["in its own window", GAME, GAME],
  ["by its letters, which any program can say are a page's", undefined, "game.example"],
  ["in the window of another page", "https://evil.example", "game.example"],
])("a web page that is approved %s is an origin in what it proves only if that is sure", async (_, opener, azp) => {
  const { code, network, id, actor } = await requested(newNetwork(), new Date(), { webPage: GAME });
  await approveRequest(actor, id, { opener });
  const caller = await findTokenCaller(String((await collect(code, network, new Date(), { webPage: GAME }))?.token));
  const { validator } = await createValidator(caller, { audience: GAME, issuer: "https://keys.example" });
  expect(decodeJwt(validator).azp).toBe(azp);
});

it.each([
  ["chat.example", true],
  ["https://chat.example", true],
  ["localhost:3000", true],
  ["game.exe, version 2.0", false],
  ["Game", false],
])("the page warns that a program called “%s” could sign in elsewhere: %s", async (name, isAnothers) => {
  const { id, actor } = await requested(newNetwork(), new Date(), { name, access: "identity" });
  expect((await viewRequest(actor, id))?.audience).toEqual({ text: name, isAnothers });
});

it.each([
  ["a://", "program"],
  ["  ", "program"],
  ["https:https:\\\\a.b", "a.b"],
  ["Game: the sequel", "Game: the sequel"],
])("a program that is called “%s” is never a site or nobody in what it proves: %s", (name, party) => {
  expect(partyNamed(name)).toBe(party);
});
