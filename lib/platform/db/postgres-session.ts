import { Client, type ClientBase, type ClientConfig, escapeIdentifier, escapeLiteral } from "pg";
import { env } from "../env";
import { addressesIn, asUrl } from "../postgres-address";
import { perProcess } from "../process";
import { isUnavailable, READ_ONLY, UNFIT } from "./errors";

/** Settings that our statements and Prisma's rely on, whatever the server, the database or the role has set. */
const RELIED_ON: Record<string, string> = {
  // Of two single statements that meet, one would fail instead of waiting.
  default_transaction_isolation: "read committed",
  // As the drivers read times and bytes.
  DateStyle: "ISO",
  bytea_output: "hex",
  // In a literal, a backslash means itself.
  standard_conforming_strings: "on",
};
/** PgBouncer keeps these for each of its clients, whichever connection it hands out. */
const TRACKED = ["DateStyle", "standard_conforming_strings"];

export type SessionConfig = ClientConfig & {
  connectionString: string;
  /** Of our tables, if not the one that the address names. */
  schema?: string;
};

const FACTS = `SELECT pg_backend_pid() AS "pid", current_setting('server_encoding') AS "encoding",
  current_setting('transaction_read_only') AS "readOnly", current_schemas(false)::text[] AS "path",
  (SELECT n.nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = to_regclass('"Holder"')) AS "ours",
  ARRAY[${Object.keys(RELIED_ON).map((name) => `current_setting(${escapeLiteral(name)})`)}] AS "settings"`;

interface Facts {
  pid: number;
  encoding: string;
  /** "on" for a standby. */
  readOnly: string;
  path: string[];
  /** The schema in which this connection finds our tables. */
  ours: string | null;
  /** The values of RELIED_ON. */
  settings: string[];
}

/** Time limit for a new connection, of which each of several hosts has its part. */
export const CONNECTING_MS = 5_000;

const place = perProcess("database host", () => ({ index: 0 }));
/** DIRECT_DATABASE_URL may have other hosts. */
const directPlace = perProcess("direct database host", () => ({ index: 0 }));

/** Of an address with several hosts, which one is in use: a number that grows when another one is. */
export const hostInUse = (): number => place.index;

/** Makes the next host the one in use, unless somebody else has since `index` was. */
export function goToNextHost(index: number): void {
  if (place.index === index) place.index++;
}

/** Of several, only the one that accepts writes is used. */
export const countHosts = () => addressesIn(String(env.DATABASE_URL)).length;

/** pg's configuration for the server at an address of libpq's form, at the host in use. */
export function postgresConfig(url: string, { index } = place): SessionConfig {
  const all = addressesIn(url);
  const address = new URL(all[index % all.length] ?? url);
  const { searchParams } = address;
  const sslmode = searchParams.get("sslmode");
  if (searchParams.get("uselibpqcompat") !== "true") {
    // pg treats it as verify-full, which is the safe reading, and warns about it in nine lines at every start.
    if (sslmode === "require") searchParams.set("sslmode", "verify-full");
    // The authority alone, as in libpq; pg would check the name, too.
    if (sslmode === "verify-ca") searchParams.set("uselibpqcompat", "true");
  }
  return { connectionString: address.href, connectionTimeoutMillis: CONNECTING_MS / all.length };
}

/** Does `work` at the host in use or, as long as that one is away, at the next. */
export const atSomeHost = <T>(work: (config: SessionConfig) => Promise<T>): Promise<T> =>
  atSomeHostOf(String(env.DATABASE_URL), place, work);

async function atSomeHostOf<T>(url: string, at: typeof place, work: (config: SessionConfig) => Promise<T>) {
  for (let left = addressesIn(url).length; ; ) {
    const { index } = at;
    try {
      return await work(postgresConfig(url, at));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (at.index === index) at.index++;
      if (--left === 0) throw error;
    }
  }
}

/** The schema that an address names, as Prisma's do. */
export const schemaIn = (url: string) => new URL(asUrl(url)).searchParams.get("schema") ?? undefined;

/** Bypasses a pooler, for work that needs a session or more than a few seconds. */
export function sessionConfig(): SessionConfig {
  const url = String(env.DATABASE_URL);
  return { connectionString: env.DIRECT_DATABASE_URL ?? url, schema: schemaIn(url) };
}

/**
 * Opens a connection of its own, with the settings that we rely on, and says which schema has our tables. Of several
 * hosts, to the one that accepts writes.
 */
export function connectDirectly(config: SessionConfig): Promise<{ client: Client; schema: string }> {
  const requestedSchema = config.schema ?? schemaIn(config.connectionString);
  const mustWrite = addressesIn(config.connectionString).length > 1;
  return atSomeHostOf(config.connectionString, directPlace, async (at) => {
    const client = new Client(at);
    // The pending statement reports it too; without a listener, it would end the process.
    client.on("error", () => {});
    await client.connect();
    try {
      const pooler = env.DATABASE_POOLER === false ? false : undefined;
      const { schema } = await prepareSession(client, { requestedSchema, pooler, mustWrite });
      return { client, schema };
    } catch (error) {
      await client.end();
      throw error;
    }
  });
}

/**
 * Gives a new connection the settings that we rely on. Our tables are in one schema: `requestedSchema`, or else
 * where the connection finds them or would create them. Behind a pooler, no setting stays: an Error of the code UNFIT
 * says what to change if one is wrong, as for a database that cannot store every text. With `mustWrite`, one of the
 * code READ_ONLY refuses a standby.
 */
export async function prepareSession(
  client: ClientBase,
  { requestedSchema, pooler, mustWrite }: { requestedSchema?: string; pooler?: boolean; mustWrite: boolean },
): Promise<{ schema: string; isPooled: boolean }> {
  const facts = (await client.query<Facts>(FACTS)).rows[0] as Facts;
  if (facts.readOnly === "on" && mustWrite)
    throw Object.assign(new Error("The database is read-only."), { code: READ_ONLY });
  if (facts.encoding !== "UTF8")
    throw unfit(`has the encoding ${facts.encoding}, which lacks characters: create one with ENCODING 'UTF8'.`);
  const schema = requestedSchema ?? facts.ours ?? facts.path[0] ?? "public";
  // BackendKeyData names another process than the one that runs the statements.
  const isPooled = pooler ?? facts.pid !== Reflect.get(client, "processID");
  const wrong = Object.entries(RELIED_ON).filter(([_, value], index) => !facts.settings[index]?.startsWith(value));
  if (isPooled) {
    const [first] = wrong.filter(([name]) => !TRACKED.includes(name));
    if (first) throw behindPooler(...first);
    if ((facts.ours ?? facts.path[0]) !== schema) throw behindPooler("search_path", schema);
  } else if (facts.path.join() !== schema) wrong.push(["search_path", schema]);
  if (wrong.length > 0) await client.query(wrong.map(set).join("; "));
  return { schema, isPooled };
}

const set = ([name, value]: [string, string]) =>
  `SET ${name} TO ${name === "search_path" ? escapeIdentifier(value) : escapeLiteral(value)}`;

const behindPooler = (name: string, value: string) =>
  unfit(
    `sets ${name} to something other than ${value}, and behind a pooler it cannot be set per connection: ` +
      `run ALTER ROLE ... SET ${set([name, value]).slice("SET ".length)} for the user in DATABASE_URL.`,
  );

const unfit = (why: string) => Object.assign(new Error(`The database ${why}`), { code: UNFIT, why });
