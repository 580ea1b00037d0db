import { createServer } from "node:http";
import type { Page } from "playwright";
import { expect } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { listening } from "@/tests/support/place";
import { newNetwork } from "@/tests/support/request";
import { windowOf } from "./on-page";
import { type Member, newSignedIn, newVisitor, type Visitor } from "./visitor";

// Pages of other sites that open a window of the service, and what people do in it.

/** A page with the client; what it does is told by tests, in it. It keeps what it is sent, and who it opened. */
const PAGE = `<!doctype html><title>A site</title><button>Sign in</button><p></p><script type="module">
  window.received = [];
  addEventListener("message", ({ data }) => received.push(data));
  const { Latchkey } = await import("${origin}/client.mjs");
  window.latchkey = new Latchkey("${origin}");
  window.shown = [];
  window.begin = async (access, audience) => {
    try {
      await latchkey.signIn({ access, audience, onCode: ({ code }) => shown.push(code) });
      document.querySelector("p").textContent = "Hello, " + (await latchkey.me()).username;
    } catch (error) {
      document.querySelector("p").textContent = error.code ?? error.name;
    }
  };
  document.querySelector("button").addEventListener("click", () => begin());
  document.title = "Ready";
</script>`;

/** Serves the page under every name: *.localhost is this machine for every browser. */
const server = createServer((request, response) => {
  if (request.url?.endsWith(".ico")) return response.writeHead(404).end();
  const isSevering = request.url?.startsWith("/severing");
  if (isSevering) response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Content-Type", "text/html").end(PAGE);
});
const port = await listening(server);
server.unref();

export const GAME = `http://game.localhost:${port}`;
export const EVIL = `http://evil.localhost:${port}`;
/** What the service writes of it. */
export const GAME_SITE = GAME.slice("http://".length);
export const EVIL_SITE = EVIL.slice("http://".length);

/** Somebody who opens pages of other sites: a header for the network would make their browser ask for leave (CORS). */
export const newSurfer = () => newVisitor("127.0.0.1", { extraHTTPHeaders: {} });

/** Opens a page of a site, in this window or in a new one. */
export async function openSite({ context }: Visitor, site: string, path = "/"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site + path);
  await page.waitForFunction(() => document.title === "Ready");
  return page;
}

/** Opens an address of the service as the page could, without the client. */
export const openWindow = (page: Page, path = "/link?popup=1", features = "popup,width=480,height=720") =>
  windowOf(page, () =>
    page.evaluate(
      ([address, how]) => void Object.assign(window, { opened: window.open(address, "_blank", how) }),
      [origin + path, features],
    ),
  );

/** Sends this to the window that the page has opened, once that listens. */
export async function send(page: Page, ...messages: unknown[]): Promise<void> {
  await page.waitForFunction(() =>
    (Reflect.get(window, "received") as { latchkey?: string }[]).some(({ latchkey }) => latchkey === "ready"),
  );
  await page.evaluate((all) => {
    for (const message of all) (Reflect.get(window, "opened") as Window).postMessage(message, "*");
  }, messages);
}

/** A code and its secret, as a page sends them. */
interface Got {
  latchkey: "code";
  code: string;
  secret: string;
}

/** What one who attacks, and who is attacked, can do: their page is that of EVIL, unless another is opened. */
export class Attack {
  /** The codes that the attacker has got. */
  private readonly codes: Got[] = [];
  /** Of the attacker's server: its questions do not use up those of the browsers here. */
  private readonly network = newNetwork().id;

  private constructor(
    readonly person: Member,
    readonly page: Page,
  ) {}

  /** Somebody who is signed in is attacked in this browser. */
  static async begin(surfer: Visitor): Promise<Attack> {
    const person = await newSignedIn(surfer);
    return new Attack(person, await openSite(person, EVIL));
  }

  /** Closes what was opened. Fails unless the attacker has got nothing. */
  async end(): Promise<void> {
    await this.expectNoToken();
    const pages = this.person.context.pages().filter((page) => page !== this.person.page);
    await Promise.all(pages.map((page) => page.close()));
  }

  /** A code that the attacker's own server asks for, with any headers. */
  async code(headers: Record<string, string> = {}): Promise<Got> {
    const answer = await ask("/link/code", { network: this.network, headers });
    return this.keep(String(answer.body?.code), String(answer.headers["link-secret"]));
  }

  /** A code that a page asks for. */
  async codeOf(page = this.page): Promise<Got> {
    const { code, secret } = await page.evaluate(async (address) => {
      const response = await fetch(address);
      return { ...(await response.json()), secret: response.headers.get("Link-Secret") };
    }, `${origin}/link/code?access=identity`);
    return this.keep(code, secret);
  }

  private keep(code: string, secret: string): Got {
    const got: Got = { latchkey: "code", code, secret };
    this.codes.push(got);
    return got;
  }

  /** None of the codes so far has become a token, for anybody who may ask with what the attacker knows. */
  async expectNoToken(): Promise<void> {
    for (const { code, secret } of this.codes.splice(0))
      for (const headers of waysToAsk(secret)) {
        const { body } = await ask("/link/user", { network: this.network, headers, query: { code } });
        expect(body).toEqual({ linked: false, token: "" });
      }
  }
}

const waysToAsk = (secret: string): Record<string, string>[] => [
  { "Link-Secret": secret },
  {},
  { Origin: EVIL, "Link-Secret": secret },
];

/** The button that a window shows to sign in to a site. */
export const signInButton = (opened: Page, site: string) =>
  opened.getByRole("button", { name: `Sign in to ${site}`, exact: true });

/** Waits until a window asks for letters, and so has believed no page. */
export const asksForLetters = (opened: Page) => opened.getByLabel("Code").waitFor();
