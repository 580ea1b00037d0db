import { createWriteStream, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { file, idOf, root, values } from "@/tests/support/documents";
import { type RunningServer, run, scratch, startServer, typescript } from "./child";
import { processorSeconds, residentBytes } from "./machine";
import { startNginx } from "./peers/nginx";
import { type Comparison, inTurns, median, oursTo, type Result } from "./rounds";
import { type Database, emptyStorage, startLatchkey } from "./service";

interface Contender {
  name: string;
  kind: Result["kind"];
  server: RunningServer;
  path: string;
  headers?: Record<string, string>;
}

const FORMS = ["gzip", "plain"] as const;
const workOf = (size: number, form: (typeof FORMS)[number]) => `read files, ${size} MB, ${form}`;

const CLIENTS = 2;
/** Bytes transferred per round: determines how often a document is downloaded. */
const BYTES_A_ROUND = 200_000_000;
const MB = 1_000_000;

/** Compares reading whole documents of these sizes (MB) in both forms. */
export async function compareFiles(
  database: Database,
  sizes: number[],
  { rounds, isSelected }: { rounds: number; isSelected: (work: string) => boolean },
): Promise<Comparison[]> {
  const selected = sizes.filter((size) => FORMS.some((form) => isSelected(workOf(size, form))));
  if (selected.length === 0) return [];
  const folder = join(scratch, `files-${database === "sqlite" ? "sqlite" : "postgresql"}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "ready"), "");
  const environment = await emptyStorage(database);
  const documents = [];
  for (const size of selected) documents.push(await store(environment, folder, size));

  const ours = await startLatchkey({ environment, keys: [] });
  for (const { id, token } of documents)
    await save(`${ours.url}/read-files?auth=${token}`, join(folder, `${id}.json.gz`));
  const floor = await startServer({
    name: "floor-files",
    parameters: typescript("bench/floors/files.ts", ...documents.map(({ id }) => id)),
    environment: { ...environment, FOLDER: folder },
  });
  const nginx = await startNginx(folder);

  const comparisons: Comparison[] = [];
  for (const { id, token, size } of documents)
    for (const form of FORMS) {
      const work = workOf(size, form);
      if (!isSelected(work)) continue;
      const contenders: Contender[] = [
        { name: "Latchkey", kind: "ours", server: ours, path: `/read-files?auth=${token}` },
        {
          name: `node:http, the same pieces${form === "plain" ? ", inflated" : ""}`,
          kind: "floor",
          server: floor,
          path: `/pieces/${id}`,
        },
        { name: "node:http, a file", kind: "floor", server: floor, path: `/file/${id}` },
        ...(nginx
          ? [
              {
                name: form === "gzip" ? "nginx gzip_static" : "nginx",
                kind: "peer" as const,
                server: nginx,
                path: `/${id}.json`,
              },
            ]
          : []),
      ];
      const results = await compareDownloads(contenders, form === "gzip" ? { "Accept-Encoding": "gzip" } : {}, {
        bytes: size * MB,
        rounds,
      });
      comparisons.push({
        work,
        database: database === "sqlite" ? "SQLite" : "PostgreSQL",
        results,
      });
    }
  await Promise.all([ours, floor, ...(nginx ? [nginx] : [])].map((server) => server.stop()));
  return comparisons;
}

/** A user with a document, imported as an operator does. */
async function store(environment: Record<string, string>, folder: string, size: number) {
  const id = `files-${size}`;
  const admin = async (...parameters: string[]) =>
    JSON.parse(await run(typescript("scripts/admin.ts", ...parameters), { environment }));
  const { token } = await admin("user:create", id);
  const draft = join(folder, "document");
  await writeDocument(draft, id, size * MB);
  await admin("files:import", id, draft);
  renameSync(draft, join(folder, `${id}.json`));
  return { id, token, size };
}

/** Stores the gzip form, so that every server sends the same bytes. */
async function save(url: string, path: string): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { "Accept-Encoding": "gzip" } }, resolve).on("error", reject),
  );
  if (response.statusCode !== 200) throw new Error(`/read-files answered ${response.statusCode}.`);
  await pipeline(response, createWriteStream(path));
}

interface Round {
  speed: number;
  processor: number;
  growth: number;
}

async function compareDownloads(
  contenders: Contender[],
  headers: Record<string, string>,
  { bytes, rounds }: { bytes: number; rounds: number },
): Promise<Result[]> {
  const times = Math.max(1, Math.round(BYTES_A_ROUND / bytes));
  const rows = await inTurns(contenders, rounds, (contender) => measured(contender, headers, { times, bytes }));
  return contenders.map(({ name, kind }, index) => {
    const own = rows[index] ?? [];
    return {
      name,
      kind,
      figures: {
        "document MB/s": median(own.map(({ speed }) => speed)),
        "processor ms/MB": median(own.map(({ processor }) => processor)),
        "growth MB": Math.max(...own.map(({ growth }) => growth)),
      },
      oursToThis: oursTo(rows, index, ({ speed }) => speed),
    };
  });
}

async function measured(
  contender: Contender,
  headers: Record<string, string>,
  { times, bytes }: { times: number; bytes: number },
): Promise<Round> {
  const { pid } = contender.server;
  const [before, memoryBefore] = [processorSeconds(pid), residentBytes(pid)];
  let peakMemory = memoryBefore;
  const timer = setInterval(() => {
    peakMemory = Math.max(peakMemory, residentBytes(pid));
  }, 25);
  const { seconds } = await download(contender, headers, times);
  clearInterval(timer);
  const megabytes = (bytes * times * CLIENTS) / MB;
  return {
    speed: megabytes / seconds,
    processor: ((processorSeconds(pid) - before) * 1000) / megabytes,
    growth: (peakMemory - memoryBefore) / MB,
  };
}

async function download(
  { server, path }: Contender,
  headers: Record<string, string>,
  times: number,
): Promise<{ bytes: number; seconds: number }> {
  return JSON.parse(
    await run(["bench/download.mjs"], {
      input: JSON.stringify({ url: `${server.url}${path}`, headers, clients: CLIENTS, times }),
    }),
  );
}

const WORDS = 2_000;
const POOL_BYTES = 1_000_000;
const ENTRY_BYTES = 10_000;

/** Pseudo-random numbers, the same in every run (a linear congruential generator). */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** Text of random words, which deflates to about a third, as prose does. */
function prose(next: () => number): string {
  const words = Array.from({ length: WORDS }, () =>
    next()
      .toString(36)
      .slice(0, 3 + (next() % 5)),
  );
  let text = "";
  while (text.length < POOL_BYTES) text += `${words[(next() >>> 8) % WORDS]} `;
  return text;
}

/** Writes a user's document of about this many bytes, in files of 10 KB. */
async function writeDocument(path: string, username: string, bytes: number): Promise<void> {
  const next = numbers();
  const pool = prose(next);
  const count = Math.ceil(bytes / (ENTRY_BYTES + 250));
  async function* text() {
    const children = Array.from({ length: count }, (_, n) => idOf(n + 2));
    yield JSON.stringify(values(root(username, children))).slice(0, -1);
    for (const n of children.keys()) {
      const start = (next() >>> 8) % (POOL_BYTES - ENTRY_BYTES);
      yield `,${JSON.stringify(values(file(username, n + 2, pool.slice(start, start + ENTRY_BYTES)))).slice(1, -1)}`;
    }
    yield "]";
  }
  await pipeline(text, createWriteStream(path, { highWaterMark: 1 << 20 }));
}
