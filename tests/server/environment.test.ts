import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, parseEnvironment, splitSecrets } from "@/lib/platform/env";

const example = readFileSync(".env.example", "utf8");
const lines = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
  name,
  value,
}));
const defaults: Record<string, unknown> = parseEnvironment({});

test(".env.example names every variable once, and no other", () => {
  expect(lines.map(({ name }) => name).sort()).toEqual(Object.keys(environment.shape).sort());
});

test("every line of .env.example shows the default", () => {
  const shown = Object.fromEntries(lines.map(({ name, value }) => [name, value]));
  expect(shown).toEqual(
    Object.fromEntries(Object.keys(environment.shape).map((name) => [name, String(defaults[name] ?? "")])),
  );
});

test("an empty variable is an unset one", () => {
  expect(parseEnvironment({ PORT: "", DATABASE_URL: "", ALLOW_SIGNUP: "" })).toEqual(defaults);
});

const numbers = Object.keys(environment.shape).filter((name) => typeof defaults[name] === "number");
const BAD: Record<string, string[]> = {
  NODE_ENV: ["live"],
  PORT: ["65536", "http"],
  DATABASE_URL: [
    ..."mysql://host/name data/latchkey.db postgresql://user:pa/ss@host:port/name postgresql://u:a%b@h/d".split(" "),
    ..."postgresql://u:p%abc@h/d postgresql://h/d?sslmode=prefer postgresql://h/d?sslmode=allow".split(" "),
    ..."postgresql://h/d?sslmode=verify-ca postgresql://h/d?sslmode=on postgresql://h/d?schema=".split(" "),
  ],
  DIRECT_DATABASE_URL: ["mysql://host/name"],
  DATABASE_POOLER: ["transaction", "1"],
  AUTH_SECRET: ["short", `${"a".repeat(32)} short`, ","],
  NEXTAUTH_URL: [
    ..."keys.example.org ftp://keys.example.org https://keys.example.org/latchkey".split(" "),
    ..."https://me:secret@keys.example.org https://keys.example.org?a=1 https://keys.example.org/#a".split(" "),
    ..."http://keys.example.org:6000 https://keys.example.org:10080".split(" "),
  ],
  TRUSTED_PROXIES: [
    ..."all true 1 0.0.0.0/0 ::/0 10.0.0.0/33 10.0.0 010.0.0.1 ::ffff:10.0.0.0/8 10.0.0.1:80".split(" "),
    ..."10.0.0.0/8/8 loopback;private".split(" "),
  ],
  LOG_LEVEL: ["loud"],
  ALLOW_SIGNUP: ["yes", "1"],
  CONTACT: ["the operator", "ftp://example.org/help", "javascript:alert(1)", "me@", "mailto:me@example.org"],
  OIDC_ISSUER: ["login"],
};
const NO_NUMBERS = Object.fromEntries(numbers.map((name) => [name, ["-1", "1.5", "many"]]));
const bad = [...Object.entries(NO_NUMBERS), ...Object.entries(BAD)].flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
);

test.each(bad)("%s=%s is refused in one sentence that names the variable", (name, value) => {
  const refused = () => parseEnvironment({ [name]: value });
  expect(refused).toThrow(new RegExp(`^The environment variable ${name} is not valid: must [^\n]+\\.$`));
});

test("an address may leave the host to a socket, or to this machine", () => {
  const taken = (DATABASE_URL: string) => parseEnvironment({ DATABASE_URL }).DATABASE_URL;
  expect(taken("postgresql://me:secret@/keys?host=/run/postgresql")).toBe(
    "postgresql://me:secret@localhost/keys?host=/run/postgresql",
  );
  for (const as of ["postgresql:///keys?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/keys"])
    expect(taken(as)).toBe(as);
});

test("a variable of an earlier version that the service can do without is ignored", () => {
  expect(parseEnvironment({ REDIS_URL: "redis://127.0.0.1" })).toEqual(defaults);
});

test("an address may end with a slash, and several secrets are told apart by commas and blanks", () => {
  expect(parseEnvironment({ NEXTAUTH_URL: "https://keys.example.org/" }).NEXTAUTH_URL).toBe("https://keys.example.org");
  const secrets = ["a", "b", "c"].map((letter) => letter.repeat(32));
  expect(
    splitSecrets(parseEnvironment({ AUTH_SECRET: `${secrets[0]},${secrets[1]}\n ${secrets[2]} ` }).AUTH_SECRET ?? ""),
  ).toEqual(secrets);
});

