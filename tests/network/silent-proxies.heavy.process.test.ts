import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "@/scripts/scratch-server";
import { runAdmin } from "@/tests/support/admin";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";

/** Proxies on the service's machine that say nothing of their clients, as they come. Needs nginx and HAProxy. */

const folder = mkdtempSync(join(tmpdir(), "latchkey-silent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Start = (port: number, upstream: number) => ChildProcess;

const run = (program: string, parameters: string[]) =>
  spawn(program, parameters, { stdio: "ignore", env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } });

const nginx: Start = (port, upstream) => {
  const file = join(folder, `nginx-${port}.conf`);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    file,
    `pid ${folder}/pid-${port}; events {} http { access_log off; ${places.join(" ")}
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream}; } } }`,
  );
  return run("nginx", ["-p", folder, "-e", join(folder, "errors"), "-c", file, "-g", "daemon off;"]);
};

const haproxy: Start = (port, upstream) => {
  const file = join(folder, `haproxy-${port}.cfg`);
  const times = "timeout connect 5s\n timeout client 1m\n timeout server 1m";
  writeFileSync(
    file,
    `defaults\n mode tcp\n ${times}\nlisten all\n bind 127.0.0.1:${port}\n server one 127.0.0.1:${upstream}\n`,
  );
  return run("haproxy", ["-f", file]);
};

describe.each<[string, Start, TRUSTED_PROXIES: string, hasAddress: boolean]>([
  ["nginx's plain proxy_pass", nginx, "", true],
  ["the same, trusted", nginx, "loopback", true],
  ["the same without NEXTAUTH_URL", nginx, "", false],
  ["HAProxy in TCP mode", haproxy, "", true],
  ["the same without NEXTAUTH_URL", haproxy, "", false],
])("behind %s", (_, start, TRUSTED_PROXIES, hasAddress) => {
  test("nobody is this machine: guesses are limited; the log and doctor say what to set", async () => {
    const front = await freePort();
    const url = `http://127.0.0.1:${front}`;
    const service = await startService(
      { lane: "direct", database: "sqlite" },
      { TRUSTED_PROXIES, FAILED_TOKENS_PER_MINUTE: "5", ...(hasAddress && { NEXTAUTH_URL: url }) },
    );
    const proxy = start(front, Number(new URL(service.url).port));
    try {
      await expect
        .poll(() =>
          sendTo(url, "/health").then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200);
      expect(readFileSync(service.logFile, "utf8")).not.toContain("TRUSTED_PROXIES");
      const statuses: number[] = [];
      for (let asked = 0; asked < 7; asked++) statuses.push((await sendTo(url, "/me?auth=lk_none")).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const lines = readFileSync(service.logFile, "utf8").split("\n");
      expect(lines.filter((line) => line.includes("TRUSTED_PROXIES"))).toEqual([
        expect.stringContaining("X-Forwarded-For"),
      ]);
      const doctor = await runAdmin(["doctor"], {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        TRUSTED_PROXIES,
        ...service.storage,
      });
      expect(JSON.parse(doctor.stdout).problems).toContainEqual(
        expect.objectContaining({
          check: "proxies",
          problem: expect.stringContaining("127.0.0.1 that name no client"),
        }),
      );
    } finally {
      proxy.kill();
      await once(proxy, "exit");
      await service.stop();
    }
  });
});
