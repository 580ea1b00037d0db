import { Argument, Option } from "@commander-js/extra-typings";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { findUser } from "@/lib/accounts/identity/user";
import { ACCESSES } from "@/lib/platform/access";
import { OPERATOR } from "@/lib/platform/audit";
import { removeToken } from "@/lib/user-data/revoke-token";
import { command, commandAction, wholeNumber } from "../command";

const MAX_DAYS = 36_500;
const user = () => new Argument("<user>", "The username, in upper or lower case");

export const tokenCommands = [
  command("token:list", "List the tokens of a user's programs", "token:list alice")
    .description("List the tokens of a user's programs: one JSON line each, latest first. Never the token itself.")
    .addArgument(user())
    .action(
      commandAction(async (name) => {
        const { id } = await findUser(name);
        return (await tokensOf(id)).map(({ id: token, ...listed }) => ({ token, ...listed }));
      }),
    ),
  command(
    "token:create",
    "Create a token for one program and show it",
    "token:create alice Backup --access read --days 30",
  )
    .description("Create a token for one program and show it, once: only its hash is stored.")
    .addArgument(user())
    .argument("<name>", "A name for the token, up to 40 characters")
    .addOption(new Option("--access <access>", "What it may do").choices(ACCESSES).default("everything" as const))
    .option("--audience <server>", "The server to which it proves who its user is; without it, one with its name")
    .option("--days <n>", "Days until it expires; without it, it never expires", wholeNumber("The days", MAX_DAYS))
    .action(
      commandAction(async (username, tokenName, { access, audience, days: lasting }) => {
        const { id } = await findUser(username);
        const { name, token, expiresAt } = await createToken(
          id,
          { name: tokenName, access, audience, days: lasting ?? null },
          { actorId: OPERATOR },
        );
        return { name, access, expiresAt, token };
      }),
    ),
  command("token:revoke", "Revoke a token; it stops working immediately", "token:revoke alice Backup")
    .addArgument(user())
    .argument("<name>", "The token's name")
    .action(
      commandAction(async (username, tokenName) => {
        const { id, username: owner } = await findUser(username);
        return { username: owner, revoked: await removeToken(id, { name: tokenName }, { actorId: OPERATOR }) };
      }),
    ),
];
