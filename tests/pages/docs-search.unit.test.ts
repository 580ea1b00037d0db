import { expect, test } from "vitest";
import { foundIn } from "@/app/(pages)/docs/search";

const entry = (name: string, words = "", kind = "Route") => ({ href: `#${name}`, name, words, kind });
const namesOf = (query: string, entries = ENTRIES) => foundIn(entries, query).map(({ name }) => name);
const ENTRIES = [
  entry("/me", "whom the token belongs to"),
  entry("token", "", "Parameter"),
  entry("/keys/create", "Creates a key with a price"),
];

test("every word counts, in any case, and names come first", () => {
  expect(namesOf("TOKEN")).toEqual(["token", "/me"]);
  expect(namesOf("key price")).toEqual(["/keys/create"]);
  expect(namesOf("key nothing")).toEqual([]);
});

test("at most twenty are found, and a long query is cut off", () => {
  const many = Array.from({ length: 50 }, (_, index) => entry(`key ${index}`));
  expect(namesOf("key", many)).toHaveLength(20);
  expect(namesOf(`${"key ".repeat(25)}${"x".repeat(100_000)}`, many)).toHaveLength(20);
});
