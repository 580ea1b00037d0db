import { z } from "zod";
import { isBlockedPort, PROXIES_RULE, parseProxies } from "./addresses";
import { MAX_PROOF_DAYS } from "./bounds";
import { PROXY_RULE, proxySettingsIn, unusableProxy } from "./network/proxy-variables";
import { addressesIn, asUrl, wrongInAddress } from "./postgres-address";

// How the console shows a setting: as it is, as set or not, or an address without user, password and query. The mark
// stands last: what wraps a setting, such as `.optional()`, does not take it over.
const PLAIN = { shown: "plain" } as const;
const SECRET = { shown: "secret" } as const;
const ADDRESS = { shown: "address" } as const;

const wholeNumber = (least = 0, max = Number.MAX_SAFE_INTEGER) => {
  const sentence =
    max < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${least} to ${max}`
      : `must be a whole number, at least ${least}`;
  return z.coerce.number(sentence).int(sentence).min(least, sentence).max(max, sentence);
};
const integer = (fallback: number, least?: number, max?: number) =>
  wholeNumber(least, max).default(fallback).meta(PLAIN);
const optional = z.string().min(1).optional();
const trueOrFalse = z.enum(["true", "false"], "must be true or false");
const flag = (fallback: "true" | "false") =>
  trueOrFalse
    .default(fallback)
    .transform((value) => value === "true")
    .meta(PLAIN);

const POSTGRES = z
  .string()
  .superRefine((value, context) => {
    const message = wrongInAddress(value);
    if (message) context.addIssue({ code: "custom", message });
  })
  .transform((value) => (addressesIn(value).length > 1 ? value : asUrl(value)))
  .optional()
  .meta(ADDRESS);

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

/** The rule for each secret, in AUTH_SECRET and in files. */
export const SECRET_RULE =
  "must have at least 32 characters and no blank or comma, which separate several; create one with: " +
  "openssl rand -base64 32";

/** The secrets in a text with one or several, the signing one first. */
export const splitSecrets = (text: string) => text.split(/[\s,]+/).filter((part) => part !== "");

/** Whether the text contains one or several secrets, all of them long enough. */
export function areSecrets(text: string): boolean {
  const secrets = splitSecrets(text);
  return secrets.length > 0 && secrets.every((secret) => secret.length >= 32);
}

/** "Name <address>", or the address alone. */
function isSender(value: string): boolean {
  const address = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(value)?.[1] ?? value;
  return z.email().safeParse(address).success;
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password, pathname, search, hash } = new URL(value);
  return username + password + search + hash === "" && pathname === "/";
}

/** Every variable that the service reads, with its default. `.env.example` explains each; a test compares the two. */
export const environment = z.object({
  NODE_ENV: oneOf(["development", "production", "test"]).default("development").meta(PLAIN),
  PORT: integer(3000, 0, 65_535),
  WEB_CONCURRENCY: integer(1, 1, 256),
  HOST: z.string().min(1).optional().meta(PLAIN),
  DATA_DIR: z.string().min(1).default("data").meta(PLAIN),
  DATABASE_URL: POSTGRES,
  DATABASE_POOLER: trueOrFalse
    .transform((value) => value === "true")
    .optional()
    .meta(PLAIN),
  DIRECT_DATABASE_URL: POSTGRES,
  DATABASE_CONNECTIONS: integer(10, 1, 1_000),
  DATABASE_TIMEOUT_SECONDS: integer(5, 1, 3_600),
  AUTH_SECRET: z.string().refine(areSecrets, SECRET_RULE).optional().meta(SECRET),
  AUTH_SECRET_FILE: optional.meta(PLAIN),
  CREDENTIALS_DIRECTORY: optional.meta(PLAIN),
  NEXTAUTH_URL: z
    .url({ protocol: /^https?$/, error: "must be the address people open, like https://keys.example.org" })
    .refine(
      isOrigin,
      "must be the address alone, like https://keys.example.org: no user, path or query. It cannot run " +
        "under a path of another site, so give it a name of its own",
    )
    .refine(
      (value) => !URL.canParse(value) || !isBlockedPort(Number(new URL(value).port || 443)),
      "must have another port: no browser opens this one",
    )
    .transform((value) => new URL(value).origin)
    .optional()
    .meta(PLAIN),
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]*(?:[\s,]+[a-z0-9][a-z0-9._-]*)*$/i,
      "must be host names without ports, like latchkey.default.svc.cluster.local, separated by commas",
    )
    .optional()
    .meta(PLAIN),
  VERCEL: optional.meta(PLAIN),
  VERCEL_ENV: optional.meta(PLAIN),
  TRUSTED_PROXIES: z
    .string()
    .refine((value) => parseProxies(value) !== undefined, PROXIES_RULE)
    .optional()
    .meta(PLAIN),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info").meta(PLAIN),
  LOG_FORMAT: oneOf(["json", "pretty"]).default("json").meta(PLAIN),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional().meta(SECRET),
  CRON_SECRET: z.string().min(16, "must have at least 16 characters").optional().meta(SECRET),
  ALLOW_SIGNUP: flag("true"),
  CONTACT: z
    .union(
      [z.email(), z.url({ protocol: /^https?$/ })],
      "must be an e-mail address, or an address like https://example.org/help",
    )
    .optional()
    .meta(PLAIN),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must start with smtp:// or smtps://")
    .refine(
      (value) => URL.canParse(value) && new URL(value).hostname !== "",
      "must be an address like smtps://user:password@mail.example.org, the password percent-encoded",
    )
    .optional()
    .meta(ADDRESS),
  MAIL_FROM: z
    .string()
    .refine(isSender, "must be an e-mail address, or a name and one, like Keys <keys@example.org>")
    .optional()
    .meta(PLAIN),

  KEYS_PER_CREATOR: integer(10_000),
  KEY_BYTES_PER_CREATOR: integer(16_000_000),
  HOLDERS_PER_KEY: integer(10_000),
  KEYS_HELD_FROM_OTHERS: integer(10_000),
  KEYS_HELD_PER_GIVER: integer(1_000),
  FILE_BYTES_PER_USER: integer(2_000_000_000),
  FILE_ENTRIES_PER_USER: integer(2_000_000),
  SEAL_FILES: flag("true"),
  KEEP_FREE_BYTES: wholeNumber().optional().meta(PLAIN),

  FAILED_TOKENS_PER_MINUTE: integer(300, 1),
  FAILED_PASSWORDS_PER_10_MINUTES: integer(10, 1),
  FAILED_PASSWORDS_PER_NETWORK_10_MINUTES: integer(50, 1),
  FAILED_PASSWORDS_PER_NAME_10_MINUTES: integer(100, 1),
  SIGNUPS_PER_HOUR: integer(1_000, 1),
  LINK_CODES_PER_10_MINUTES: integer(1_200, 1),
  LINK_CODES_PER_30_SECONDS: integer(300, 1),
  LINK_POLLS_PER_SECOND: integer(20, 1),
  LINK_FOREIGN_CODES_PER_10_MINUTES: integer(30, 1),
  LINK_WRONG_ENTRIES_PER_10_MINUTES: integer(10, 1),
  LINK_OUTSTANDING_CODES: integer(1_000_000, 1),
  LINK_TOKEN: oneOf(["account", "own"]).default("account").meta(PLAIN),
  TOKEN_IDLE_DAYS: wholeNumber(0, 36_500).optional().meta(PLAIN),
  PROOF_DAYS: integer(7, 1, MAX_PROOF_DAYS),

  GITHUB_ID: optional.meta(PLAIN),
  GITHUB_SECRET: optional.meta(SECRET),
  GOOGLE_ID: optional.meta(PLAIN),
  GOOGLE_SECRET: optional.meta(SECRET),
  DISCORD_ID: optional.meta(PLAIN),
  DISCORD_SECRET: optional.meta(SECRET),
  OIDC_ISSUER: z.url({ error: "must be the issuer's address" }).optional().meta(ADDRESS),
  OIDC_ID: optional.meta(PLAIN),
  OIDC_SECRET: optional.meta(SECRET),
  OIDC_NAME: z.string().min(1).default("Single sign-on").meta(PLAIN),
});

/** Variables that are valid only together. */
const TOGETHER: (keyof Environment)[][] = [
  ["SMTP_URL", "MAIL_FROM"],
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["GOOGLE_ID", "GOOGLE_SECRET"],
  ["DISCORD_ID", "DISCORD_SECRET"],
  ["OIDC_ISSUER", "OIDC_ID", "OIDC_SECRET"],
];

/** Each stands for a sign-in provider. */
const PROVIDERS = ["GITHUB_ID", "GOOGLE_ID", "DISCORD_ID", "OIDC_ISSUER"] as const;

/** Variables of earlier versions that the service does without, and what to do about each. */
const FORMER: Record<string, string> = {
  REDIS_URL: "Remove it: limits are counted in PostgreSQL, or in memory with the embedded database.",
};

export type Environment = z.infer<typeof environment>;

/**
 * Parses the environment. An empty variable counts as unset. Throws an Error whose message is one sentence that names
 * the first invalid variable.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  // Many copies of a function run side by side.
  const parsed = environment.safeParse({ ...(set.VERCEL && { DATABASE_CONNECTIONS: "3" }), ...set });
  // Other programs use them, too: they matter only where this one does.
  const unusable = PROVIDERS.some((name) => set[name]) ? unusableProxy(proxySettingsIn(set)) : undefined;
  if (unusable) throw new Error(`The environment variable ${unusable} is not valid: it ${PROXY_RULE}.`);
  if (parsed.success) return together(parsed.data);
  const issue = parsed.error.issues[0];
  throw new Error(`The environment variable ${issue?.path.join(".")} is not valid: ${issue?.message}.`);
}

function together(environment: Environment): Environment {
  for (const names of TOGETHER) {
    const missing = names.find((name) => !environment[name]);
    const present = names.find((name) => environment[name]);
    if (missing && present) throw new Error(`The environment variable ${missing} must be set when ${present} is.`);
  }
  if (environment.AUTH_SECRET && environment.AUTH_SECRET_FILE)
    throw new Error("AUTH_SECRET and AUTH_SECRET_FILE are both set. Remove one of them.");
  if (environment.DIRECT_DATABASE_URL && !environment.DATABASE_URL)
    throw new Error("The environment variable DATABASE_URL must be set when DIRECT_DATABASE_URL is.");
  return environment;
}

function parseOrExit(): Environment {
  try {
    return parseEnvironment(process.env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

export const env = parseOrExit();

/** The settings that the environment has a value for. An empty variable counts as unset. */
export const settingsInEnvironment: ReadonlySet<string> = new Set(
  Object.keys(environment.shape).filter((name) => (process.env[name] ?? "") !== ""),
);

/** The variables of earlier versions that this process got and does without. */
export const formerSettings = Object.entries(FORMER)
  .filter(([name]) => (process.env[name] ?? "") !== "")
  .map(([name, advice]) => ({ problem: `The environment variable ${name} is no longer read.`, advice }));

export const proxySettings = proxySettingsIn(process.env);

/** The names of all variables that this process got, ours and others. */
export const namesOfVariables = (): string[] => Object.keys(process.env);

// NextAuth then takes the address from the forwarded headers, which server.ts writes itself.
if (!env.NEXTAUTH_URL) process.env.AUTH_TRUST_HOST = "true";

/**
 * Gives Next the key, 32 bytes in base64, for sealing the bound data of page actions; Next reads it from the
 * environment only.
 */
export function sealActionsWith(key: string): void {
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = key;
}
