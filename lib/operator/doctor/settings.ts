import { readdirSync } from "node:fs";
import { join } from "node:path";
import { edgeWith, isAmong, locationOf, parseAddress, parseProxies } from "@/lib/platform/addresses";
import { PROXIES } from "@/lib/platform/audit";
import { isBesideData, openSecretMode, secretSource } from "@/lib/platform/crypto/secret-source";
import { checkConfiguration } from "@/lib/platform/crypto/secrets";
import { canClose, DATABASE_FILE, openMode } from "@/lib/platform/data-folder";
import { db } from "@/lib/platform/db/client";
import { type Environment, env, environment, formerSettings, namesOfVariables } from "@/lib/platform/env";
import { PROXIES_REMEMBERED_MS } from "@/lib/platform/network/forwarded";
import { addressesIn, asUrl, hostIn } from "@/lib/platform/postgres-address";
import { type Fault, MAX_PER_KIND } from "./finding";

/** Every process of the service may note the same proxies, and edges that somebody pretends to be. */
const MAX_EVENTS = 2_000;
const WHAT_FOLLOWS =
  "the people behind it cannot be told apart, share their limits, and must also press Allow for each link";

/**
 * Recorded proxies that TRUSTED_PROXIES does not name or that name no client and, if there are none, what the
 * configuration itself shows.
 */
export async function* proxies(now: Date): AsyncGenerator<Fault> {
  const { unnamed, silent, edges } = await recordedProxies(now);
  for (const [proxy, name] of [...unnamed].slice(0, MAX_PER_KIND))
    yield {
      problem: `Requests come through ${proxy}, which is not in TRUSTED_PROXIES: ${WHAT_FOLLOWS}.`,
      advice: `If it is a proxy of yours, set TRUSTED_PROXIES=${settingWith(name)}.`,
    };
  for (const [proxy, { name, last, isNamed }] of [...silent].slice(0, MAX_PER_KIND))
    yield {
      problem:
        `Requests without a client address came through ${proxy}, last noticed at ${last.toISOString()}. ` +
        `If it is a proxy or a tunnel: ${WHAT_FOLLOWS}.`,
      advice:
        `Have the proxy send X-Forwarded-For${isNamed ? "" : `, and set TRUSTED_PROXIES=${settingWith(name)}`}. A ` +
        "tunnel, or a proxy in TCP mode, cannot do this: replace it with a proxy in HTTP mode. If they came from a " +
        "program there, such as curl, nothing is wrong.",
    };
  for (const [proxy, { name, last, header }] of [...edges].slice(0, MAX_PER_KIND))
    yield {
      problem:
        `Requests came through ${proxy}, for which ${header} names another client, as content delivery networks do, ` +
        `last noticed at ${last.toISOString()}: ${WHAT_FOLLOWS}.`,
      advice:
        `If it is an edge of yours, set TRUSTED_PROXIES=${settingWith(name)}, and see docs/operations.md, behind a ` +
        "CDN. If it is not, someone there writes this header, and nothing is wrong.",
    };
  if (
    unnamed.size + silent.size + edges.size === 0 &&
    !env.TRUSTED_PROXIES &&
    !env.VERCEL &&
    env.NEXTAUTH_URL?.startsWith("https:")
  )
    yield {
      problem: `NEXTAUTH_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is not set: ${WHAT_FOLLOWS}.`,
      advice:
        "Set TRUSTED_PROXIES to the address from which the proxy comes: loopback for one on this machine. " +
        "The log names it.",
    };
}

const settingWith = (name: string) => [...new Set([env.TRUSTED_PROXIES, name])].filter(Boolean).join(",");

interface Recorded {
  /** By address, how TRUSTED_PROXIES would name it. */
  unnamed: Map<string, string>;
  silent: Map<string, { name: string; last: Date; isNamed: boolean }>;
  /** Those for which a header of a content delivery network names another client. */
  edges: Map<string, { name: string; last: Date; header: string }>;
}

