import { isAmong, parseAddress, parseNetwork } from "../addresses";

interface Destination {
  isSecure: boolean;
  host: string;
  port: number;
}

/** What a variable that names a proxy must be. */
export const PROXY_RULE =
  "must be the address of an HTTP proxy, like http://proxy:3128, with its user and password percent-encoded";

/** The settings of proxies, which other programs read, too: "" if one is not set. */
export type ProxySettings = Record<(typeof NAMES)[number], string>;
const NAMES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

/** The settings among these variables. Programs read the small letters first. */
export function proxySettingsIn(variables: Record<string, string | undefined>): ProxySettings {
  const entries = NAMES.map((name) => [name, variables[name.toLowerCase()] || variables[name] || ""]);
  return Object.fromEntries(entries) as ProxySettings;
}

/** The first of HTTPS_PROXY and HTTP_PROXY that names no proxy of which this service could make use. */
export const unusableProxy = (settings: ProxySettings): string | undefined =>
  (["HTTPS_PROXY", "HTTP_PROXY"] as const).find((name) => settings[name] && !proxyIn(settings[name]));

/**
 * The proxy for requests to this host, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, read as curl and Go do: without
 * a scheme it speaks HTTP; NO_PROXY has domains, with all below them, addresses, networks, or *. undefined: none.
 */
export function proxyFor({ isSecure, host, port }: Destination, settings: ProxySettings): URL | undefined {
  const proxy = proxyIn(isSecure ? settings.HTTPS_PROXY : settings.HTTP_PROXY);
  return proxy && !isExempt(host, port, settings.NO_PROXY) ? proxy : undefined;
}

function proxyIn(text: string): URL | undefined {
  const address = text.includes("://") ? text : `http://${text}`;
  if (text === "" || !URL.canParse(address)) return undefined;
  const proxy = new URL(address);
  const isUsable = /^https?:$/.test(proxy.protocol) && isEncoded(proxy.username) && isEncoded(proxy.password);
  return isUsable ? proxy : undefined;
}

const isEncoded = (text: string) => !/%(?![0-9a-f]{2})/i.test(text);

function isExempt(written: string, port: number, list: string): boolean {
  const host = written.toLowerCase().replace(/\.$/, "");
  const address = parseAddress(host);
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = entry, ofPort = port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (name === "" || Number(ofPort) !== port) return false;
    const network = parseNetwork(name.replace(/[[\]]/g, ""));
    if (network) return address !== undefined && isAmong(address, [network]);
    const domain = name.toLowerCase().replace(/^\*?\.|\.$/g, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}
