import { Argument, Option } from "@commander-js/extra-typings";
import { setRole } from "@/lib/accounts/identity/role";
import { revealToken, rotateToken } from "@/lib/accounts/identity/token";
import { findUser } from "@/lib/accounts/identity/user";
import { endAllSessions, sessionsOf } from "@/lib/accounts/session/sessions";
import { setPassword } from "@/lib/accounts/ways-in/change-password";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { createInvitation } from "@/lib/accounts/ways-in/invitations";
import { hasAddress, removeAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { removePasskey } from "@/lib/accounts/ways-in/passkeys/remove";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { OPERATOR } from "@/lib/platform/audit";
import { counted, durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { command, commandAction } from "../command";
import { readPassword } from "../password";
import { printJson, printMessage } from "../terminal";

const ROLES = ["admin", "user"] as const;
const WHILE = durationInWords(LINK_HOURS * 3_600);
const NAME = "The username, in upper or lower case";

export const userCommands = [
  command("user:create", "Create users and show their tokens", "user:create alice")
    .description(
      "Create users and show their tokens, one JSON line each. Reserved names, like support, are allowed here. Asks " +
        "for each password in a terminal; otherwise reads one user's from standard input. A name that is refused " +
        "does not stop the others.",
    )
    .argument("<name...>", "The new usernames")
    .action(commandAction(createUsers)),
  command("user:token", "Show or replace a user's token", "user:token alice --rotate")
    .argument("<name>", NAME)
    .option("--rotate", "Create a new token; the old one stops working immediately")
    .action(
      commandAction(async (name, { rotate }) => {
        const { id, username } = await findUser(name);
        return { username, token: await (rotate ? rotateToken : revealToken)(id, { actorId: OPERATOR }) };
      }),
    ),
  command("user:role", "Change a user's role", "user:role alice admin")
    .argument("<name>", NAME)
    .addArgument(new Argument("<role>", "Admins manage every key, but can read only the keys they hold").choices(ROLES))
    .action(
      commandAction(async (name, role) => {
        const { username } = await findUser(name);
        await setRole(username, role);
        return { username, role };
      }),
    ),
  command("user:disable", "Disable a user; their token and sessions stop working immediately", "user:disable alice")
    .argument("<name>", NAME)
    .action(commandAction((name) => disable(name, true))),
  command("user:enable", "Enable a disabled user; their token works again", "user:enable alice")
    .argument("<name>", NAME)
    .action(commandAction((name) => disable(name, false))),
  command("user:password", "Set a new password", "user:password alice")
    .description(
      "Set a new password. Asks for it twice in a terminal, without showing it; " +
        "otherwise reads it from standard input.",
    )
    .argument("<name>", NAME)
    .action(
      commandAction(async (name) => {
        const { username } = await findUser(name);
        const password = await readPassword(`New password for ${username}`);
        if (password === null)
          throw invalidParameter("No password given. Type one in a terminal, or pipe one into this command.");
        await setPassword(username, password);
        return { username };
      }),
    ),
  command("user:passkeys", "List a user's passkeys, or remove one", "user:passkeys alice")
    .description(
      "List a user's passkeys: one JSON line each, latest first. Or remove one. The last way to sign in is only " +
        "removed while a link of user:recover is open.",
    )
    .argument("<name>", NAME)
    .option("--remove <id>", "The id of the passkey to remove; it stops working immediately")
    .action(
      commandAction(async (name, { remove }) => {
        const { id, username } = await findUser(name);
        if (remove !== undefined) return { username, removed: await removePasskey(id, remove, { actorId: OPERATOR }) };
        return (await passkeysOf(id)).map(({ id: passkey, ...listed }) => ({ passkey, ...listed }));
      }),
    ),
  command("user:email", "Say whether a user has an e-mail address, or remove it", "user:email alice --remove")
    .description(
      "Say whether a user has an e-mail address, which only the user can see. Or remove it, if someone else has " +
        "the mailbox.",
    )
    .argument("<name>", NAME)
    .option("--remove", "Remove it, verified or not; links that were sent there stop working")
    .action(
      commandAction(async (name, { remove }) => {
        const { id, username } = await findUser(name);
        if (remove) await removeAddress(id, { actorId: OPERATOR });
        return { username, ...(await hasAddress(id)) };
      }),
    ),
  command("user:sessions", "List the browsers where a user is signed in, or sign them out", "user:sessions alice --end")
    .description("List the browsers where a user is signed in: one JSON line each, latest first.")
    .argument("<name>", NAME)
    .option("--end", "Sign the user out in all of them instead")
    .action(
      commandAction(async (name, { end }) => {
        const { id, username } = await findUser(name);
        if (end) {
          await endAllSessions(username);
          return { username, signedOut: true };
        }
        return (await sessionsOf(id)).map(({ since, network, userAgent }) => ({ since, network, userAgent }));
      }),
    ),
  command("user:recover", "Create a link for a user to set a new password", "user:recover alice")
    .description(
      "Create a link for a user who cannot sign in to set a new password. It works once, for " +
        `${WHILE}, and until another is created for the same user. Send it only to that user. Needs NEXTAUTH_URL.`,
    )
    .argument("<name>", NAME)
    .action(commandAction((name) => createRecoveryLink(name))),
  command("user:invite", "Create a link for someone to create an account", "user:invite alice --role user")
    .description(
      "Create a link for someone to create an account, even while sign-up is closed. It works once, for " +
        `${WHILE}, and until another is created for the same name. Needs NEXTAUTH_URL.`,
    )
    .argument("[name]", "The new username; without it, the user chooses one")
    .addOption(new Option("--role <role>", "The role of the account").choices(ROLES).default("user" as const))
    .action(commandAction((name, { role }) => createInvitation({ username: name ?? null, role }))),
];

async function createUsers(names: string[]): Promise<undefined> {
  const users = await withPasswords(names);
  let refused = 0;
  for (const user of users)
    try {
      const { username, token } = await createUser({ ...user, createdBy: OPERATOR });
      printJson({ username, token });
    } catch (error) {
      if (names.length === 1 || !(error instanceof ApiError)) throw error;
      refused++;
      printMessage(`${user.username}: ${error.message}`);
    }
  if (refused > 0) throw new Error(`${counted(refused, "user was", "users were")} not created.`);
}

/** All passwords are asked for before the first user is created: until then, nothing has been changed. */
async function withPasswords(names: string[]): Promise<{ username: string; password: string | null }[]> {
  if (names.length > 1 && !process.stdin.isTTY && (await readPassword("")) !== null)
    throw invalidParameter("A piped password is for one user. Create these users one by one, or without (</dev/null).");
  const users = [];
  for (const username of names) {
    const isPrompted = names.length === 1 || process.stdin.isTTY;
    const password = isPrompted ? await readPassword(`Password for ${username} (Enter for none)`) : null;
    users.push({ username, password });
  }
  return users;
}

async function disable(name: string, disabled: boolean) {
  const { username } = await findUser(name);
  await setDisabled(username, { disabled });
  return { username, disabled };
}
