import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getMimeType } from "hono/utils/mime";

const LARGEST_BODY = 4_500_000;

/** A route of config.json, as in Vercel's Build Output API (version 3), with only the fields that our builds use. */
interface VercelRoute {
  src?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  methods?: string[];
  has?: Condition[];
  missing?: Condition[];
  continue?: boolean;
  check?: boolean;
  handle?: string;
  middlewarePath?: string;
}

interface Condition {
  type: "header" | "host" | "cookie" | "query";
  key: string;
  value?: string;
}

interface Matched {
  route: VercelRoute;
  /** Its target, with matches filled in. */
  dest?: string;
}

type Headers = Record<string, string | string[] | undefined>;

/** The routes of each phase, by name; those before the first belong to the phase "first". */
function phasesOf(routes: VercelRoute[]): Map<string, VercelRoute[]> {
  const phases = new Map<string, VercelRoute[]>([["first", []]]);
  let phase = "first";
  for (const route of routes) {
    if (route.handle) phase = route.handle;
    else phases.set(phase, [...(phases.get(phase) ?? []), route]);
  }
  return phases;
}

/** The route as it applies to a path, or undefined if it does not. */
function matchRoute(route: VercelRoute, path: string, method: string, headers: Headers): Matched | undefined {
  const found = new RegExp(/^\^/.test(route.src ?? "") ? (route.src ?? "") : `^${route.src}$`, "i").exec(path);
  if (!found || (route.methods && !route.methods.includes(method))) return undefined;
  const groups: Record<string, string | undefined> = { ...found.groups };
  const holds = (condition: Condition) => {
    const sent = condition.type === "header" ? headers[condition.key.toLowerCase()] : undefined;
    if (sent === undefined) return false;
    const value = condition.value === undefined ? null : new RegExp(`^${condition.value}$`).exec(String(sent));
    Object.assign(groups, value?.groups);
    return condition.value === undefined || value !== null;
  };
  if (route.has?.some((condition) => !holds(condition)) || route.missing?.some(holds)) return undefined;
  const dest = route.dest?.replace(
    /\$(\w+)/g,
    (_, name: string) => (/^\d+$/.test(name) ? found[Number(name)] : groups[name]) ?? "",
  );
  return { route, dest };
}

/**
 * Runs what `vercel build --standalone` has packed into `output`: each function in a separate process and folder with
 * nothing else in it, behind one port. That port routes as config.json says, refuses bodies of more than 4.5 MB, and
 * names the client as the platform does.
 */
export async function launchVercel(
  output: string,
  environment: Record<string, string>,
): Promise<{ url: string; printed(): string; stop(): Promise<void> }> {
  const place = mkdtempSync(join(tmpdir(), "latchkey-vercel-"));
  const phases = phasesOf(JSON.parse(readFileSync(join(output, "config.json"), "utf8")).routes);
  const running = new Map<string, Promise<{ child: ChildProcess; port: number }>>();
  let printed = "";

  const functionAt = (path: string) => join(output, "functions", `${path === "/" ? "/index" : path}.func`);
  const launch = async (folder: string, kind: string) => {
    const copy = join(place, String(running.size));
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    const child = fork(join(import.meta.dirname, "vercel-function.mjs"), [copy, kind], {
      cwd: copy,
      env: { PATH: process.env.PATH, VERCEL: "1", VERCEL_ENV: "production", NODE_ENV: "production", ...environment },
      silent: true,
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += chunk));
    const [port] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => Promise.reject(new Error(printed))),
    ]);
    return { child, port: Number(port) };
  };
  const portOf = async (path: string, kind = "page") => {
    const folder = realpathSync(functionAt(path));
    if (!running.has(folder)) running.set(folder, launch(folder, kind));
    return (await running.get(folder))?.port ?? 0;
  };
  const isThere = (path: string) => existsSync(functionAt(path)) || isFile(join(output, "static", path));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    if (body.length > LARGEST_BODY) return void response.writeHead(413).end("FUNCTION_PAYLOAD_TOO_LARGE");
    const [asked = "/", ...rest] = (request.url ?? "/").split("?");
    const query = new URLSearchParams();
    const method = request.method ?? "GET";
    const origin = new URL(environment.NEXTAUTH_URL ?? "https://keys.example");
    const headers: Headers = {
      ...request.headers,
      // With this header, tests act as clients from other networks; the platform itself would overwrite it.
      "x-forwarded-for": request.headers["x-forwarded-for"] ?? request.socket.remoteAddress,
      "x-forwarded-host": origin.host,
      "x-forwarded-proto": origin.protocol.slice(0, -1),
    };
    const own: Record<string, string> = {};
    let [path, status] = [asked, 0];

    const follow = async (routes: VercelRoute[] = []): Promise<boolean> => {
      for (const candidate of routes) {
        const matched = matchRoute(candidate, path, method, headers);
        if (!matched) continue;
        Object.assign(own, matched.route.headers);
        if (matched.route.middlewarePath !== undefined) {
          const port = await portOf(matched.route.middlewarePath, "before");
          const before = await ask(port, method, request.url ?? "/", headers, body);
          const overridden = String(before.headers["x-middleware-override-headers"] ?? "").split(",");
          for (const name of overridden.filter(Boolean)) headers[name] = before.headers[`x-middleware-request-${name}`];
          for (const [name, value] of Object.entries(before.headers))
            if (!/^(?:x-middleware-|content-(?:length|type)|date|connection|keep-alive|transfer)/.test(name))
              own[name] = String(value);
          continue;
        }
        status = matched.route.status ?? status;
        if (matched.dest !== undefined) {
          const [to = path, parameters] = matched.dest.split("?");
          for (const [name, value] of new URLSearchParams(parameters)) query.set(name, value);
          path = to;
        }
        if (matched.route.continue) continue;
        if (!matched.route.check || isThere(path)) return true;
        if (await follow(phases.get("rewrite"))) return true;
      }
      return false;
    };

    await follow(phases.get("first"));
    if (!isThere(path) && !(await follow(phases.get("rewrite")))) await follow(phases.get("resource"));
    if (!isThere(path)) {
      path = "/_not-found";
      status = 404;
    }
    const file = join(output, "static", path);
    // Our pages forbid browsers to guess the media type.
    if (isFile(file))
      return void response
        .writeHead(status || 200, { "Content-Type": getMimeType(path), ...own })
        .end(readFileSync(file));
    const url = `${asked}?${[rest.join("?"), query.toString()].filter(Boolean).join("&")}`.replace(/\?$/, "");
    const passed = { ...headers, "x-matched-path": path, "content-length": undefined };
    const answered = await ask(await portOf(path), method, url, passed, body);
    const code = status === 404 && answered.status === 200 ? 404 : answered.status;
    response.writeHead(code, { ...own, ...answered.headers }).end(answered.body);
  }

  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    printed: () => printed,
    async stop() {
      server.close().closeAllConnections();
      for (const { child } of await Promise.all(running.values())) child.kill("SIGKILL");
      rmSync(place, { recursive: true, force: true });
    },
  };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function ask(port: number, method: string, path: string, headers: Headers, body: Buffer) {
  const present = Object.entries({ ...headers, connection: "close" }).filter(([, value]) => value !== undefined);
  const sent = send({ host: "127.0.0.1", port, method, path, headers: Object.fromEntries(present) }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const { connection: _, "transfer-encoding": __, ...kept } = answer.headers;
  return { status: answer.statusCode ?? 0, headers: kept, body: Buffer.concat(await answer.toArray()) };
}