/** Proxies recorded in the last seven days: those still not named, and those that name nobody. */
async function recordedProxies(now: Date): Promise<Recorded> {
  const trusted = parseProxies(env.TRUSTED_PROXIES ?? "") ?? [];
  const events = await db.auditEvent.findMany({
    where: {
      subjectId: PROXIES,
      action: "proxy.unnamed",
      at: { gte: new Date(now.getTime() - PROXIES_REMEMBERED_MS) },
    },
    orderBy: { id: "desc" },
    take: MAX_EVENTS,
    select: { detail: true, at: true },
  });
  const recorded: Recorded = { unnamed: new Map(), silent: new Map(), edges: new Map() };
  for (const { detail, at } of events) {
    const { proxy, silent, header } = JSON.parse(detail);
    const address = parseAddress(proxy);
    if (!address) continue;
    const name = edgeWith(address) ?? (locationOf(address) === "loopback" ? "loopback" : proxy);
    const isNamed = isAmong(address, trusted);
    if (header) {
      if (!isNamed && !recorded.edges.has(proxy)) recorded.edges.set(proxy, { name, last: at, header });
      continue;
    }
    if (silent && !recorded.silent.has(proxy)) recorded.silent.set(proxy, { name, last: at, isNamed });
    if (!silent && !isNamed) recorded.unnamed.set(proxy, name);
  }
  return recorded;
}

/** A setting that is unsafe here, why, and what to do. */
export interface Unsafe {
  problem: string;
  advice: string;
  /** Nobody wants it so: the doctor says it, too. */
  isFault?: true;
}

/** What is unsafe about the settings, the most urgent first. */
export async function unsafeSettings(now = new Date()): Promise<Unsafe[]> {
  const unsafe = unsafeIn(env);
  for await (const { problem, advice } of proxies(now)) unsafe.push({ problem, advice });
  return unsafe;
}

/** The same, as far as the settings themselves show it. */
export function unsafeIn(settings: Environment): Unsafe[] {
  return RULES.flatMap((rule) => rule(settings) ?? []);
}

const RULES: ((settings: Environment) => Unsafe | undefined)[] = [
  ({ NEXTAUTH_URL }) =>
    NEXTAUTH_URL?.startsWith("http:") && !isLocal(new URL(NEXTAUTH_URL).hostname)
      ? {
          problem: "NEXTAUTH_URL is http: others on the way can read passwords, tokens and cookies.",
          advice: "Put a proxy with TLS in front, and set NEXTAUTH_URL to its https address.",
          isFault: true,
        }
      : undefined,
  ({ NEXTAUTH_URL, HOST, NODE_ENV }) =>
    !NEXTAUTH_URL && NODE_ENV === "production" && !(HOST && isLocal(HOST))
      ? {
          problem: "NEXTAUTH_URL is not set, so links and cookies follow the address that each request names.",
          advice: "Set NEXTAUTH_URL to the address that people open, or HOST to 127.0.0.1 if nobody else should.",
        }
      : undefined,
  (settings) =>
    isBesideData(settings)
      ? {
          problem: "The secret is a file beside the database: a copy of DATA_DIR has all that opens what is stored.",
          advice: "Move the secret from DATA_DIR/secret to AUTH_SECRET or AUTH_SECRET_FILE, and keep it elsewhere.",
        }
      : undefined,
  ({ SEAL_FILES }) =>
    SEAL_FILES
      ? undefined
      : {
          problem: "SEAL_FILES is false: a copy of the database, or a backup, contains files in the clear.",
          advice: "Set SEAL_FILES=true, restart, and run data:rotate.",
        },
  ({ ALLOW_SIGNUP, NEXTAUTH_URL }) =>
    ALLOW_SIGNUP && NEXTAUTH_URL && !isLocal(new URL(NEXTAUTH_URL).hostname)
      ? {
          problem: "ALLOW_SIGNUP is true: anyone who reaches this address can create an account.",
          advice: "If you know your users, set ALLOW_SIGNUP=false and invite them.",
        }
      : undefined,
  ({ DATABASE_URL }) =>
    DATABASE_URL && addressesIn(DATABASE_URL).some((one) => !isLocal(hostIn(one))) && !isVerified(DATABASE_URL)
      ? {
          problem: "The connection to the database is not verified: it goes to another machine without verified TLS.",
          advice: "Add sslmode=verify-full to DATABASE_URL, and sslrootcert for a private certificate.",
        }
      : undefined,
  ({ LOG_LEVEL, NODE_ENV }) =>
    NODE_ENV === "production" && (LOG_LEVEL === "silent" || LOG_LEVEL === "fatal")
      ? {
          problem: `LOG_LEVEL is ${LOG_LEVEL}: faults and attacks are not logged.`,
          advice: "Set LOG_LEVEL=warn or info.",
        }
      : undefined,
];

