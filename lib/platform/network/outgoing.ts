import { globalAgent as plain } from "node:http";
import { globalAgent as secure } from "node:https";
import { Agent, type AgentConnectOpts } from "agent-base";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";

/**
 * Leads each request through the proxy that HTTPS_PROXY or HTTP_PROXY names, unless NO_PROXY has its host. (Before
 * version 24, Node.js does not read these variables, and then only if it is told to.)
 */
class ThroughProxy extends Agent {
  connect(_: unknown, { secureEndpoint, host, port }: AgentConnectOpts) {
    const name = host?.includes(":") ? `[${host}]` : host;
    const proxy = getProxyForUrl(`${secureEndpoint ? "https" : "http"}://${name}:${port}`);
    if (proxy) return new HttpsProxyAgent(proxy);
    return secureEndpoint ? secure : plain;
  }
}

/** For every HTTP request of ours to another service. */
export const outgoing = new ThroughProxy();
