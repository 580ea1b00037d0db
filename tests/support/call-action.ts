import { readFileSync } from "node:fs";
import { type Answer, sendTo } from "./request";

interface Manifest {
  node: Record<string, { exportedName: string; filename: string; workers: Record<string, unknown> }>;
}

/** Each with the pages that have it, and the first of them. */
export function allActions() {
  const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
  const { node }: Manifest = JSON.parse(readFileSync(`${build}/server/server-reference-manifest.json`, "utf8"));
  return Object.entries(node).map(([id, { exportedName, filename, workers }]) => {
    const pages = Object.keys(workers).map((worker) => worker.replace(/^app|\/\([a-z]+\)|\/page$/g, "") || "/");
    pages.sort();
    return { id, name: exportedName, file: filename, page: pages[0] ?? "", pages };
  });
}

/** The id of an action. `page`: a part of its path, if two have an action of that name. */
export function actionId(name: string, page = ""): string {
  const found = allActions().find((action) => action.name === name && action.file.includes(page));
  if (!found) throw new Error(`There is no action ${name}.`);
  return found.id;
}

interface Calling {
  /** The address that people open, if it is another one. */
  origin?: string;
  /** The page whose script calls it, if that is somebody else's. */
  from?: string;
  cookie?: string;
  network?: string;
  /** A part of the path of the action's file, if two have an action of that name. */
  file?: string;
  headers?: Record<string, string>;
}

export function callAction(
  url: string,
  page: string,
  name: string,
  args: unknown[],
  { origin = url, from = origin, cookie, network, file, headers: further }: Calling = {},
): Promise<Answer> {
  const body = JSON.stringify(args);
  const headers = {
    "Next-Action": actionId(name, file),
    Accept: "text/x-component",
    Origin: from,
    Host: new URL(origin).host,
    "Content-Type": "text/plain;charset=UTF-8",
    "Content-Length": String(Buffer.byteLength(body)),
    ...(cookie && { Cookie: cookie }),
    ...further,
  };
  return sendTo(url, page, { method: "POST", headers, body, network });
}
