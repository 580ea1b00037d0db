import { once } from "node:events";
import { get } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { parseEnvironment } from "@/lib/platform/env";
import { ThroughProxy } from "@/lib/platform/network/outgoing";
import { PROXY_RULE, proxyFor, proxySettingsIn } from "@/lib/platform/network/proxy-variables";

test.each([
  ["http://proxy:3128", "http://proxy:3128/"],
  ["proxy.corp:3128", "http://proxy.corp:3128/"],
  ["https://user:p%23ss@proxy", "https://user:p%23ss@proxy/"],
  ["", undefined],
])("HTTPS_PROXY=%s leads there, by either name, and only what is encrypted", (value, there) => {
  for (const name of ["HTTPS_PROXY", "https_proxy"]) {
    const settings = proxySettingsIn({ [name]: value });
    expect(proxyFor({ isSecure: true, host: "sso.example.org", port: 443 }, settings)?.href).toBe(there);
    expect(proxyFor({ isSecure: false, host: "sso.example.org", port: 80 }, settings)).toBeUndefined();
  }
});

test.each([
  ["*", "sso.example.org", true],
  ["example.org", "sso.example.org", true],
  ["example.org", "example.org", true],
  ["example.org", "otherexample.org", false],
  [".example.org", "example.org", true],
  ["*.example.org", "a.b.EXAMPLE.org.", true],
  ["a.test, example.org", "sso.example.org", true],
  ["sso.example.org:443", "sso.example.org", true],
  ["sso.example.org:8443", "sso.example.org", false],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["10.0.0.0/8", "ten.example.org", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["::1", "::1", true],
  ["[fd00::1]:443", "fd00::1", true],
  ["fd00::/8", "fd00::1", true],
  ["", "example.org", false],
  [".", "example.org", false],
])("NO_PROXY=%s, asked for %s: direct is %s", (noProxy, host, isDirect) => {
  const settings = proxySettingsIn({ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: noProxy });
  expect(proxyFor({ isSecure: true, host, port: 443 }, settings) === undefined).toBe(isDirect);
});

test.each(["socks5://127.0.0.1:1080", "http://user:p#ss@proxy:3128", "http://user:100%@proxy:3128", "http://"])(
  "%s as HTTPS_PROXY ends a start with sign-in providers, and no other",
  (value) => {
    const provider = { GITHUB_ID: "a", GITHUB_SECRET: "b" };
    for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY"]) {
      expect(() => parseEnvironment({ ...provider, [name]: value })).toThrow(
        `The environment variable ${name.toUpperCase()} is not valid: it ${PROXY_RULE}.`,
      );
      parseEnvironment({ [name]: value });
    }
  },
);

test("a proxy that is silent is given up, with its connection", async () => {
  const sockets: Socket[] = [];
  await using proxy = createServer((socket) => void sockets.push(socket.resume())).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const agent = new ThroughProxy(50, proxySettingsIn({ HTTP_PROXY: `127.0.0.1:${port}` }));
  await expect(once(get("http://issuer.test/", { agent }), "response")).rejects.toThrow("The proxy did not respond.");
  const [socket] = sockets;
  if (socket && !socket.closed) await once(socket, "close");
  expect(sockets).toHaveLength(1);
});
