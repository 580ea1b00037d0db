import { expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { type Declaration, parametersOf } from "@/lib/api/declaration";
import { ApiError } from "@/lib/platform/errors";
import { parameterReader, parseQuery } from "@/lib/platform/http/query";

/** Sentences of the library that checks parameters, which are about its own terms. */
const LIBRARYS = /Too (?:small|big)|Invalid|expected|received|undefined|\bregex\b|\bstring\b/i;

const ODD = [
  "",
  " ",
  "x",
  "x".repeat(5_000),
  "\n",
  "-1",
  "1e9",
  "\u202e",
  "\u200b",
  "é".repeat(300),
  "null",
  "{}",
  "[",
];

const parametersOfAll = Object.values(routes)
  .map(({ GET }) => GET.declaration as Declaration)
  .filter(({ parameters }) => parameters)
  .flatMap((declaration) =>
    parametersOf(declaration).map(({ name }) => [declaration.path, name, declaration] as const),
  );

test.each(parametersOfAll)("%s refuses a bad %s in a sentence of ours", (path, name, declaration) => {
  const read = parameterReader(declaration);
  for (const value of ODD) {
    const others = Object.entries(declaration.example.parameters ?? {}).filter(([other]) => other !== name);
    const query = new URLSearchParams([...others, [name, value]]).toString();
    const address = path.replaceAll(/\{(\w+)\}/g, (_, one) => (one === name ? encodeURIComponent(value) : "x"));
    try {
      read(address, parseQuery(query));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      expect(thrown.message).not.toMatch(LIBRARYS);
      expect(thrown.message).toMatch(/^The parameter \w+ .+\.$/s);
    }
  }
});
