import { createHash } from "node:crypto";
import { entriesOf } from "./indexed";

const USERS = "origin/(c) users";
const ID = /^[!#-[\]-~]{1,64}$/;
const FOLDER = ".folder";

/** Oddities that programs in the wild were seen to produce in documents. */
export const oddities = [
  "lower-cased locations",
  "capitals in locations",
  "children of a deleted folder",
  "data of another kind",
  "a folder without a list",
  "a list in a string",
  "a list that is none",
  "a root that is not first",
  "children before their folder",
  "a location outside",
  "an id of another shape",
  "an id that is none",
  "a slash at the end",
  "a folder twice",
  "a value of the wrong kind",
  "a folder's name with a slash",
  "a large file",
] as const;
export type Oddity = (typeof oddities)[number];

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A document of `count` entries as a program in the wild might write it, the same for the same seed, with these
 * oddities here and there.
 */
export function wildDocument(
  username: string,
  count: number,
  seed: number,
  odd: readonly Oddity[] = oddities,
): unknown[] {
  const next = numbersOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const has = (oddity: Oddity, share: number) => odd.includes(oddity) && next() < share;
  const idOf = (n: number) => createHash("md5").update(`${seed} ${n}`).digest("hex");
  const names = ["Desktop", "Documents", "my Files", "Ärger", "ÉTÉ", "Привет", "Kit"];
  function written(location: string): string {
    if (has("lower-cased locations", 0.8)) return location.toLowerCase();
    return has("capitals in locations", 0.2) ? location.toUpperCase() : location;
  }

  const entries: unknown[][] = [
    [FOLDER, username, written(USERS), [idOf(1)], "", 0, 0, 0, 1, 2, "", 1, [username], idOf(0)],
  ];
  const folders = [`${USERS}/${username}`];
  for (let n = 1; n < count; n++) {
    const isFolder = next() < 0.15;
    const twin = has("a folder twice", 0.1) ? pick(folders.slice(1)) : undefined;
    const parent = isFolder && twin ? twin.slice(0, twin.lastIndexOf("/")) : pick(folders);
    const name = isFolder && twin ? twin.slice(parent.length + 1).toUpperCase() : `${pick(names)} ${n}`;
    if (isFolder && !twin) folders.push(`${parent}/${name}`);
    const data: unknown = isFolder ? [idOf(n + 1)] : `text ${n}\n"ä\\`;
    const head = [isFolder ? FOLDER : ".txt", name, written(parent), data];
    entries.push([...head, null, n, 0.5, 0, n, n, "icon", 1, [], idOf(n)]);
  }
  for (const entry of entries.slice(1)) {
    const isFolder = entry[0] === FOLDER;
    const location = String(entry[2]);
    if (has("children of a deleted folder", 0.01)) entry[2] = `${location}/gone ${Math.floor(next() * 3)}`;
    if (has("a location outside", 0.005))
      entry[2] = pick(["/kit", "", "origin", USERS, `${USERS}/${username}x`, `${USERS}/eve/Desktop`]);
    if (has("a slash at the end", 0.01)) entry[2] = `${entry[2]}${pick(["/", "//"])}`;
    if (!isFolder && has("data of another kind", 0.02))
      entry[3] = pick([{ a: [1, { b: null }] }, [1, "x"], [], 5, -0.25, true, false, null]);
    if (!isFolder && has("a large file", 0.001)) entry[3] = "large ä ".repeat(60_000 + Math.floor(next() * 60_000));
    if (isFolder && has("a folder without a list", 0.1)) entry[3] = pick([null, "", " "]);
    if (isFolder && has("a list in a string", 0.1))
      entry[3] = pick([JSON.stringify(entry[3]), "[]", '[ "x" ,"\\u0061\\""]']);
    if (isFolder && has("a list that is none", 0.01))
      entry[3] = pick([{}, 0, "text", [1], [null], "[", '["x"', "null"]);
    const id = String(entry[13]);
    if (has("an id of another shape", 0.02)) entry[13] = pick([id.toUpperCase(), `file-${id}`, id.slice(8)]);
    if (has("an id that is none", 0.005)) entry[13] = pick(["", "a b", 'a"b', "ä", "x".repeat(65), 7, null, [1]]);
    if (has("a value of the wrong kind", 0.005)) entry[pick([5, 8, 9, 11, 12])] = pick([true, { a: 1 }]);
    if (has("a value of the wrong kind", 0.003)) entry[pick([0, 1, 2])] = pick([7, null, ["x"], {}]);
    if (isFolder && has("a folder's name with a slash", 0.02)) entry[1] = pick(["", `${entry[1]}/x`]);
  }
  if (odd.includes("children before their folder"))
    for (let n = 0; n < count / 20; n++) {
      const [one, other] = [1 + Math.floor(next() * (count - 1)), 1 + Math.floor(next() * (count - 1))];
      [entries[one], entries[other]] = [entries[other] ?? [], entries[one] ?? []];
    }
  if (odd.includes("a root that is not first")) entries.splice(Math.floor(next() * count), 0, ...entries.splice(0, 1));
  return entries.flat();
}

/** The expected result of importing a document, expressed as simply as possible. */
export interface Expected {
  taken: Record<string, unknown[]>;
  refused: Record<number, string>;
  slashes: number;
}

/** Only for documents whose letters `toLowerCase` folds as simple case folding does. */
export function expectedImport(document: readonly unknown[], username: string): Expected {
  const entries = entriesOf(document);
  const expected: Expected = { taken: {}, refused: {}, slashes: 0 };
  const withoutSlash = (location: unknown) => String(location).replace(/\/+$/, "");
  const heads = entries.map(([type, name, location]) => ({ type, name, location: withoutSlash(location) }));
  const pathOf = (n: number) => `${heads[n]?.location}/${heads[n]?.name}`.toLowerCase();
  const reasons = entries.map((values) => ownReason(values));
  const rootAt = entries.findIndex(
    (values, n) => values[0] === FOLDER && heads[n]?.location.toLowerCase() === USERS && reasons[n] === undefined,
  );
  const home = `${heads[rootAt]?.location}/${heads[rootAt]?.name}`;
  for (const [n, head] of heads.entries()) {
    const isOutside = n !== rootAt && !`${head.location}/`.toLowerCase().startsWith(`${home}/`.toLowerCase());
    // Before the root folder, it is unknown what is outside it.
    const isOtherwise = n > rootAt ? hasBadHead(entries[n] ?? []) : reasons[n] !== undefined;
    if (isOutside && !isOtherwise) reasons[n] = "outside";
  }
  const folders = new Set<string>();
  const taken = new Set([rootAt]);
  for (let before = -1; before < taken.size; ) {
    before = taken.size;
    for (const n of taken) if (heads[n]?.type === FOLDER) folders.add(pathOf(n));
    for (const [n, head] of heads.entries())
      if (reasons[n] === undefined && folders.has(head.location.toLowerCase())) taken.add(n);
  }
  const left = new Set(heads.flatMap((head, n) => (!taken.has(n) && head.type === FOLDER ? [pathOf(n)] : [])));
  for (const [n, values] of entries.entries()) {
    const head = heads[n];
    if (!taken.has(n))
      expected.refused[n + 1] = reasons[n] ?? (left.has(head?.location.toLowerCase() ?? "") ? "below" : "missing");
    else {
      if (head?.location !== values[2]) expected.slashes++;
      const isOther = String(entries[rootAt]?.[1]).toLowerCase() !== username.toLowerCase();
      const isRoot = n === rootAt;
      const moved = `${head?.location.slice(0, USERS.length + 1)}${username}${head?.location.slice(home.length)}`;
      const location = isOther && !isRoot ? moved : head?.location;
      const name = isOther && isRoot ? username : values[1];
      expected.taken[String(values[13])] = [values[0], name, location, ...values.slice(3)];
    }
  }
  return expected;
}

function ownReason(values: readonly unknown[]): string | undefined {
  const [type, name, location, data, , x, y, , created, edited, , size, permissions, id] = values;
  const isNumber = (value: unknown) => value === null || typeof value === "number" || typeof value === "string";
  if (hasBadHead(values)) return [type, name, location].every((value) => typeof value === "string") ? "name" : "value";
  if (type === FOLDER && !isList(data)) return "list";
  const isValid = [x, y, created, edited, size].every(isNumber) && typeof id === "string";
  if (!isValid || !(Array.isArray(permissions) || typeof permissions === "string" || permissions === null))
    return "value";
  return ID.test(String(id)) ? undefined : "id";
}

function hasBadHead([type, name, location]: readonly unknown[]): boolean {
  if (![type, name, location].every((value) => typeof value === "string")) return true;
  return type === FOLDER && (name === "" || String(name).includes("/"));
}

function isList(data: unknown): boolean {
  if (data === null || (typeof data === "string" && data.trim() === "")) return true;
  try {
    const list: unknown = typeof data === "string" ? JSON.parse(data) : data;
    return Array.isArray(list) && list.every((id) => typeof id === "string");
  } catch {
    return false;
  }
}
