import { type HostileRequest, HTML, hostile, times } from "./hostile-request";

/** Headers: cookies above all, which NextAuth and Next each read whole. */
export const hostileHeaders: HostileRequest[] = [
  hostile("8,000 cookies", "page", 431, () => ({
    target: "/account",
    headers: [HTML, `Cookie: ${times(8_000, (index) => `c${index}=1`, "; ")}`],
  })),
  hostile("2,000 cookies within 16 KB", "page", 431, () => ({
    target: "/account",
    headers: [HTML, `Cookie: ${times(2_000, () => "a=1", "; ")}`],
  })),
  hostile("8,000 parts of a session's cookie", "page", 431, () => ({
    target: "/account",
    headers: [HTML, `Cookie: ${times(8_000, (index) => `next-auth.session-token.${index}=a`, "; ")}`],
  })),
  hostile("400 parts of a session's cookie", "auth", 431, () => ({
    target: "/api/auth/session",
    headers: [`Cookie: ${times(400, (index) => `next-auth.session-token.${index}=a`, ";")}`],
  })),
  hostile("600 Cookie headers", "page", 431, () => ({
    target: "/account",
    headers: [HTML, ...Array<string>(600).fill("Cookie: a=1")],
  })),
  hostile("1,900 headers", "page", 431, () => ({
    target: "/",
    headers: [HTML, ...Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`)],
  })),
  hostile("1,900 headers of the API", "api", 431, () => ({
    target: "/health",
    headers: Array.from({ length: 1_900 }, (_, index) => `X-H${index}: 1`),
  })),
  hostile("1,900 times one header", "page", 431, () => ({
    target: "/",
    headers: [HTML, ...Array<string>(1_900).fill("Accept-Language: en")],
  })),
  hostile("a header of 200,000 bytes", "page", 431, () => ({
    target: "/",
    headers: [HTML, `Accept-Language: ${times(66_000, () => "en", ",")}`],
  })),
  hostile("100,000 forwarded addresses", "page", 431, () => ({
    target: "/",
    headers: [HTML, `X-Forwarded-For: ${times(100_000, () => "1", ",")}`],
  })),
  hostile("a router's state of 2,000 nested segments", "page", 431, () => ({
    target: "/",
    headers: [
      "RSC: 1",
      `Next-Router-State-Tree: ${encodeURIComponent(`${times(2_000, () => '["",{"a":')}["",{}]${"}]".repeat(2_000)}`)}`,
    ],
  })),
  hostile("a router's state of 400 nested segments within 8 KB", "page", 431, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Router-State-Tree: ${times(400, () => '["",{"a":')}["",{}]${"}]".repeat(400)}`],
  })),
  hostile("a router's state of nested brackets", "page", 431, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Router-State-Tree: ${"[".repeat(7_000)}${"]".repeat(7_000)}`],
  })),
  hostile("a router's state that is no JSON", "page", 400, () => ({
    target: "/",
    headers: ["RSC: 1", "Next-Router-State-Tree: {"],
  })),
  hostile("a router's state of another shape", "page", 400, () => ({
    target: "/",
    headers: ["RSC: 1", 'Next-Router-State-Tree: ["",{"children":1}]'],
  })),
  hostile("two states of a router", "page", 400, () => ({
    target: "/",
    headers: ["RSC: 1", ...Array<string>(2).fill("Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D")],
  })),
  hostile("an address of the router that is none", "page", undefined, () => ({
    target: "/",
    headers: ["RSC: 1", `Next-Url: ${"/(.)".repeat(500)}`],
  })),
];
