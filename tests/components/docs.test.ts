import { expect, test } from "vitest";
import { matchingEntries } from "@/app/(pages)/docs/docs-search";
import { wordsOfPage } from "@/scripts/words-of-page.mjs";

const entry = (name: string, words = "", kind = "Route") => ({ href: `#${name}`, name, words, kind });
const namesOf = (query: string, entries = ENTRIES) => matchingEntries(entries, query).map(({ name }) => name);
const ENTRIES = [
  entry("/me", "whom the token belongs to"),
  entry("token", "", "Parameter"),
  entry("/keys/create", "Creates a key with a price"),
];

test("of a search every word counts, in any case, and names come first", () => {
  expect(namesOf("TOKEN")).toEqual(["token", "/me"]);
  expect(namesOf("key price")).toEqual(["/keys/create"]);
  expect(namesOf("key nothing")).toEqual([]);
});

test("at most twenty are found, and a long query is cut off", () => {
  const many = Array.from({ length: 50 }, (_, index) => entry(`key ${index}`));
  expect(namesOf("key", many)).toHaveLength(20);
  expect(namesOf(`${"key ".repeat(25)}${"x".repeat(100_000)}`, many)).toHaveLength(20);
});

test("the words of a page are those of its texts, each once, without imports and attributes", () => {
  const page = `
    import { Unseen } from "@/tests/pages/unseen";
    const ROWS = [["1", "type: .txt"]];
    export default function Page({ origin }) {
      return <p className="unseen">Keep the token. <a href="/unseen">It isn&apos;t the password</a>
        <code>{"no_files"}</code>
        <Unseen command={\`\${origin} unseen\`} /> keep it</p>;
    }`;
  expect(wordsOfPage(page)).toBe("isn't it keep no_files password the token txt type");
});
