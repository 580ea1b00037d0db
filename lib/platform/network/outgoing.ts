import { type ClientRequest, globalAgent as plain } from "node:http";
import { globalAgent as secure } from "node:https";
import { Agent, type AgentConnectOpts } from "agent-base";
import { HttpsProxyAgent } from "https-proxy-agent";
import { proxySettings } from "../env";
import { type ProxySettings, proxyFor } from "./proxy-variables";

/** For how long a proxy may be silent: a request's own time begins only when its connection is there. */
const PATIENCE_MS = 15_000;

/**
 * Leads each request through the proxy that the settings name (`proxyFor`). (Before version 24, Node.js does not read
 * these variables, and then only if it is told to.) A proxy that does not open the way in time is an Error.
 */
export class ThroughProxy extends Agent {
  constructor(
    private readonly patienceMs = PATIENCE_MS,
    private readonly settings: ProxySettings = proxySettings,
  ) {
    super();
  }

  async connect(request: ClientRequest, options: AgentConnectOpts) {
    const { secureEndpoint, host = "", port } = options;
    const proxy = proxyFor({ isSecure: secureEndpoint, host, port }, this.settings);
    if (!proxy) return secureEndpoint ? secure : plain;
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(new Error("The proxy did not respond.")), this.patienceMs);
    try {
      return await new HttpsProxyAgent(proxy, { signal: tooLong.signal }).connect(request, options);
    } catch (error) {
      throw tooLong.signal.aborted ? tooLong.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** For every HTTP request of ours to another service. */
export const outgoing = new ThroughProxy();
