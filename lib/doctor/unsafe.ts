import { parseAddress, placeOf } from "@/lib/addresses";
import { type Environment, env } from "@/lib/env";
import { asUrl, hostIn } from "@/lib/postgres-address";
import { isBesideData } from "@/lib/secret-source";
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
  const found = unsafeIn(env);
  for await (const { problem, advice } of proxies(now)) found.push({ problem, advice });
  return found;
}

/** The same, as far as the settings themselves show it. */
export function unsafeIn(settings: Environment): Unsafe[] {
  return RULES.flatMap((rule) => rule(settings) ?? []);
}

const RULES: ((settings: Environment) => Unsafe | undefined)[] = [
  ({ NEXTAUTH_URL }) =>
    NEXTAUTH_URL && isPlainAndRemote(NEXTAUTH_URL, "http:")
      ? {
          problem:
            "NEXTAUTH_URL is http: passwords, tokens and cookies are sent so that others on the way can read them.",
          advice: "Put a proxy with TLS in front, and set NEXTAUTH_URL to its https address.",
          isFault: true,
        }
      : undefined,
  ({ NEXTAUTH_URL, HOST, NODE_ENV }) =>
    !NEXTAUTH_URL && NODE_ENV === "production" && !isLocal(HOST)
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
          problem: "SEAL_FILES is false: a copy of the database, or a backup, has the contents of files in the clear.",
          advice: "Set SEAL_FILES=true, restart, and run data:rotate.",
        },
  ({ ALLOW_SIGNUP, NEXTAUTH_URL }) =>
    ALLOW_SIGNUP && NEXTAUTH_URL && !isLocal(new URL(NEXTAUTH_URL).hostname)
      ? {
          problem: "ALLOW_SIGNUP is true: anybody who reaches this address can create an account.",
          advice: "If you know your users, set ALLOW_SIGNUP=false and invite them.",
        }
      : undefined,
  ({ DATABASE_URL }) =>
    DATABASE_URL && !isLocal(hostIn(DATABASE_URL)) && !isVerified(DATABASE_URL)
      ? {
          problem: "The connection to the database is not verified: it leads to another machine, without TLS or proof.",
          advice: "Add sslmode=verify-full to DATABASE_URL, and sslrootcert for a private certificate.",
        }
      : undefined,
  ({ REDIS_URL }) =>
    REDIS_URL && isPlainAndRemote(REDIS_URL, "redis:")
      ? {
          problem: "REDIS_URL leads to another machine without TLS.",
          advice: "Use rediss:// if the network between the two is not yours alone.",
        }
      : undefined,
  ({ LOG_LEVEL, NODE_ENV }) =>
    NODE_ENV === "production" && (LOG_LEVEL === "silent" || LOG_LEVEL === "fatal")
      ? {
          problem: `LOG_LEVEL is ${LOG_LEVEL}: faults and attacks leave no line in the log.`,
          advice: "Set LOG_LEVEL=warn or info.",
        }
      : undefined,
];

const isPlainAndRemote = (address: string, protocol: string) =>
  new URL(address).protocol === protocol && !isLocal(new URL(address).hostname);

/** PostgreSQL's own default takes a connection without TLS. */
const isVerified = (address: string) =>
  ["verify-full", "verify-ca", "require"].includes(new URL(asUrl(address)).searchParams.get("sslmode") ?? "");

/** Whether a host is this machine. An empty one is a local socket. */
function isLocal(host: string): boolean {
  if (host === "" || host === "localhost" || host.endsWith(".localhost") || host.startsWith("/")) return true;
  const address = parseAddress(host);
  return address !== undefined && placeOf(address) === "loopback";
}
