import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TOKENS = "app/tokens.css";
const NAMED =
  "aqua|beige|black|blue|brown|coral|crimson|cyan|fuchsia|gold|gr[ae]y|green|indigo|ivory|khaki|lavender|lime|" +
  "magenta|maroon|navy|olive|orange|orchid|pink|plum|purple|red|salmon|sienna|silver|snow|tan|teal|tomato|" +
  "turquoise|violet|wheat|white|yellow";
/** A name may have a shade before it: darkred, lightslategrey. */
const COLOUR = new RegExp(
  `#[0-9a-f]{3,8}\\b|\\b(?:rgb|hsl)a?\\(|\\b(?:hwb|lab|lch|oklab|oklch|color)\\(|` +
    `(?<![\\w-])(?:[a-z]*(?:${NAMED}))(?![\\w-])`,
  "i",
);

const sheets = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .map((name) => join(folder, name)),
);

/** Every declaration of a style sheet: its property and value. */
function declarations(sheet: string): [property: string, value: string][] {
  const text = readFileSync(sheet, "utf8").replace(/\/\*.*?\*\//gs, "");
  return [...text.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, property = "", value = ""]) => [
    property,
    value.trim(),
  ]);
}

/** The declarations outside the tokens that are as told, in words. */
const offending = (isWrong: (property: string, value: string) => boolean) =>
  sheets
    .filter((sheet) => sheet !== TOKENS)
    .flatMap((sheet) =>
      declarations(sheet)
        .filter(([property, value]) => isWrong(property, value))
        .map(([property, value]) => `${sheet}: ${property}: ${value}`),
    );

test("colours are tokens: no style sheet but app/tokens.css names one", () => {
  expect(offending((_, value) => COLOUR.test(value.replace(/var\([^)]*\)/g, "")))).toEqual([]);
  for (const colour of ["1px solid #fff", "rgb(0 0 0 / 9%)", "DarkRed", "grey", "color-mix(in srgb, white, black)"])
    expect(colour).toMatch(COLOUR);
  for (const other of ["nowrap", "currentColor", "transparent", "color-mix(in srgb, currentColor 20%, transparent)"])
    expect(other).not.toMatch(COLOUR);
});

test("sizes of type are tokens", () => {
  expect(
    offending(
      (property, value) =>
        (property === "font-size" && !/^(?:var\(--text[\w-]*\)|inherit)$/.test(value)) ||
        (property === "font" && value !== "inherit"),
    ),
  ).toEqual([]);
  expect(sheets.flatMap(declarations).length).toBeGreaterThan(500);
});

test("every token that is used is set, and every token that is set is used", () => {
  const set = new Set(declarations(TOKENS).map(([property]) => property));
  const everything = ["app", "components"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:css|tsx?)$/.test(name))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    )
    .join("\n");
  const used = new Set([...everything.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
  expect([...set].filter((token) => !used.has(token))).toEqual([]);
  const design =
    /^--(?:text|font|weight|leading|space|radius|quick|calm|ease|layer|ground|surface|sunken|ink|line|accent)/;
  expect([...used].filter((token) => design.test(token) && !set.has(token))).toEqual([]);
});
