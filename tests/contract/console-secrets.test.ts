import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { revealToken } from "@/lib/accounts/identity/token";
import { createUser } from "@/lib/accounts/ways-in/create";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { createKey } from "@/lib/keys/create";
import { createCode } from "@/lib/link/create";
import { db } from "@/lib/platform/db/client";
import { isConsole, PAGES } from "@/lib/platform/http/pages";
import { newId } from "@/lib/platform/ids";
import { adminProgram } from "@/scripts/admin/program";
import { callAction } from "@/tests/support/call-action";
import { origin } from "@/tests/support/http";
import { newNetwork, sendTo } from "@/tests/support/request";
import { signedInAt } from "@/tests/support/signed-in";
import { newUsername, signInByPassword } from "@/tests/support/user";

const PASSWORD = `password ${randomBytes(12).toString("hex")}`;

/** A user with a secret of every kind, each different from everything else that is stored. */
async function secretive() {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD });
  const user = { id, username, role: "user" };
  const data = `marked data ${randomBytes(12).toString("hex")}`;
  const key = await createKey(user, { data, price: "1", name: "Marked" });
  const address = `marked-${randomBytes(8).toString("hex")}@example.org`;
  const mail = { userId: id, address, verifiedAt: new Date(), hash: randomBytes(32).toString("hex") };
  await db.emailAddress.create({ data: mail });
  const asking = { network: newNetwork(), program: "curl/8.5.0", webPage: null };
  const { id: linkId, code, secret } = await createCode(asking);
  const { link } = await createRecoveryLink(username, { origin, now: new Date() });
  const token = await createToken(id, { name: "Marked", access: "read", days: 30 });
  const row = await db.user.findUniqueOrThrow({ where: { id } });
  const session = await signInByPassword(origin, username, PASSWORD);
  const [{ id: sessionId = "" } = {}] = await db.session.findMany({ where: { userId: id }, select: { id: true } });
  const codes = await createRecoveryCodes({ id, username, sessionId }, PASSWORD, { network: newNetwork() });
  const hashes = await db.recoveryLink.findMany({ where: { userId: id }, select: { hash: true } });
  const secrets: Record<string, string> = {
    password: PASSWORD,
    "hash of the password": row.passwordHash ?? "",
    "hash of the token": row.tokenHash,
    "sealed token": row.tokenSealed,
    token: await revealToken(id),
    "a program's token": token.token,
    "data of a key": data,
    "e-mail address": address,
    "hash of an e-mail link": mail.hash,
    "code in an element": `>${code}<`,
    "code in a value": `"${code}"`,
    "poll secret": secret,
    "recovery link": link.split("#").at(-1) ?? "",
    "hash of a recovery link": hashes[0]?.hash ?? "",
    session: /session-token=([^;]+)/.exec(session)?.[1] ?? "",
    ...Object.fromEntries(codes.map((one, n) => [`recovery code ${n}`, one])),
  };
  for (const [name, value] of Object.entries(secrets)) expect(value.length, name).toBeGreaterThan(5);
  return { id, username, keyId: key.id, linkId, tokenId: token.id, sessionId, secrets };
}

function expectNone(text: string, secrets: Record<string, string>, where: string): void {
  for (const [name, value] of Object.entries(secrets)) expect(text.includes(value), `${name} in ${where}`).toBe(false);
}

let user: Awaited<ReturnType<typeof secretive>>;
let holder: string;
let cookie: string;
/** Of the user, and of the service. */
let secrets: Record<string, string>;
const { cronSecret, metricsToken, storage, logFile } = inject("service");
beforeAll(async () => {
  user = await secretive();
  holder = newUsername();
  await createUser({ username: holder, createdBy: "operator" });
  ({ cookie } = await signedInAt(origin, "admin"));
  const ofService = {
    "secret of sweeps": cronSecret,
    "token of the metrics": metricsToken,
    "secret of tokens": storage.AUTH_SECRET ?? cronSecret,
  };
  secrets = { ...user.secrets, ...ofService };
});

/** What else than its list a page shows, by what it is asked for. */
const queriesOf = ({ username, keyId }: typeof user): Record<string, string[]> => ({
  "/admin/users": [`q=${username}`, `user=${username}`],
  "/admin/keys": [`q=${username}`, `key=${keyId}`],
  "/admin/audit": [`who=${username}`, `which=${username}`, `which=${keyId}`],
});
const DOWNLOADS = ["export?format=csv", "export?format=json", "newer?after=0"].map((what) => `/admin/audit/${what}`);

