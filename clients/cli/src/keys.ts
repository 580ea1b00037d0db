import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { jsonLine, plain } from "../../../lib/platform/safe-text";
import type { Key } from "../../typescript/src/latchkey";
import { command, group } from "./command";
import { print, table } from "./output";
import { confirm, interrupted, readInput } from "./read-input";
import { session } from "./session";

const ID = "The key's id";
const signal = interrupted;

const list = command("list", "List the keys that you hold, oldest first", "keys list").action(async ({ json }) => {
  const rows: string[][] = [["KEY", "NAME", "PRICE", "CREATOR"]];
  let before = "[";
  for await (const key of session().keys.each({ signal })) {
    if (json) process.stdout.write(before + jsonLine(key));
    else rows.push([key.key, plain(key.name) || "-", String(key.price), plain(key.creator)]);
    before = ",\n";
  }
  if (json) process.stdout.write(before === "[" ? "[]\n" : "]\n");
  else print(rows, false, rows.length > 1 ? table(rows) : "You hold no keys. Create one: latchkey keys create --help");
});

const get = command("get", "Show a key, and its secret if you hold it", "keys get 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4")
  .argument("<key>", ID)
  .action(async (id, { json }) => {
    const key = await session().keys.get(id, { signal });
    print(key, json, inWords(key));
  });

/**
 * What people see of fields of a key, in this order. Null: nothing, as another one says it, or everybody who sees it
 * knows. Other fields follow as they are.
 */
const WORDS: { [Field in keyof Key]?: ((key: Key) => [label: string, words: string] | null) | null } = {
  key: ({ key }) => ["Key", key],
  id: null,
  name: ({ name }) => ["Name", plain(name) || "-"],
  type: null,
  price: ({ price }) => ["Price", String(price)],
  creator: ({ creator }) => ["Creator", plain(creator)],
  isCreator: null,
  createdAt: ({ createdAt }) => ["Created", createdAt],
  updatedAt: ({ updatedAt }) => ["Changed", updatedAt],
  users: ({ users }) => {
    const holders = Object.entries(users).map(([name, { until }]) => `${plain(name)}${endOf(until)}`);
    return holders.length > 0 ? ["Holders", holders.join(", ")] : null;
  },
  owned: null,
  owns: null,
  data: ({ data }) => ["Data", data === null ? "(you do not hold this key)" : plain(data)],
  // Of a key that is requested by itself, this is an error.
  damaged: null,
};

function inWords(key: Key): string {
  const own = Object.values(WORDS).map((words) => words?.(key));
  const others = Object.entries(key).map(([field, value]) =>
    field in WORDS || value === "" ? null : [`${field.charAt(0).toUpperCase()}${field.slice(1)}`, inText(value)],
  );
  return table([...own, ...others].filter((row) => row !== null && row !== undefined));
}

const inText = (value: unknown) => (typeof value === "string" ? plain(value) : jsonLine(value));

/** When an access ends, in words that follow what ends. */
const endOf = (until: number | undefined) =>
  until === undefined ? "" : ` until ${new Date(until * 1_000).toISOString()}`;

const create = command("create", "Create a key", "keys create 'the secret' --name 'Full version' --price 5")
  .argument("<data>", "The secret; - reads it from standard input, so that it appears in no process list")
  .option("--name <name>", "The name that people see")
  .option("--price <price>", "A decimal; negative means not for sale", "0")
  .action(async (input, { json, ...fields }) => {
    const key = await session().keys.create({ data: await readInput(input), ...fields }, { signal });
    print(key, json, `Created ${key.key}`);
  });

const give = command("give", "Let a user hold a key of yours", "keys give 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 bob")
  .argument("<key>", ID)
  .argument("<username>", "The user who gets it")
  .option("--until <time>", 'When the access ends, such as 2030-01-31T12:00Z; "never" removes the end date', readEnd)
  .action(async (id, username, { until, json }) => {
    const shared = await session().keys.give(id, username, { until, signal });
    const held = shared.changed ? "still holds" : "already held";
    const end = endOf(shared.until);
    print(shared, json, `${plain(shared.user)} ${shared.added ? "now holds" : held} ${shared.key}${end}.`);
  });

function readEnd(input: string): Date | "never" {
  if (input === "never") return input;
  const end = new Date(input);
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError("That is not a time like 2030-01-31T12:00Z.");
  return end;
}

const yes = () => new Option("--yes", "Do not ask for confirmation");

const revoke = command("revoke", "End a user's access to a key", "keys revoke 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 bob")
  .argument("<key>", ID)
  .argument("<username>", "The user who loses it")
  .addOption(yes())
  .action(async (id, username, { yes: isConfirmed, json }) => {
    const { keys } = session();
    await confirm(`End the access of ${plain(username)} to ${plain(id)}?`, isConfirmed, signal);
    const ended = await keys.revoke(id, username, { signal });
    print(ended, json, `${plain(ended.user)} ${ended.revoked ? "no longer holds" : "did not hold"} ${ended.key}.`);
  });

const set = command("set", "Change a key", "keys set 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 price 7.5")
  .argument("<key>", ID)
  .addArgument(new Argument("<field>", "What to change").choices(["data", "name", "price"] as const))
  .argument("<value>", "The new value; - reads it from standard input")
  .action(async (...[id, field, input, { json }]) => {
    const key = await session().keys.set(id, field, await readInput(input), { signal });
    print(key, json, `Changed the ${field} of ${key.key}.`);
  });

const remove = command("delete", "Delete a key for everyone", "keys delete 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 --yes")
  .argument("<key>", ID)
  .addOption(yes())
  .action(async (id, { yes: isConfirmed, json }) => {
    const { keys } = session();
    const { name, users } = await keys.get(id, { signal });
    const holders = Object.keys(users).length;
    const what = name ? `“${plain(name)}”` : plain(id);
    const whose = holders > 1 ? `all ${holders.toLocaleString("en")} holders` : "everyone who holds it";
    await confirm(`Delete ${what} for ${whose}? This can't be undone.`, isConfirmed, signal);
    const deleted = await keys.delete(id, { signal });
    print(deleted, json, `Deleted ${deleted.key}.`);
  });

export const keys = group("keys", "Secrets with a list of holders");
for (const one of [list, get, create, give, revoke, set, remove]) keys.addCommand(one);
