import { readFileSync } from "node:fs";

interface Manifest {
  node: Record<string, { exportedName: string; filename: string; workers: Record<string, unknown> }>;
}

/** Each with the first of the pages that have it. */
export function allActions() {
  const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
  const { node }: Manifest = JSON.parse(readFileSync(`${build}/server/server-reference-manifest.json`, "utf8"));
  return Object.entries(node).map(([id, { exportedName, filename, workers }]) => {
    const [worker = ""] = Object.keys(workers).sort();
    const page = worker.replace(/^app|\/\([a-z]+\)|\/page$/g, "") || "/";
    return { id, name: exportedName, file: filename, page };
  });
}

/** The id of an action. `page`: a part of its path, if two have an action of that name. */
export function actionId(name: string, page = ""): string {
  const found = allActions().find((action) => action.name === name && action.file.includes(page));
  if (!found) throw new Error(`There is no action ${name}.`);
  return found.id;
}
