import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { CODE, KEY } from "@/lib/http/example-values";
import { LANGUAGES, type Language, samplesOf } from "@/lib/http/samples";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { assemble, BEFORE, type Cast, described, inTheirWords, swap } from "./described";
import { approve } from "./link";

/** How a reader runs a sample: it comes on standard input. */
const RUN: Record<Language, [string, ...string[]]> = {
  curl: ["bash", "-s"],
  javascript: ["node", "--input-type=module", "-"],
  python: ["python3", "-"],
};

async function run(language: Language, code: string, environment: Record<string, string>): Promise<string> {
  const [command, ...parameters] = RUN[language];
  const child = spawn(command, parameters, { env: { ...process.env, ...environment, NO_COLOR: "1" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  child.stdin.end(code);
  await once(child, "close");
  return output;
}

/**
 * A proxy in front of the service, which names the network that programs come from: the tests' service trusts this
 * machine, and believes no network of who comes from there without that header.
 */
let front: string;
beforeAll(async () => {
  const network = newNetwork().id;
  const server = createServer((asked, response) => {
    const headers = { ...asked.headers, "x-forwarded-for": network };
    request(new URL(asked.url ?? "/", origin), { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  front = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => server.close();
});

/** As the test of the examples does, but the code is asked for from the network of the programs. */
async function prepare(path: string): Promise<Cast> {
  const cast = await assemble();
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

describe("the sample prints the example's response in", () => {
  test.each(declarations.map((declaration) => [declaration.path, declaration] as const))(
    "curl: %s",
    async (path, declaration) => {
      const cast = await prepare(path);
      const printed = await run("curl", swap(samplesOf(declaration, front).curl, cast.words), {
        TOKEN: cast.alice.token,
      });
      const progress = /^[^{[]*/;
      expect(inTheirWords(printed.replace(progress, ""), cast, path)).toEqual(
        described.paths[path]?.get.responses["200"]?.content?.["application/json"].example,
      );
    },
  );

  test.each(
    declarations.flatMap((declaration) =>
      (["javascript", "python"] as const).map((language) => [language, declaration.path, declaration] as const),
    ),
  )("%s: %s", async (language, path, declaration) => {
    const cast = await prepare(path);
    const printed = await run(language, swap(samplesOf(declaration, front)[language], cast.words), {
      TOKEN: cast.alice.token,
    });
    const { example } = described.paths[path]?.get.responses["200"]?.content?.["application/json"] ?? {};
    // Each language prints objects in its own way; the words in them are the same.
    const ours = swap(
      printed,
      cast.words.map(([from, to]) => [to, from]),
    );
    expect(printed).not.toMatch(/Error|Traceback/);
    for (const word of wordsOf(example, path)) expect(ours).toContain(word);
  });
});

describe("a sample that reads the key and its token from variables of its own", () => {
  const VARIABLES = { token: "SELLER_TOKEN", values: { [KEY]: "KEY" } };
  const some = declarations.filter(({ path }) => ["/keys/admin_add/{id}", "/keys/get/{id}"].includes(path));
  test.each(some.flatMap((declaration) => LANGUAGES.map(({ id }) => [id, declaration.path, declaration] as const)))(
    "%s: %s",
    async (language, path, declaration) => {
      const cast = await prepare(path);
      const sample = samplesOf(declaration, front, undefined, VARIABLES)[language];
      expect(sample).not.toContain(KEY);
      const environment = { SELLER_TOKEN: cast.alice.token, KEY: swap(KEY, cast.words) };
      expect(await run(language, swap(sample, cast.words), environment)).toContain(environment.KEY);
    },
  );
});

/** The names and texts of an example, except those that differ every time. */
function wordsOf(example: unknown, path: string): string[] {
  if (path === "/keys/create") return ["Key created successfully", "the secret", "Spare room"];
  if (path === "/link/code") return ["code"];
  const words = JSON.stringify(example).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  // Node.js prints two levels of a nested object.
  return words
    .map((word) => JSON.parse(word))
    .filter((word) => /^[\w /-]+$/.test(word) && !/^\d/.test(word) && word !== "time");
}
