import { readFileSync } from "node:fs";
import { environment, parseEnvironment } from "@/lib/env";

export const CONFIGURATION_PAGE = "docs/configuration.md";
export const EXPLANATIONS = "lib/operator/settings/explanations.json";

const BEGIN = "<!-- configuration: npm run codegen -->";
const END = "<!-- /configuration -->";

/** The page with the table of all variables: names and defaults from the schema, descriptions from .env.example. */
export function withConfiguration(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${CONFIGURATION_PAGE} must hold ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${configurationTable()}\n${END}${after}`;
}

/** A group of settings that one text explains, in a section. */
interface Group {
  /** The heading of a new section, which begins with this group. */
  heading?: string;
  /** What is said of the whole section. */
  ofAll: string;
  names: string[];
  words: string;
}

function groups(): Group[] {
  return readFileSync(".env.example", "utf8")
    .split("\n\n")
    .slice(1)
    .map((part) => {
      const [heading, ...rest] = /^# --- (.+?) -+$/m.exec(part)?.[1]?.split(". ") ?? [];
      const names = [...part.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)]
        .flatMap(([, name]) => name ?? [])
        .filter((name) => name in environment.shape);
      const words = [...part.matchAll(/^# (?!---)(.+)$/gm)].map(([, line]) => line).join(" ");
      const ofAll = [...rest.map((sentence) => `${sentence}.`), names.length === 0 ? words : ""];
      return { heading, ofAll: ofAll.filter((text) => text !== "").join(" "), names, words };
    });
}

function configurationTable(): string {
  const defaults: Record<string, unknown> = parseEnvironment({});
  const rows = ["| variable | default | |", "|---|---|---|"];
  for (const { heading, ofAll, names, words } of groups()) {
    if (heading) rows.push(`| **${heading}** | | ${inTable(ofAll)} |`);
    if (names.length > 0)
      rows.push(
        `| ${cells(names)} | ${cells(names.map((name) => String(defaults[name] ?? "")))} | ${inTable(words)} |`,
      );
  }
  return rows.join("\n");
}

const inTable = (text: string) => text.replaceAll("|", "\\|");

/** Each as code on its own line; nothing for empty ones. */
function cells(texts: string[]): string {
  return texts.map((text) => (text === "" ? "" : `\`${text}\``)).join("<br>");
}

/** The settings by section, as the console shows them: a running service has no .env.example. */
export function explanations(): string {
  const sections: { heading: string; groups: { names: string[]; words: string }[] }[] = [];
  for (const { heading, ofAll, names, words } of groups()) {
    if (heading) sections.push({ heading, groups: [] });
    if (names.length > 0) sections.at(-1)?.groups.push({ names, words: words || ofAll });
  }
  return `${JSON.stringify(sections, null, 2)}\n`;
}
