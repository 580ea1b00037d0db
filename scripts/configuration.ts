import { readFileSync } from "node:fs";
import { environment, parseEnvironment } from "@/lib/env";

export const CONFIGURATION_PAGE = "docs/configuration.md";

const BEGIN = "<!-- configuration: npm run configuration -->";
const END = "<!-- /configuration -->";

/** The page with the table of all variables: names and defaults from the schema, descriptions from .env.example. */
export function withConfiguration(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${CONFIGURATION_PAGE} must hold ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${configurationTable()}\n${END}${after}`;
}

function configurationTable(): string {
  const defaults: Record<string, unknown> = parseEnvironment({});
  const rows = ["| variable | default | |", "|---|---|---|"];
  for (const part of readFileSync(".env.example", "utf8").split("\n\n").slice(1)) {
    const [heading, ...rest] = /^# --- (.+?) -+$/m.exec(part)?.[1]?.split(". ") ?? [];
    const names = [...part.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => name in environment.shape);
    const words = [...part.matchAll(/^# (?!---)(.+)$/gm)].map(([, line]) => line?.replaceAll("|", "\\|")).join(" ");
    const ofAll = [...rest.map((sentence) => `${sentence}.`), names.length === 0 ? words : ""]
      .filter((text) => text !== "")
      .join(" ");
    if (heading) rows.push(`| **${heading}** | | ${ofAll} |`);
    if (names.length > 0)
      rows.push(`| ${cells(names)} | ${cells(names.map((name) => String(defaults[name] ?? "")))} | ${words} |`);
  }
  return rows.join("\n");
}

/** Each as code on its own line; nothing for empty ones. */
function cells(texts: string[]): string {
  return texts.map((text) => (text === "" ? "" : `\`${text}\``)).join("<br>");
}
