import { randomBytes } from "node:crypto";
import { signInByPassword } from "@/tests/support/sign-in";
import { type RunningServer, run, typescript } from "../child";
import type { Asked } from "../rounds";
import { LIMITS, type Storage } from "../service";

/** Of a hundred requests of a day of links, so many are of each kind. The rest are polls. */
const ASKS = 6;
const COLLECTS = 6;
const PAGES = 2;
/** About as many as a round sends. Beyond them, tokens are asked for again, which both servers allow. */
const REQUESTS = 20_000;
/** The warm-up is one of them. */
const RUNS = 4;
const COLLECTED = (RUNS * REQUESTS * COLLECTS) / 100;
const WAITING = 200;

interface Letters {
  code: string;
  codeHash: string;
}

/** The paths of each kind of request, and the cookies of a person who opens a page. */
interface Kinds {
  poll(letters: Letters): string;
  collect(letters: Letters): string;
  waiting: Letters[];
  approved: Letters[];
  cookies: string;
}

/**
 * What programs and people ask for when programs are linked all day: codes, polls every five seconds, the token, and
 * the page /account. Each call returns the requests of another run: a code can be collected once.
 */
function requestsOf({ poll, collect, waiting, approved, cookies }: Kinds): () => Asked[] {
  const kindOf = (n: number) => n % 100;
  return () =>
    Array.from({ length: REQUESTS }, (_, n): Asked => {
      const kind = kindOf(n * 37);
      if (kind < ASKS) return { path: "/link/code" };
      if (kind < ASKS + PAGES) return { path: "/account", headers: { cookie: cookies, accept: "text/html" } };
      const linked = kind < ASKS + PAGES + COLLECTS ? approved.pop() : undefined;
      if (linked) return { path: collect(linked) };
      return { path: poll(waiting[n % waiting.length] ?? { code: "", codeHash: "" }) };
    });
}

/** The requests of a day of links to Latchkey. */
export async function ourLinkDay(server: RunningServer, { environment }: Storage): Promise<() => Asked[]> {
  const password = randomBytes(16).toString("hex");
  const approved = await approvedCodes(environment, password);
  return requestsOf({
    poll: ({ code }) => `/link/status?code=${code}`,
    collect: ({ code }) => `/link/user?code=${code}`,
    waiting: await newCodes(server),
    approved,
    cookies: await signInByPassword(server.url, "person", password),
  });
}

/** The same to the floor, which reads the user of a page and answers without one. */
export async function floorsLinkDay(server: RunningServer, { environment, keys }: Storage): Promise<() => Asked[]> {
  return requestsOf({
    poll: ({ codeHash }) => `/link/status?code=${codeHash}`,
    collect: ({ codeHash }) => `/link/collect?code=${codeHash}`,
    waiting: await newCodes(server),
    approved: await approvedCodes(environment, randomBytes(16).toString("hex")),
    cookies: keys[0]?.tokenHash ?? "",
  });
}

async function approvedCodes(environment: Record<string, string>, password: string): Promise<Letters[]> {
  const parameters = typescript("bench/seed-links.ts", String(COLLECTED), password);
  return JSON.parse(await run(parameters, { environment: { ...environment, ...LIMITS } }));
}

async function newCodes({ url }: RunningServer): Promise<Letters[]> {
  const codes: Letters[] = [];
  for (let n = 0; n < WAITING; n++) codes.push((await (await fetch(`${url}/link/code`)).json()) as Letters);
  return codes;
}
