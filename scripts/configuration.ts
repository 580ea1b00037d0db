import { readFileSync } from "node:fs";
import { environment } from "@/lib/platform/env";

export const EXPLANATIONS = "lib/operator/explanations.json";

/** What .env.example says of the settings, by section, for the console: a running service has no such file. */
export function explanations(): string {
  const sections: { heading: string; groups: { names: string[]; words: string }[] }[] = [];
  for (const part of readFileSync(".env.example", "utf8").split("\n\n").slice(1)) {
    const [heading, ...rest] = /^# --- (.+?) -+$/m.exec(part)?.[1]?.split(". ") ?? [];
    if (heading) sections.push({ heading, groups: [] });
    const names = [...part.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => name in environment.shape);
    const words = [...part.matchAll(/^# (?!---)(.+)$/gm)].map(([, line]) => line).join(" ");
    if (names.length > 0)
      sections.at(-1)?.groups.push({ names, words: words || rest.map((sentence) => `${sentence}.`).join(" ") });
  }
  return `${JSON.stringify(sections, null, 2)}\n`;
}
