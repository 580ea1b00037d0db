import type { z } from "zod";
import { type SecretSource, secretSource } from "@/lib/platform/crypto/secret-source";
import { type Environment, env, environment, parseEnvironment, settingsInEnvironment } from "@/lib/platform/env";
import sections from "./explanations.json";

type Name = keyof Environment;

export interface Setting {
  name: string;
  /** What may be shown. Null: not set, and there is no default. */
  value: string | null;
  source: "environment" | "default" | Exclude<SecretSource["from"], "AUTH_SECRET">;
  /** Null: it has none. */
  default: string | null;
}

export interface SettingsSection {
  heading: string;
  groups: { words: string; settings: Setting[] }[];
}

/** Every setting by section, as .env.example explains them. */
export function settingsBySection(values: Environment = env, isSet = settingsInEnvironment): SettingsSection[] {
  const defaults = parseEnvironment({});
  return sections.map(({ heading, groups }) => ({
    heading,
    groups: groups.map(({ names, words }) => ({
      words,
      settings: names.filter(isName).map((name) => settingOf(name, values, { defaults, isSet })),
    })),
  }));
}

/** Those whose name, explanation or shown value contains the text. */
export function matchingSettings(all: SettingsSection[], input: string): SettingsSection[] {
  const search = input.trim().toLowerCase();
  if (search === "") return all;
  const isMatch = (text: string | null) => text?.toLowerCase().includes(search) ?? false;
  return all
    .map(({ heading, groups }) => ({
      heading,
      groups: groups.filter(
        ({ words, settings }) => isMatch(words) || settings.some(({ name, value }) => isMatch(name) || isMatch(value)),
      ),
    }))
    .filter(({ groups }) => groups.length > 0);
}

const isName = (name: string): name is Name => name in environment.shape;

function settingOf(
  name: Name,
  values: Environment,
  { defaults, isSet }: { defaults: Environment; isSet: ReadonlySet<string> },
): Setting {
  const fallback = shown(name, defaults[name]);
  if (isSet.has(name)) return { name, value: shown(name, values[name]), source: "environment", default: fallback };
  if (name !== "AUTH_SECRET") return { name, value: shown(name, values[name]), source: "default", default: fallback };
  const { from } = secretSource(values);
  return { name, value: "set", source: from === "AUTH_SECRET" ? "environment" : from, default: fallback };
}

function shown(name: Name, value: Environment[Name]): string | null {
  if (value === undefined) return null;
  const setting: z.ZodType = environment.shape[name];
  const how = setting.meta()?.shown;
  if (how === "address") return withoutSecrets(String(value));
  // One without a mark counts as a secret.
  return how === "plain" ? String(value) : "set";
}

/** An address without user, password, query and fragment. */
export function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
