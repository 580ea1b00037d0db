import { type SecretSource, secretSource } from "@/lib/platform/crypto/secret-source";
import { type Environment, env, parseEnvironment, settingsInEnvironment } from "@/lib/platform/env";
import sections from "./explanations.json";

type Name = keyof Environment;

/**
 * How the console shows a setting: as it is, as set or not, or, for an address with a password, without user, password
 * and query. A record, so that no new setting can be forgotten.
 */
export const SHOWN_AS: Record<Name, "plain" | "secret" | "address"> = {
  NODE_ENV: "plain",
  PORT: "plain",
  WEB_CONCURRENCY: "plain",
  HOST: "plain",
  DATA_DIR: "plain",
  DATABASE_URL: "address",
  DATABASE_POOLER: "plain",
  DIRECT_DATABASE_URL: "address",
  DATABASE_CONNECTIONS: "plain",
  DATABASE_TIMEOUT_SECONDS: "plain",
  REDIS_URL: "address",
  AUTH_SECRET: "secret",
  AUTH_SECRET_FILE: "plain",
  CREDENTIALS_DIRECTORY: "plain",
  NEXTAUTH_URL: "plain",
  VERCEL: "plain",
  VERCEL_ENV: "plain",
  ALLOWED_HOSTS: "plain",
  TRUSTED_PROXIES: "plain",
  LOG_LEVEL: "plain",
  LOG_FORMAT: "plain",
  METRICS_TOKEN: "secret",
  CRON_SECRET: "secret",
  ALLOW_SIGNUP: "plain",
  CONTACT: "plain",
  SMTP_URL: "address",
  MAIL_FROM: "plain",
  KEYS_PER_CREATOR: "plain",
  KEY_BYTES_PER_CREATOR: "plain",
  HOLDERS_PER_KEY: "plain",
  KEYS_HELD_FROM_OTHERS: "plain",
  KEYS_HELD_PER_GIVER: "plain",
  FILE_BYTES_PER_USER: "plain",
  FILE_ENTRIES_PER_USER: "plain",
  SEAL_FILES: "plain",
  KEEP_FREE_BYTES: "plain",
  FAILED_TOKENS_PER_MINUTE: "plain",
  FAILED_PASSWORDS_PER_10_MINUTES: "plain",
  FAILED_PASSWORDS_PER_NETWORK_10_MINUTES: "plain",
  FAILED_PASSWORDS_PER_NAME_10_MINUTES: "plain",
  SIGNUPS_PER_HOUR: "plain",
  LINK_CODES_PER_10_MINUTES: "plain",
  LINK_CODES_PER_30_SECONDS: "plain",
  LINK_POLLS_PER_SECOND: "plain",
  LINK_FOREIGN_CODES_PER_10_MINUTES: "plain",
  LINK_WRONG_ENTRIES_PER_10_MINUTES: "plain",
  LINK_OUTSTANDING_CODES: "plain",
  LINK_TOKEN: "plain",
  TOKEN_IDLE_DAYS: "plain",
  PROOF_DAYS: "plain",
  GITHUB_ID: "plain",
  GITHUB_SECRET: "secret",
  GOOGLE_ID: "plain",
  GOOGLE_SECRET: "secret",
  DISCORD_ID: "plain",
  DISCORD_SECRET: "secret",
  OIDC_ISSUER: "address",
  OIDC_ID: "plain",
  OIDC_SECRET: "secret",
  OIDC_NAME: "plain",
};

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

const isName = (name: string): name is Name => name in SHOWN_AS;

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
  const how = SHOWN_AS[name];
  if (how === "secret") return "set";
  return how === "address" ? withoutSecrets(String(value)) : String(value);
}

/** An address without user, password, query and fragment. */
export function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
