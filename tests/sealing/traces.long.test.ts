import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { newId } from "@/lib/platform/ids";
import { postgresBinaries, startPostgres } from "@/scripts/postgres";
import { runAdmin } from "@/tests/support/admin";
import { callAction } from "@/tests/support/call-action";
import { tellPostgres } from "@/tests/support/databases";
import { idOf, smallDocument } from "@/tests/support/documents";
import { type Asking, sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { Traces } from "@/tests/support/traces";
import { signInByPassword } from "@/tests/support/user";

/** What every text that users store here begins with, so that one search finds any of them. */
const MARK = `marked-${randomBytes(12).toString("hex")}`;
const NAMED = `named-${randomBytes(12).toString("hex")}`;
const PASSWORD = `${MARK} password`;
const PASSPHRASE = `${MARK} passphrase`;

let marks = 0;
const marked = () => `${MARK} number ${++marks}`;

const ROOT = idOf(1);
const documentOf = (username: string) => JSON.stringify(smallDocument(username, marked()));

async function storeEverywhere(service: RunningService, admin: (...sent: string[]) => Promise<string>, folder: string) {
  const { url } = service;
  const created = await runAdmin(["user:create", "alice"], { ...base(service) }, PASSWORD);
  const { token } = JSON.parse(created.stdout);
  const bearer = { Authorization: `Bearer ${token}` };
  const ask = async (path: string, asking: Asking = {}) => {
    const answer = await sendTo(url, path, asking);
    expect([path, answer.status, answer.text.slice(0, 200)]).toEqual([path, 200, expect.anything()]);
    return answer;
  };
  const cookie = await signInByPassword(url, "alice", PASSWORD);
  const send = (method: string, path: string, body: string) =>
    ask(path, {
      method,
      body,
      headers: { Cookie: cookie, Origin: url, Host: new URL(url).host, "Content-Length": `${Buffer.byteLength(body)}` },
    });

  // Imports replace everything, so they come first.
  const file = join(folder, "document.json");
  writeFileSync(file, documentOf("alice"));
  await admin("files:import", "alice", file);
  rmSync(file);
  await send("POST", "/files/import", documentOf("alice"));
  const whole = new URLSearchParams({ id: "1".repeat(32), folder: ROOT, name: "b.txt" });
  await send("PUT", `/files/uploads?${whole}&existing=refuse`, marked());
  const small = { folder: ROOT, existing: "refuse" };
  const content = marked();
  const files = [{ id: "2".repeat(32), name: "c.txt", size: content.length }];
  await send("PUT", "/files/uploads/together", `${JSON.stringify({ ...small, files })}\n${content}`);
  const parts = [marked(), marked()];
  const totalBytes = parts.join("").length;
  const large = { ...small, name: "d.bin", totalBytes, isText: false, modified: 0 };
  const { body } = await send("POST", "/files/uploads", JSON.stringify(large));
  const upload = `/files/uploads/${body?.uploadId}`;
  await send("PUT", `${upload}?offset=0`, parts[0] ?? "");
  await send("PUT", `${upload}?offset=${parts[0]?.length}`, parts[1] ?? "");
  await send("POST", upload, "");

  const creating = { query: { data: marked(), price: 1, name: NAMED }, headers: bearer };
  const key = (await ask("/keys/create", creating)).body?.key;
  await ask(`/keys/update/${key}`, { query: { key: "data", data: marked() }, headers: bearer });
  const act = async (name: string, ...sent: unknown[]) => {
    const { status, text } = await callAction(url, "/keys", name, sent, { cookie });
    expect([name, status, /^1:\{"ok":/m.test(text)]).toEqual([name, 200, true]);
  };
  await act("create", { name: "by the page", data: marked(), price: "2" }, newId());
  await act("replaceData", { keyId: key, data: marked() });

  // What is read leaves nothing behind either. The file in parts is no text, so it is sent as base64.
  expect((await ask(`/keys/get/${key}`, { headers: bearer })).text).toContain(MARK);
  expect((await ask("/read-files", { headers: bearer })).text.split(MARK)).toHaveLength(4);
  expect((await ask("/account/archive", { headers: { Cookie: cookie } })).text).toContain("files.json");
  await admin("files:export", "alice");
  return { token: String(token) };
}

const base = (service: RunningService) => ({
  PATH: process.env.PATH,
  NODE_ENV: process.env.NODE_ENV,
  ...service.storage,
});

async function serverOf(url: string, folder: string) {
  const [row] = await tellPostgres<{ data: string; pieces: string; toast: string }>(
    url,
    "CHECKPOINT",
    `SELECT current_setting('data_directory') AS data, pg_relation_filepath('"FileContent"') AS pieces,
      pg_relation_filepath(reltoastrelid) AS toast FROM pg_class WHERE oid = '"FileContent"'::regclass`,
  );
  const dump = join(folder, "dump.sql");
  execFileSync(join(postgresBinaries() ?? "", "pg_dump"), ["-d", url, "-f", dump]);
  expect(readFileSync(dump, "utf8")).toContain(NAMED);
  return row;
}

test.each(["sqlite", "postgresql"] as const)(
  "what users store is nowhere in the clear: not in %s, dumps, backups, logs, nor in a service that has not read it",
  async (database) => {
    const postgres = database === "postgresql" ? await startPostgres() : undefined;
    const service = await startService({ lane: "direct", database }, { LOG_LEVEL: "trace" }, postgres);
    const folder = mkdtempSync(join(tmpdir(), "latchkey-traces-"));
    const admin = async (...sent: string[]) => {
      const { status, stdout, stderr } = await runAdmin(sent, base(service), PASSPHRASE);
      expect([sent[0], status, stderr]).toEqual([sent[0], 0, expect.not.stringContaining(MARK)]);
      return stdout;
    };
    try {
      const { token } = await storeEverywhere(service, admin, folder);
      const { AUTH_SECRET = "", DATA_DIR = "", DATABASE_URL } = service.storage;
      const traces = new Traces({ "what users stored": MARK, "the token": token, "the secret": AUTH_SECRET });
      // The name of a key is not sealed: the search finds it, so it would find the others.
      const named = new Traces({ name: NAMED });

      await admin("backup", join(folder, "sealed"));
      await admin("backup", join(folder, "open"), "--open");
      for (const name of ["sealed", "open"]) {
        const text = gunzipSync(readFileSync(join(folder, name)));
        expect([named.in(text), traces.in(text)]).toEqual([["name"], []]);
      }
      const server = DATABASE_URL ? await serverOf(DATABASE_URL, folder) : undefined;
      expect(traces.inFiles(folder)).toEqual([]);
      expect(traces.in(readFileSync(service.logFile))).toEqual([]);

      // While it runs, so that the write-ahead log is there, and again once it has ended.
      const [place, pieces] = server
        ? [server.data, [server.pieces, server.toast, "pg_wal/"].map((part) => `/${part}`)]
        : [DATA_DIR, ["latchkey.db"]];
      const search = () => {
        expect(traces.inFiles(place, (path) => pieces.some((part) => path.includes(part)))).toEqual([]);
        expect(named.inFiles(place).length).toBeGreaterThan(0);
      };
      search();
      await service.kill();
      search();

      await service.restart();
      expect((await sendTo(service.url, "/keys/mine", { headers: { Authorization: "Bearer none" } })).status).toBe(401);
      const [pid = 0] = service.pids();
      process.kill(pid, "SIGSTOP");
      expect(traces.inMemory(pid)).toEqual(["the secret"]);
    } finally {
      await service.stop();
      await postgres?.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
