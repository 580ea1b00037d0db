/** The edge of a content delivery network, which TRUSTED_PROXIES may name. */
export interface Edge {
  networks: readonly string[];
  /**
   * The header in which it names its client, whatever the client sent; without one, that is the entry that it adds to
   * X-Forwarded-For. Programs of its customers send from its own addresses, too, so a chain of those in X-Forwarded-For
   * proves less.
   */
  header?: string;
}

/**
 * What these companies publish (cloudflare.com/ips, api.fastly.com/public-ip-list), as of June 2023. An address that
 * is added later is reported like any other proxy that nobody named.
 */
export const EDGES: Record<string, Edge> = {
  cloudflare: {
    header: "cf-connecting-ip",
    networks: [
      ...["173.245.48.0/20", "103.21.244.0/22", "103.22.200.0/22", "103.31.4.0/22", "141.101.64.0/18"],
      ...["108.162.192.0/18", "190.93.240.0/20", "188.114.96.0/20", "197.234.240.0/22", "198.41.128.0/17"],
      ...["162.158.0.0/15", "104.16.0.0/13", "104.24.0.0/14", "172.64.0.0/13", "131.0.72.0/22"],
      ...["2400:cb00::/32", "2606:4700::/32", "2803:f800::/32", "2405:b500::/32", "2405:8100::/32"],
      ...["2a06:98c0::/29", "2c0f:f248::/32"],
    ],
  },
  fastly: {
    networks: [
      ...["23.235.32.0/20", "43.249.72.0/22", "103.244.50.0/24", "103.245.222.0/23", "103.245.224.0/24"],
      ...["104.156.80.0/20", "140.248.64.0/18", "140.248.128.0/17", "146.75.0.0/17", "151.101.0.0/16"],
      ...["157.52.64.0/18", "167.82.0.0/17", "167.82.128.0/20", "167.82.160.0/20", "167.82.224.0/20"],
      ...["172.111.64.0/18", "185.31.16.0/22", "199.27.72.0/21", "199.232.0.0/16"],
      ...["2a04:4e40::/32", "2a04:4e42::/32"],
    ],
  },
};

const byLowerCase = (names: string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

/**
 * Headers in which content delivery networks and other proxies name their client, by their names in lower case. Anybody
 * can write them, too.
 */
export const NAMING = byLowerCase([
  ...["Ali-CDN-Real-IP", "Ali-Real-Client-IP", "CDN-Src-IP", "CF-Connecting-IP", "CF-Connecting-IPv6", "Client-IP"],
  ...["CloudFront-Viewer-Address", "DO-Connecting-IP", "EO-Connecting-IP", "Fastly-Client-IP", "Fly-Client-IP"],
  ...["Forwarded", "Forwarded-For", "Incap-Client-IP", "Proxy-Client-IP", "True-Client-IP", "WL-Proxy-Client-IP"],
  ...["X-AppEngine-User-IP", "X-Azure-ClientIP", "X-Azure-SocketIP", "X-Client-IP", "X-Cluster-Client-IP"],
  ...["X-Envoy-External-Address", "X-Forwarded", "X-NF-Client-Connection-IP", "X-Original-Forwarded-For"],
  ...["X-Originating-IP", "X-Real-IP", "X-Remote-Addr", "X-Remote-IP", "X-Sucuri-ClientIP", "X-Vercel-Forwarded-For"],
]);

/**
 * The X-Forwarded-For that a proxy received and replaced, as ingress-nginx and the guide's proxies send it. One that
 * reads its client there names any of its entries.
 */
export const REPLACED = "x-original-forwarded-for";

/** Headers that content delivery networks add, and that name nobody (RFC 8586). */
export const LOOPS = byLowerCase(["CDN-Loop", "X-Amz-Cf-Id"]);