test("a function on Vercel has fewer connections by default, and a direct address needs one through the pooler", () => {
  expect(parseEnvironment({}).DATABASE_CONNECTIONS).toBe(10);
  expect(parseEnvironment({ VERCEL: "1" }).DATABASE_CONNECTIONS).toBe(3);
  expect(parseEnvironment({ VERCEL: "1", DATABASE_CONNECTIONS: "7" }).DATABASE_CONNECTIONS).toBe(7);
  expect(() => parseEnvironment({ DIRECT_DATABASE_URL: "postgresql://127.0.0.1/name" })).toThrow(
    /DATABASE_URL must be set/,
  );
  expect(parseEnvironment({}).DATABASE_POOLER).toBeUndefined();
  expect(parseEnvironment({ DATABASE_POOLER: "false" }).DATABASE_POOLER).toBe(false);
});

/** What the service takes from such an .env, as JSON, or what is printed instead of it. */
function taken(bytes: Buffer | string, environment: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-env-"));
  try {
    mkdirSync(join(folder, "scripts"));
    const script = readFileSync("scripts/dotenv.mjs", "utf8");
    writeFileSync(join(folder, "scripts", "show.mjs"), `${script}\nconsole.log(JSON.stringify(process.env));`);
    writeFileSync(join(folder, ".env"), bytes);
    const shown = spawnSync(process.execPath, [join(folder, "scripts", "show.mjs")], {
      env: { NODE_ENV: "test", PORT: "1", ...environment },
      encoding: "utf8",
    });
    return shown.stdout + shown.stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a byte order mark hides no variable of .env", () => {
  const text = "\uFEFFDATABASE_URL=postgresql://a\r\nPORT=2\r\n# none\r\nHOST='::1'\r\n";
  expect(JSON.parse(taken(text))).toMatchObject({
    DATABASE_URL: "postgresql://a",
    PORT: "1",
    HOST: "::1",
  });
});

test("an .env in UTF-16 is refused by name", () => {
  expect(taken(Buffer.from("\uFEFFPORT=2\n", "utf16le"))).toBe(
    ".env is not UTF-8 text. Save it again with the encoding UTF-8.\n",
  );
});

test.each(["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"])("%s in .env is refused by name: Node.js reads it before", (name) => {
  const file = `${name}=""\nHOST=a\n`;
  const sentence = `${name} has no effect in .env, because Node.js reads it before. Set it in the environment of the`;
  expect(taken(file)).toContain(sentence);
  // The environment counts more than the file.
  expect(JSON.parse(taken(file, { [name]: "" }))).toMatchObject({ HOST: "a" });
});

/** What the file latchkey does in a folder whose package.json has these `engines`. */
function startedWith(engines: string) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-engines-"));
  try {
    cpSync("latchkey", join(folder, "latchkey"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", engines: { node: engines } }));
    mkdirSync(join(folder, "scripts"));
    writeFileSync(join(folder, "scripts", "start.mjs"), 'console.log("started");');
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "latchkey"), "start"], {
      encoding: "utf8",
    });
    return { status, said: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

test.each([
  `>=${major}.${minor}`,
  `>=${major - 1}.99`,
  `^${major}.0 || >=${major + 1}.0`,
  `^${major - 2}.99 || >=${major - 1}.99`,
])("latchkey runs on this Node.js where %s is supported", (engines) => {
  expect(startedWith(engines)).toEqual({ status: 0, said: "started\n" });
});

test.each([
  [`>=${major}.${minor + 1}`, `${major}.${minor + 1} or later`],
  [
    `^${major - 1}.19 || >=${major}.${minor + 1}`,
    `${major - 1}.19 or later of ${major - 1}, or ${major}.${minor + 1} or later`,
  ],
])("latchkey says in a sentence that this Node.js is not among %s", (engines, named) => {
  const said = `Latchkey needs Node.js ${named}. This is ${process.version}.\n`;
  expect(startedWith(engines)).toEqual({ status: 1, said });
});
