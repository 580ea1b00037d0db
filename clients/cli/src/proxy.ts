/** Where a service of one's own is: no proxy leads there. */
const HERE = "localhost,127.0.0.1,[::1]";

/** A variable that programs read in small letters first. */
const variable = (name: string): string => process.env[name.toLowerCase()] ?? process.env[name] ?? "";

const isSet = () => variable("HTTPS_PROXY") !== "" || variable("HTTP_PROXY") !== "";

/** What may be wrong when nothing responds. */
export const proxyHint = (): string => (isSet() ? "Check the proxy in HTTPS_PROXY or HTTP_PROXY, too." : "");

/**
 * Sends requests through the proxies of HTTPS_PROXY and HTTP_PROXY, but for the hosts of NO_PROXY and this machine.
 * Node.js 20 cannot do so by itself. Throws an Error for what is no proxy.
 */
export async function useProxies(): Promise<void> {
  if (!isSet()) return;
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const [httpProxy, httpsProxy] = [addressOf("HTTP_PROXY"), addressOf("HTTPS_PROXY")];
  const noProxy = variable("NO_PROXY").trim() === "*" ? "*" : `${variable("NO_PROXY")},${HERE}`;
  // Most proxies open tunnels to encrypted services only.
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, proxyTunnel: false });
  const fetchThroughProxy = (url: string, options: object) => fetch(url, { ...options, dispatcher });
  globalThis.fetch = fetchThroughProxy as unknown as typeof globalThis.fetch;
}

function addressOf(name: string): string {
  const value = variable(name);
  const url = value === "" || value.includes("://") ? value : `http://${value}`;
  if (url === "" || (URL.canParse(url) && /^https?:/i.test(url))) return url;
  // It may hold a password.
  throw new Error(`${name} is not the address of a proxy, like http://proxy:3128.`);
}
