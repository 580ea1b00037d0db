import { readFileSync } from "node:fs";

interface Manifest {
  node: Record<string, { exportedName: string; filename: string }>;
}

/** The actions of all pages, in the build that the tests' services run. */
export function allActions(): { id: string; name: string; file: string }[] {
  const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
  const { node }: Manifest = JSON.parse(readFileSync(`${build}/server/server-reference-manifest.json`, "utf8"));
  return Object.entries(node).map(([id, { exportedName, filename }]) => ({ id, name: exportedName, file: filename }));
}

/** The id by which a page's script calls an action. `page`: a part of its path, if two have an action of that name. */
export function actionId(name: string, page = ""): string {
  const found = allActions().find((action) => action.name === name && action.file.includes(page));
  if (!found) throw new Error(`There is no action ${name}.`);
  return found.id;
}
