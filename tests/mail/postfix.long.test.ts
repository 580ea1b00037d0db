import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/scripts/scratch-server";
import { ownFolder } from "@/tests/support/place";

/** What a strict relay takes of ours. Needs Postfix and root. */

const folder = ownFolder("postfix");
const log = join(folder, "maillog");
const postfix = (command: string) =>
  execFileSync("postfix", ["-c", join(folder, "etc"), command], {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
let port: number;

beforeAll(async () => {
  port = await freePort();
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "etc"));
  for (const name of ["queue", "data"]) mkdirSync(join(folder, name));
  execFileSync("chown", ["postfix:", join(folder, "data")]);
  for (const name of ["dynamicmaps.cf", "postfix-files"])
    if (existsSync(`/etc/postfix/${name}`)) cpSync(`/etc/postfix/${name}`, join(folder, "etc", name));
  const settings = {
    compatibility_level: "3.6",
    queue_directory: join(folder, "queue"),
    data_directory: join(folder, "data"),
    maillog_file: log,
    maillog_file_prefixes: folder,
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    myhostname: "relay.example",
    mydestination: "",
    default_transport: "discard",
    smtpd_helo_required: "yes",
    smtpd_helo_restrictions: "reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname",
    smtpd_sender_restrictions: "reject_non_fqdn_sender",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    strict_rfc821_envelopes: "yes",
  };
  writeFileSync(
    join(folder, "etc", "main.cf"),
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(""),
  );
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "proxymap unix - - n - - proxymap",
    "anvil unix - - n - 1 anvil",
    "discard unix - - n - - discard",
    "postlog unix-dgram n - n - 1 postlogd",
  ];
  writeFileSync(join(folder, "etc", "master.cf"), `${services.join("\n")}\n`);
  postfix("start");
});
afterAll(() => {
  postfix("stop");
});

test("a relay that wants full names and senders takes what a service in a container sends", async () => {
  Object.assign(process.env, {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Keys: the (best) [ones] <keys@keys.example>",
    NEXTAUTH_URL: "https://keys.example",
  });
  const { sendLetter } = await import("@/lib/accounts/ways-in/mail/transport");
  const letter = { subject: "A subject", paragraphs: ["Words."], end: [] };
  expect(await sendLetter("alice@elsewhere.example", letter)).toBeNull();
  await expect.poll(() => readFileSync(log, "utf8")).toMatch(/to=<alice@elsewhere\.example>.*status=sent/);
  expect(readFileSync(log, "utf8")).not.toContain("Helo command rejected");
  // As the machine itself may be called.
  const { env } = await import("@/lib/platform/env");
  env.SMTP_URL = `smtp://127.0.0.1:${port}/?name=latchkey`;
  const problem = await sendLetter("alice@elsewhere.example", letter);
  expect(problem?.response).toBe("504 5.5.2 <latchkey>: Helo command rejected: need fully-qualified hostname");
});
