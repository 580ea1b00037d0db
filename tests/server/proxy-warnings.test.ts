import { describe, expect, test } from "vitest";
import { frontOf } from "@/server/front";
import { arrive, CLIENT, heardWarnings, type Sent } from "./arrival";

const { warnings } = heardWarnings();

const PUBLIC = "https://keys.example";
const SAME_ORIGIN = { "Sec-Fetch-Site": "same-origin" };

const network = (trusted: string | undefined, peer: string, headers?: Sent) =>
  arrive(frontOf(trusted, undefined), peer, headers).network;

describe("a warning", () => {
  test("names the address and the setting once for each kind of place, however many come", () => {
    const front = frontOf(undefined, undefined);
    for (let last = 1; last < 250; last++)
      for (const peer of [`127.0.0.${last}`, `172.18.0.${last}`, `198.51.100.${last}`, `2001:db8:${last}::1`])
        arrive(front, peer, CLIENT);
    expect(warnings()).toEqual([
      expect.stringMatching(/127\.0\.0\.1, on this machine.* set TRUSTED_PROXIES=loopback\.$/),
      expect.stringMatching(/172\.18\.0\.1, in a private network.* set TRUSTED_PROXIES=172\.18\.0\.1\.$/),
      expect.stringMatching(
        /198\.51\.100\.1, on the internet.* Only if it is a proxy of yours, set TRUSTED_PROXIES=198\.51\.100\.1\.$/,
      ),
    ]);
  });

  test("includes the existing setting in its advice", () => {
    network("loopback 192.0.2.0/24", "172.18.0.1", CLIENT);
    expect(warnings()).toEqual([expect.stringContaining("set TRUSTED_PROXIES=loopback,192.0.2.0/24,172.18.0.1.")]);
  });

  test("is not for requests that pass no proxy, or the right one, nor for other sites", () => {
    for (const peer of ["127.0.0.1", "::1", "172.18.0.1", "fd00::4", "198.51.100.4"]) network(undefined, peer);
    const right = { ...CLIENT, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "keys.example", Origin: PUBLIC };
    const others: Sent[] = [{ Origin: "https://evil.example" }, { Origin: "null" }, { Host: "10.0.0.5:3000" }];
    for (const more of [right, ...others]) arrive(frontOf("loopback", PUBLIC), "127.0.0.1", { ...CLIENT, ...more });
    expect(warnings()).toEqual([]);
  });

  test.each<[string, string | undefined, Sent, RegExp]>([
    [
      "what stands in front leaves out the port, when a form comes from there",
      undefined,
      { Host: "localhost", Origin: "http://localhost:8080" },
      /^If people open .*localhost:8080, .* http:\/\/localhost, .*\$http_host\), .*=http:\/\/localhost:8080\.$/,
    ],
    [
      "what stands in front sends its upstream's address, when a page says that it calls its own",
      undefined,
      { ...SAME_ORIGIN, Host: "127.0.0.1:3000", Origin: "http://keys.lan" },
      /at http:\/\/keys\.lan, .*127\.0\.0\.1:3000, .*Host \$http_host\), or set NEXT.*=http:\/\/keys\.lan\.$/,
    ],
    [
      "it sends its upstream's name, of a browser that says nothing else",
      undefined,
      { "Next-Action": "a", Host: "latchkey", Origin: "http://keys.lan" },
      /at http:\/\/keys\.lan, .* http:\/\/latchkey, .*Host \$http_host\), or set/,
    ],
    [
      "it ends TLS and does not say so",
      undefined,
      { ...SAME_ORIGIN, Host: "192.0.2.8", Origin: "https://192.0.2.8" },
      /at https:\/\/192\.0\.2\.8, .* http:\/\/192.*\(in nginx: proxy_set_header X-Forwarded-Proto \$scheme\), or/,
    ],
    [
      "NEXTAUTH_URL is http where people come by https",
      "http://keys.example",
      { "X-Forwarded-Proto": "https" },
      /NEXTAUTH_URL is http:\/\/keys\.example: set NEXTAUTH_URL=https:\/\/keys\.example\.$/,
    ],
    [
      "people open another host than NEXTAUTH_URL, when a form comes from there",
      PUBLIC,
      { Host: "10.0.0.5", Origin: "https://10.0.0.5" },
      /^People open this service at 10\.0\.0\.5, but NEXTAUTH_URL is https:\/\/keys\.example,.* set NEXT/,
    ],
  ])("says once that %s", (_, origin, headers, sentence) => {
    const front = frontOf("loopback", origin);
    for (let time = 0; time < 3; time++) arrive(front, "127.0.0.1", { ...CLIENT, ...headers });
    expect(warnings()).toEqual([expect.stringMatching(sentence)]);
  });

  test("says once of each name that it was refused, and how it would not be", () => {
    const front = frontOf("loopback", PUBLIC);
    for (const Host of ["evil.test", "evil.test:81", "www.keys.example", "EVIL.test."])
      expect(() => arrive(front, "127.0.0.1", { ...CLIENT, Host })).toThrow(/NEXTAUTH_URL/);
    expect(warnings()).toEqual([
      expect.stringContaining("the host evil.test, "),
      expect.stringMatching(
        /the host www\.keys\.example, .*\(421\).* set NEXTAUTH_URL .* it is https:\/\/keys\.example\.$/,
      ),
    ]);
  });

  test.each<[string, string | undefined, Sent, RegExp]>([
    ["another address", undefined, { Host: "localhost", Origin: "http://localhost:8080" }, /at http:.*localhost:8080/],
    ["another host", PUBLIC, { Host: "10.0.0.5", Origin: "https://10.0.0.5" }, /^People open this service at 10\.0/],
  ])(
    "about %s comes whatever names somebody made up before, of which few are logged",
    (_, origin, headers, sentence) => {
      const front = frontOf("loopback", origin);
      for (let count = 0; count < 20; count++) {
        const Host = `evil${count}.test`;
        expect(() => arrive(front, "127.0.0.1", { ...CLIENT, Host, Origin: `https://${Host}` })).toThrow();
      }
      expect(warnings()).toHaveLength(8);
      arrive(front, "127.0.0.1", { ...CLIENT, ...headers });
      expect(warnings().slice(8)).toEqual([expect.stringMatching(sentence)]);
    },
  );

  test.each(["null", "a", "chrome-extension://abc", `http://${"a".repeat(300)}.test`, "http://keys.localhost:3000"])(
    "is not for a page that says %s, nor for one elsewhere",
    (Origin) => {
      const front = frontOf("loopback", undefined);
      arrive(front, "127.0.0.1", { ...CLIENT, ...SAME_ORIGIN, Origin });
      for (const site of ["same-site", "cross-site", "none"])
        arrive(front, "127.0.0.1", {
          ...CLIENT,
          Host: "localhost",
          Origin: "http://localhost:8080",
          "Sec-Fetch-Site": site,
        });
      expect(warnings()).toEqual([]);
    },
  );

  test("says of a proxy's name for its upstream that it should pass on the one that people open", () => {
    const sentence = /If you did, a proxy in front of it passes on another name/;
    expect(() => arrive(frontOf(undefined, PUBLIC), "172.18.0.1", { Host: "latchkey:3000" })).toThrow(sentence);
    expect(warnings()).toContainEqual(
      expect.stringMatching(
        /the host latchkey:3000, .*in nginx: proxy_set_header Host \$http_host.* to ALLOWED_HOSTS\.$/,
      ),
    );
  });
});
