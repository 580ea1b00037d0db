import { locationOf, parseAddress } from "@/lib/platform/addresses";
import { isBesideData } from "@/lib/platform/crypto/secret-source";
import { type Environment, env } from "@/lib/platform/env";
import { addressesIn, asUrl, hostIn } from "@/lib/platform/postgres-address";
import { proxies } from "./proxies";

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
