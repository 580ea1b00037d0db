import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { findUser } from "@/lib/accounts/identity/user";
import { type ListedUser, listUsers, MAX_IDLE_DAYS } from "@/lib/operator/users/list";
import { DIRECTIONS, USER_SORTS, usualDirection } from "@/lib/operator/users/queries";
import { countUsers } from "@/lib/operator/users/summaries";
import { MAX_QUOTAS, setQuotas } from "@/lib/operator/users/update";
import { showUser } from "@/lib/operator/users/view";
import { OPERATOR } from "@/lib/platform/audit";
import { counted, durationInWords, entriesInWords, SEEN_WITHIN_SECONDS, seenOf } from "@/lib/platform/bounds";
import type { QuotaName } from "@/lib/platform/limits/quotas";
import { deleteAccountAs, type Losses, lossesOf } from "@/lib/user-data/delete";
import { command, commandAction, wholeNumber } from "../command";
import { agrees, isAtTerminal, print, printJson, table, UNCHANGED } from "../terminal";

const NAME = "The username, in upper or lower case";
const A_PAGE = 1_000;
const MAX_USERS = 100_000_000;

export const accountCommands = [
  command("user:list", "List users with their keys and storage", "user:list --idle 365 --sort bytes")
    .description(
      "List users with their keys and storage: a table, or one JSON line each. The numbers are counted first; " +
        `“last seen” is accurate to ${durationInWords(SEEN_WITHIN_SECONDS)}. ` +
        "In JSON, “entries” count the root folder, as /me does; “Files” in the table does not.",
    )
    .addOption(
      new Option("--search <name>", "Only names that begin with this, from A to Z").conflicts(["sort", "direction"]),
    )
    .addOption(new Option("--role <role>", "Only users with this role").choices(["admin", "user"] as const))
    .addOption(new Option("--disabled", "Only disabled users").conflicts("enabled"))
    .option("--enabled", "Only users who are not disabled")
    .option("--without-password", "Only users without a password")
    .option("--idle <days>", "Only users not seen for this many days", wholeNumber("The days", MAX_IDLE_DAYS))
    .addOption(new Option("--sort <column>", "What to sort by").choices(USER_SORTS))
    .addOption(new Option("--direction <way>", "By default, the latest or the largest first").choices(DIRECTIONS))
    .option("--limit <n>", "Maximum number of users", wholeNumber("The limit", MAX_USERS), 100)
    .option("--json", "One JSON line per user")
    .action(
      commandAction(async ({ search, limit, json, disabled, enabled, withoutPassword, ...options }) => {
        await countUsers();
        const filter = {
          role: options.role,
          disabled: disabled ? true : enabled ? false : undefined,
          passwordless: withoutPassword,
          idleDays: options.idle,
          name: search,
        };
        const { sort = "created", direction = usualDirection(sort) } = options;
        const shown: ListedUser[] = [];
        let after: string | undefined;
        for (let left = limit; left > 0; left -= A_PAGE) {
          const page = await listUsers({ ...filter, sort, direction, after, limit: Math.min(left, A_PAGE) });
          if (json) for (const user of page.users) printJson(user);
          else shown.push(...page.users);
          if (page.next === null) break;
          after = page.next;
        }
        if (!json) print(inTable(shown));
        return undefined;
      }),
    ),
  command("user:show", "Show a user's details, usage and limits", "user:show alice")
    .description(
      "Show a user's details, usage and limits. Never shows a token or an e-mail address. “entries” count the root " +
        "folder.",
    )
    .argument("<name>", NAME)
    .action(
      commandAction(async (name) => {
        const { id: _, ...shown } = await showUser(name);
        return shown;
      }),
    ),
  command("user:quota", "Show or change a user's own quotas", "user:quota alice --keys 50 --file-bytes default")
    .description(
      "Show or change a user's own quotas. A quota below what the user already has deletes nothing; it only " +
        "stops them from adding more. “default” returns to the service's setting.",
    )
    .argument("<name>", NAME)
    .option("--keys <n>", "Keys that the user creates", quota("keys"))
    .option("--key-bytes <n>", "Bytes of the data of all these keys", quota("keyBytes"))
    .option("--file-bytes <n>", "Bytes of all files", quota("fileBytes"))
    .option("--entries <n>", "Files, folders and the root", quota("entries"))
    .action(
      commandAction(async (name, change) => {
        const changes = Object.entries(change).map(([quotaName, value]) => [
          quotaName,
          value === "default" ? null : value,
        ]);
        if (changes.length > 0) await setQuotas(name, Object.fromEntries(changes));
        const { username, used, quotas, own } = await showUser(name);
        return { username, used, quotas, own };
      }),
    ),
  command("user:delete", "Delete a user and everything they have; this cannot be undone", "user:delete alice")
    .description(
      "Delete a user and everything they have: keys they created (for all who hold them), files, tokens and " +
        "sessions. This cannot be undone, and the name is never reused. Asks at a terminal.",
    )
    .argument("<name>", NAME)
    .option("--yes", "Do not ask for confirmation")
    .action(
      commandAction(async (name, { yes }) => {
        const { id, username } = await findUser(name);
        if (!yes) await confirmDeletion(username, await lossesOf(id));
        await deleteAccountAs(OPERATOR, username, { confirmation: username });
        return { username, deleted: true };
      }),
    ),
];

async function confirmDeletion(username: string, { keys, holders, areMoreHolders, files }: Losses): Promise<void> {
  if (!isAtTerminal()) throw new Error(`Use --yes to delete ${username} without being asked. ${UNCHANGED}`);
  const held = `${areMoreHolders ? "at least " : ""}${counted(holders, "other holds", "others hold")}`;
  const others = holders > 0 ? `, which ${held}` : "";
  const losses = `${counted(keys, "key", "keys")}${others}, and ${entriesInWords(files.entries)}`;
  if (!(await agrees(`Delete ${username}, with ${losses}? This cannot be undone.`))) throw new Error(UNCHANGED);
}

function inTable(users: readonly ListedUser[]): string {
  if (users.length === 0) return "No users.";
  const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? "never";
  return table(
    ["Name", "Role", "Created", "Last seen", "Keys", "Key bytes", "Files", "File bytes", ""],
    users.map((user) => [
      user.username,
      user.role,
      day(user.createdAt),
      day(user.seenAt),
      user.keys,
      user.keyBytes,
      seenOf(user.entries),
      user.fileBytes,
      [user.disabled && "disabled", !user.password && "no password"].filter(Boolean).join(", "),
    ]),
  );
}

function quota(name: QuotaName) {
  return (written: string): number | "default" => {
    if (written === "default") return written;
    if (/^\d{1,16}$/.test(written) && Number(written) <= MAX_QUOTAS[name]) return Number(written);
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_QUOTAS[name]}, or “default”.`);
  };
}
