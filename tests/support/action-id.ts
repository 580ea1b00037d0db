import { readFileSync } from "node:fs";

interface Manifest {
  node: Record<string, { exportedName: string; filename: string }>;
}

/**
 * The id by which a page's script calls an action, in the build that the tests' services run. `page`: a part of its
 * path, if two have an action of that name.
 */
export function actionId(name: string, page = ""): string {
  const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
  const { node }: Manifest = JSON.parse(readFileSync(`${build}/server/server-reference-manifest.json`, "utf8"));
  const found = Object.entries(node).find(
    ([, { exportedName, filename }]) => exportedName === name && filename.includes(page),
  );
  if (!found) throw new Error(`There is no action ${name}.`);
  return found[0];
}
