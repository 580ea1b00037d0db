import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@/scripts/scratch-server";
import { type RunningServer, scratch, startServer } from "../child";

/** nginx on this machine. */
export const nginxProgram = () =>
  ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"].find((path) =>
    existsSync(path),
  );

/** Serves a folder, including precompressed files (gzip_static), with one process. Undefined if there is no nginx. */
export async function startNginx(folder: string): Promise<RunningServer | undefined> {
  const nginx = nginxProgram();
  if (!nginx) return undefined;
  const port = await freePort();
  const configuration = join(scratch, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(scratch, "nginx-temp")};`,
  );
  writeFileSync(
    configuration,
    `daemon off; master_process off; worker_processes 1; pid ${join(scratch, "nginx.pid")}; error_log stderr; events {}
http { access_log off; sendfile on; tcp_nopush on; gzip_static on; default_type application/json; ${temporary.join(" ")}
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  return startServer({
    name: "nginx",
    command: nginx,
    parameters: ["-c", configuration, "-p", scratch],
    url: `http://127.0.0.1:${port}`,
    ready: "/ready",
  });
}
