import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { matchRoute, phasesOf, type VercelRoute } from "./vercel-routes";

const LARGEST_BODY = 4_500_000;

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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.length > LARGEST_BODY) return void response.writeHead(413).end("FUNCTION_PAYLOAD_TOO_LARGE");
    const [asked = "/", ...rest] = (request.url ?? "/").split("?");
    const query = new URLSearchParams();
    const method = request.method ?? "GET";
    const origin = new URL(environment.NEXTAUTH_URL ?? "https://keys.example");
    const headers: Record<string, string | string[] | undefined> = {
      ...request.headers,
      "x-forwarded-for": clientOf(request),
      "x-forwarded-host": origin.host,
    };
    headers["x-forwarded-proto"] = origin.protocol.slice(0, -1);
    const own: Record<string, string> = {};
    let [path, status] = [asked, 0];

    const follow = async (routes: VercelRoute[] = []): Promise<boolean> => {
      for (const candidate of routes) {
        const matched = matchRoute(candidate, path, method, headers);
        if (!matched) continue;
        Object.assign(own, matched.route.headers);
        if (matched.route.middlewarePath !== undefined) {
          const before = await ask(
            await portOf(matched.route.middlewarePath, "before"),
            method,
            request.url ?? "/",
            headers,
            body,
          );
          for (const name of String(before.headers["x-middleware-override-headers"] ?? "")
            .split(",")
            .filter(Boolean))
            headers[name] = before.headers[`x-middleware-request-${name}`];
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
    const url = `${asked}?${[rest.join("?"), query.toString()].filter(Boolean).join("&")}`;
    const answered = await ask(
      await portOf(path),
      method,
      url.replace(/\?$/, ""),
      { ...headers, "x-matched-path": path, "content-length": undefined },
      body,
    );
    response.writeHead(status === 404 && answered.status === 200 ? 404 : answered.status, {
      ...own,
      ...answered.headers,
    });
    response.end(answered.body);
  }

  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    void answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
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

/** With this header, tests act as clients from other networks; the platform itself would overwrite it. */
const clientOf = ({ headers, socket }: IncomingMessage) => String(headers["x-forwarded-for"] ?? socket.remoteAddress);

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
) {
  const sent = Object.fromEntries(
    Object.entries({ ...headers, connection: "close" }).filter(([, value]) => value !== undefined),
  );
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }>((resolve, reject) => {
    const asking = send({ host: "127.0.0.1", port, method, path, headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const { connection: _, "transfer-encoding": __, ...kept } = answer.headers;
        resolve({ status: answer.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) });
      });
    });
    asking.on("error", reject).end(body);
  });
}