async function expectNoneOnPages(): Promise<void> {
  const pages = [...PAGES].filter(isConsole);
  expect(pages.length).toBeGreaterThan(1);
  const asked = Object.entries(queriesOf(user)).flatMap(([page, queries]) =>
    queries.map((query) => `${page}?${query}`),
  );
  const unknown = `/admin/users/${user.username}`;
  for (const path of [...pages, ...asked, ...DOWNLOADS, unknown]) {
    const { status, text } = await sendTo(origin, path, { headers: { Cookie: cookie, Accept: "text/html" } });
    expect(status, path).toBe(path === unknown ? 404 : 200);
    expectNone(text, secrets, path);
  }
}

/** Every action of the console, in an order in which each succeeds. */
const actions = ({ username, keyId, linkId, tokenId, sessionId }: typeof user): [string, string, unknown[]][] => [
  ["/admin", "readLiveNumbers", []],
  ["/admin", "examineService", []],
  ["/admin", "readExamination", []],
  ["/admin/users", "changeRole", [{ username, role: "admin" }]],
  ["/admin/users", "changeRole", [{ username, role: "user" }]],
  ["/admin/users", "changeQuotas", [{ username, change: { keys: "3" } }]],
  ["/admin/users", "linkToRecover", [username]],
  ["/admin/users", "invite", [{ username: newUsername(), role: "user" }]],
  ["/admin/keys", "addHolderAsAdmin", [{ keyId, username: holder }, newId()]],
  ["/admin/keys", "revokeHolderAsAdmin", [{ keyId, username: holder }]],
  ["/admin/keys", "deleteKeyAsAdmin", [keyId, newId()]],
  ["/admin/links", "endCode", [linkId]],
  ["/admin/links", "refuseNetwork", [{ network: blocked, time: "1h", reason: "It guesses" }]],
  ["/admin/links", "admitNetwork", [blocked]],
  ["/admin/users", "endSessionOf", [{ username, sessionId }]],
  ["/admin/users", "endSessionsOf", [username]],
  ["/admin/users", "removeTokenOf", [{ username, id: tokenId }]],
  ["/admin/users", "removeAddressOf", [username]],
  ["/admin/users", "disable", [[username]]],
  ["/admin/users", "enable", [[username]]],
  ["/admin/users", "deleteUser", [{ username, confirmation: username }]],
];
const blocked = newNetwork().id;

/** Every command of an operator that only shows something. */
const commands = ({ username, keyId }: typeof user): string[][] => [
  ["user:list", "--search", username, "--json"],
  ["user:show", username],
  ["user:quota", username],
  ["user:passkeys", username],
  ["user:email", username],
  ["user:sessions", username],
  ["token:list", username],
  ["key:show", keyId],
  ["link:list"],
  ["network:list"],
  ["audit", "--user", username, "--format", "json"],
  ["audit", "--user", username, "--format", "csv"],
  ["audit", "--key", keyId],
  ["stats"],
];

/** What the admin command prints, in this process: its own would take a second to start. */
async function printedBy(command: string[]): Promise<string> {
  let printed = "";
  const hear = (text: unknown) => {
    printed += text;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(hear),
    vi.spyOn(process.stdout, "write").mockImplementation(hear),
  ];
  try {
    await adminProgram().parseAsync(command, { from: "user" });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return printed;
}

test("no page, export, answer of an action, or output of a command has a secret, and the log has none", async () => {
  await expectNoneOnPages();
  for (const command of commands(user)) {
    const printed = await printedBy(command);
    if (command[0] === "user:show") expect(printed).toContain(user.username);
    expectNone(printed, secrets, command.join(" "));
  }
  for (const [page, name, args] of actions(user)) {
    const { status, text } = await callAction(origin, page, name, args, { cookie });
    expect(status, name).toBe(200);
    expect(text, name).toMatch(/"ok":/);
    expect(text, name).not.toMatch(/"refused":"/);
    expectNone(text, secrets, name);
  }
  // What is left: events about someone who is not there any more.
  await expectNoneOnPages();
  expectNone(readFileSync(logFile, "utf8"), secrets, "the log");
});
