import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { CODE, KEY, ORIGIN, TOKEN } from "@/lib/api/example-values";
import { LANGUAGES, type Language, samplesOf } from "@/lib/api/samples";
import {
  assemble,
  BEFORE,
  type Cast,
  described,
  exampleOf,
  inTheirWords,
  type Operation,
  swap,
} from "@/tests/contract/described";
import { approve } from "@/tests/contract/link";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { faultyWay } from "./servers";

/** A sample as its reader has it: what it is, its text, and the variables of its environment. */
interface Program {
  name: string;
  code: string;
  environment: Record<string, string>;
}

const BEGIN = "begin of sample ";
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** One process runs all samples of a language, each apart from the others: it starts once, not twenty times. */
const RUN: Record<Language, { command: [string, ...string[]]; script: (programs: Program[]) => string }> = {
  curl: {
    command: ["bash", "-s"],
    script: (programs) =>
      programs
        .map(({ name, code, environment }) => {
          const exported = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
          return `echo ${quoted(BEGIN + name)}\n(\n${[...exported, code].join("\n")}\n)\necho\n`;
        })
        .join(""),
  },
  javascript: {
    command: ["node", "--input-type=module", "-"],
    script: (programs) => `
for (const { name, code, environment } of ${JSON.stringify(programs)}) {
  console.log(${JSON.stringify(BEGIN)} + name);
  Object.assign(process.env, environment);
  await import("data:text/javascript," + encodeURIComponent(code)).catch(console.log);
}`,
  },
  python: {
    command: ["python3", "-"],
    script: (programs) => `
import json, os, traceback
for program in json.loads(${JSON.stringify(JSON.stringify(programs))}):
    print(${JSON.stringify(BEGIN)} + program["name"])
    os.environ.update(program["environment"])
    try:
        exec(compile(program["code"], program["name"], "exec"), {"__name__": "__main__"})
    except Exception:
        print(traceback.format_exc())
`,
  },
};

/** What each of these programs prints, by its name. */
async function run(language: Language, programs: Program[]): Promise<Map<string, string>> {
  const { command, script } = RUN[language];
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, NO_COLOR: "1" },
    // curl shows its progress on the other output.
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stdin.end(script(programs));
  await once(child, "close");
  const parts = output.split(BEGIN).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1)]));
}

/**
 * A proxy in front of the service, which names the network that programs come from: the tests' service trusts this
 * machine, and believes no network of who comes from there without that header.
 */
const openFront = (network = newNetwork().id) =>
  faultyWay(origin, ({ headers }) => {
    headers["x-forwarded-for"] = network;
    return { kind: "none" };
  });

/** As the test of the examples does, but the code is asked for from the network of the programs. */
async function prepare(path: string, front: string): Promise<Cast> {
  const cast = await assemble();
  cast.words.unshift([ORIGIN, front]);
  if (path !== "/link/user" && path !== "/link/status") await BEFORE[path]?.(cast);
  else {
    const { code } = await (await fetch(`${front}/link/code`)).json();
    await approve(code, cast.alice);
    cast.words.push([CODE, code]);
  }
  return cast;
}

/** /metrics answers as it is configured. */
const declarations = Object.values(routes)
  .map(({ GET }) => GET.declaration)
  .filter(({ path }) => path !== "/metrics");
const paths = declarations.map(({ path }) => path);
/** These are written with variables of their own, too. */
const WITH_VARIABLES = ["/keys/admin_add/{id}", "/keys/get/{id}"];
const VARIABLES = { token: "SELLER_TOKEN", values: { [KEY]: "KEY" } };

describe.each(LANGUAGES)("in $id, the sample of", ({ id: language }) => {
  const casts = new Map<string, Cast>();
  let printed: Map<string, string>;
  beforeAll(async () => {
    using front = await openFront();
    const programs: Program[] = [];
    for (const declaration of declarations) {
      const { path: name } = declaration;
      const cast = await prepare(name, front.url);
      casts.set(name, cast);
      const code = swap(samplesOf(declaration, front.url)[language], cast.words);
      programs.push({ name, code, environment: { TOKEN: swap(TOKEN, cast.words) } });
      if (!WITH_VARIABLES.includes(name)) continue;
      const sample = samplesOf(declaration, front.url, { variables: VARIABLES })[language];
      expect(sample).not.toContain(KEY);
      const environment = { SELLER_TOKEN: swap(TOKEN, cast.words), KEY: swap(KEY, cast.words) };
      programs.push({ name: `${name} with variables`, code: swap(sample, cast.words), environment });
    }
    printed = await run(language, programs);
  });

  test.each(paths)("%s prints the example's response", (path) => {
    const [cast, text = ""] = [casts.get(path) as Cast, printed.get(path)];
    const example = exampleOf(described.paths[path]?.get as Operation);
    // The runner prints a line's end after each.
    if (language === "curl") return expect(inTheirWords(text.replace(/\n$/, ""), cast, path)).toEqual(example);
    // Each language prints objects in its own way; the words in them are the same.
    const ours = swap(
      text,
      cast.words.map(([from, to]) => [to, from]),
    );
    expect(text).not.toMatch(/Error|Traceback/);
    for (const word of wordsOf(example, path)) expect(ours).toContain(word);
  });

  test.each(WITH_VARIABLES)("%s reads the key and its token from variables of its own", (path) => {
    expect(printed.get(`${path} with variables`)).toContain(swap(KEY, (casts.get(path) as Cast).words));
  });
});

/** The names and texts of an example, except those that differ every time. */
function wordsOf(example: unknown, path: string): string[] {
  if (path === "/keys/create") return ["Key created successfully", "the secret", "Spare room"];
  if (path === "/link/code") return ["code"];
  if (path === "/.well-known/jwks.json") return ["OKP", "Ed25519", "EdDSA"];
  if (path === "/.well-known/security.txt") return ["Contact: mailto:help@example.org\n", "Preferred-Languages: en\n"];
  const words = JSON.stringify(example).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  // Node.js prints two levels of a nested object.
  return words
    .map((word) => JSON.parse(word))
    .filter((word) => /^[\w /-]+$/.test(word) && !/^\d/.test(word) && word !== "time");
}
