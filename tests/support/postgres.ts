import { startPostgres } from "@/scripts/postgres";

interface SharedServer {
  url: Promise<string>;
  users: number;
  stop: () => Promise<void>;
}

/** One server for all projects of a run: each project has its own copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyTestPostgres?: SharedServer };

/** These servers do not test durability, so they need not wait for the disk. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * The PostgreSQL server of this run: the one at TEST_DATABASE_URL, or else one started here in a temporary folder. It
 * runs until every user has released it. Throws if there is neither.
 */
export async function acquirePostgres(): Promise<{ url: string; release: () => Promise<void> }> {
  perProcess.latchkeyTestPostgres ??= open();
  const server = perProcess.latchkeyTestPostgres;
  server.users++;
  const release = async () => {
    if (--server.users > 0) return;
    delete perProcess.latchkeyTestPostgres;
    await server.stop();
  };
  return { url: await server.url, release };
}

function open(): SharedServer {
  const existing = process.env.TEST_DATABASE_URL;
  if (existing) return { url: Promise.resolve(existing), users: 0, stop: async () => {} };
  const started = startPostgres(FAST);
  return { url: started.then(({ url }) => url), users: 0, stop: async () => (await started).stop() };
}
