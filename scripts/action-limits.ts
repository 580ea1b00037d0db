// Part of a build, with its folder: writes into actions.json what the gate must know of each action, as it is declared
// (app/(pages)/action.ts). Ends with an error at an action without a declaration.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

interface Manifest {
  node: Record<string, { exportedName: string; filename: string; workers: Record<string, unknown> }>;
}

interface Limits {
  bodyBytes: number;
  strangersBytes: number;
}

const [folder = ""] = process.argv.slice(2);
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
const { node }: Manifest = read("server/server-reference-manifest.json");
const paths: Record<string, string> = read("app-path-routes-manifest.json");

const stored: Record<string, Limits & { pages: string[] }> = {};
for (const [id, { exportedName, filename, workers }] of Object.entries(node)) {
  const declared: Partial<Record<string, { limits?: Limits }>> = await import(resolve(filename));
  const limits = declared[exportedName]?.limits;
  if (!limits) throw new Error(`${filename}: ${exportedName} is not made by action().`);
  stored[id] = { ...limits, pages: Object.keys(workers).map((worker) => paths[worker.replace(/^app/, "")] ?? "") };
}
writeFileSync(join(folder, "actions.json"), JSON.stringify(stored));