/** PostgreSQL's own default takes a connection without TLS. */
const isVerified = (address: string) =>
  ["verify-full", "verify-ca", "require"].includes(new URL(asUrl(address)).searchParams.get("sslmode") ?? "");

/** Whether a host is this machine. An empty one is a local socket. */
function isLocal(host: string): boolean {
  if (host === "" || host === "localhost" || host.endsWith(".localhost") || host.startsWith("/")) return true;
  const address = parseAddress(host);
  return address !== undefined && locationOf(address) === "loopback";
}

/** A name of one of our variables with more slips than this is another program's. */
const MAX_SLIPS = 2;
/** Of a shorter name, two slips make another word. */
const MIN = 6;

/** What is wrong with the settings: the service would not start with them, or they do not do what they seem to. */
export async function* settings(set = namesOfVariables()): AsyncGenerator<Fault> {
  try {
    checkConfiguration();
  } catch (error) {
    yield { problem: (error as Error).message, advice: "The service does not start until then." };
  }
  for (const { problem, advice, isFault } of unsafeIn(env)) if (isFault) yield { problem, advice };
  for (const name of set.sort()) {
    const meant = mistyped(name);
    if (meant)
      yield {
        problem: `The variable ${name} is set, but nothing reads it.`,
        advice: `If you meant ${meant}, rename it.`,
      };
  }
  for (const { problem, advice } of formerSettings) yield { problem, advice };
}

/** Which of our variables somebody meant by a name that is none of them. */
function mistyped(name: string): string | undefined {
  const names = Object.keys(environment.shape);
  if (name.length < MIN || names.includes(name)) return undefined;
  const sameBegin = (one: string) => name.length >= 2 * MIN && one.startsWith(name.slice(0, -1));
  return names.find((one) => one.length >= MIN && (slips(name, one) <= MAX_SLIPS || sameBegin(one)));
}

/** How many letters were left out, added or exchanged (Levenshtein's distance). */
function slips(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries())
      current.push(
        Math.min(
          (above[column] ?? 0) + (character === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
        ),
      );
    above = current;
  }
  return above.at(-1) ?? 0;
}

/** Whether others can read the secret, or the embedded database. */
export async function* permissions(): AsyncGenerator<Fault> {
  const { file } = secretSource();
  const mode = file ? openSecretMode(file) : 0;
  if (file && mode) yield isOpen(file, mode, { allowed: "600", instead: "set AUTH_SECRET instead" });
  if (env.DATABASE_URL) return;
  const files = readdirSync(env.DATA_DIR).filter((name) => name.startsWith(DATABASE_FILE));
  for (const [path, allowed] of [
    [env.DATA_DIR, "700"] as const,
    ...files.map((name) => [join(env.DATA_DIR, name), "600"] as const),
  ]) {
    const mode = openMode(path);
    if (mode) yield isOpen(path, mode, { allowed, instead: "set DATA_DIR to a folder on another file system" });
  }
}

const isOpen = (path: string, mode: number, { allowed, instead }: Record<"allowed" | "instead", string>): Fault => ({
  problem: `${path} is open to others (${mode.toString(8)}).`,
  advice: canClose(path)
    ? `chmod ${allowed} ${path}`
    : `It is not this user's, or its file system keeps no modes. If others use this machine, ${instead}.`,
});
