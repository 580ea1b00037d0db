import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { detectEncoding, setOut, textIn } from "@/app/(pages)/file-text";
import { preview } from "@/app/(pages)/files/preview-dialog";

const MAX = 512 * 1024;
const CHUNK = 64 * 1024;
let sent = 0;
let closed: Promise<unknown>;

const HTML = { "Content-Type": "text/html" };
const server = createServer(({ url }, response) => {
  if (url === "/busy") return response.writeHead(502, HTML).end("<html>Bad gateway");
  if (url === "/sign-in") return response.writeHead(200, HTML).end("<html>Sign in to the network");
  if (url === "/cut") return response.writeHead(404, { "Content-Type": "application/json" }).end('{"success":fal');
  closed = once(response, "close");
  response.setHeader("Content-Type", "text/plain; charset=utf-8").setHeader("Content-Disposition", "inline");
  const send = () => {
    while (!response.destroyed) {
      sent += CHUNK;
      if (!response.write("a".repeat(CHUNK))) return;
    }
  };
  response.on("drain", send);
  send();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("a preview is the first 512 KB of a text, and the rest is not loaded", async () => {
  const { port } = server.address() as AddressInfo;
  const shown = await preview(`http://127.0.0.1:${port}`, new AbortController().signal);
  if (shown.kind !== "text") throw new Error(shown.kind);
  expect([shown.encoding, shown.isNotAscii, shown.isCut]).toEqual(["utf-8", false, true]);
  expect(textIn(shown, "utf-8")).toBe("a".repeat(MAX));
  await closed;
  // What the connection's buffers hold may have been sent, too.
  expect(sent).toBeLessThan(50 * MAX);
});

const whole = (bytes: Uint8Array) => ({ bytes, isCut: false });
const hex = (text: string) => Buffer.from(text, "hex");
const utf16le = (text: string) => Buffer.from(text, "utf16le");

test.each([
  [
    "shift_jis",
    "今日は公園まで、\n散歩に行きました。",
    "8da193fa82cd8cf6898082dc82c581410a8e5595e082c98d7382ab82dc82b582bd8142",
  ],
  ["shift_jis", "東京都", "938c8b9e9373"],
  [
    "euc-jp",
    "今日は公園まで、\n散歩に行きました。",
    "baa3c6fca4cfb8f8b1e0a4dea4c7a1a20abbb6cae2a4cbb9d4a4ada4dea4b7a4bfa1a3",
  ],
  ["gbk", "今天天气很好，我们去公园散步。", "bdf1ccecccecc6f8badcbac3a3acced2c3c7c8a5b9abd4b0c9a2b2bda1a3"],
  ["gbk", "姓名,城市\n张三,北京", "d0d5c3fb2cb3c7cad00ad5c5c8fd2cb1b1bea9"],
  ["big5", "今天天氣很好，我們去公園散步。", "a4b5a4d1a4d1aef0abdca66ea141a7daadcca568a4bdb6e9b4b2a842a143"],
  [
    "euc-kr",
    "오늘은 날씨가 좋아서 공원까지 산책을 갔습니다.",
    "bfc0b4c3c0ba20b3afbebeb0a120c1c1bec6bcad20b0f8bff8b1eec1f620bbeac3a5c0bb20b0acbdc0b4cfb4d92e",
  ],
  ["windows-1251", "Сегодня хорошая погода", "d1e5e3eee4edff20f5eef0eef8e0ff20efeee3eee4e0"],
  ["windows-1252", "Größe, Übermut und ÄÖÜ", "4772f6df652c20dc6265726d757420756e6420c4d6dc"],
  ["windows-1252", "déjà vu; ¿Qué pasó? ¡Niño!", "64e96ae02076753b20bf5175e920706173f33f20a14e69f16f21"],
  ["windows-1252", "café", "636166e9"],
] as const)("text in %s is recognised: %s", (encoding, text, bytes) => {
  expect(detectEncoding(whole(hex(bytes)))).toBe(encoding);
  expect(textIn(whole(hex(bytes)), encoding)).toBe(text);
});

test.each([
  ["UTF-8", "utf-8", Buffer.from("ä 🔑")],
  ["UTF-8 with a byte order mark", "utf-8", Buffer.from("\ufeffä 🔑")],
  ["UTF-16 LE with a byte order mark", "utf-16le", utf16le("\ufeffä 🔑")],
  ["UTF-16 BE with a byte order mark", "utf-16be", utf16le("\ufeffä 🔑").swap16()],
  ["UTF-16 LE without one", "utf-16le", utf16le("ä 🔑")],
  ["UTF-16 BE without one", "utf-16be", utf16le("ä 🔑").swap16()],
] as const)("%s is recognised, and its mark is not shown", (_, encoding, bytes) => {
  expect(detectEncoding(whole(bytes))).toBe(encoding);
  expect(textIn(whole(bytes), encoding)).toBe("ä 🔑");
});

test.each([
  ["quotes, dashes and an apostrophe", "4974927320612093717561746564942097207465787485"],
  ["an apostrophe", "497492730a"],
  ["letters and numbers", "352080204be46c7465"],
])("%s of Windows are no Japanese", (_, bytes) => expect(detectEncoding(whole(hex(bytes)))).toBe("windows-1252"));

test("a text that is cut within a character is recognised, and shown up to it", () => {
  for (const [encoding, text, bytes] of [
    ["utf-8", "日", Buffer.from("日本").subarray(0, 5)],
    ["utf-16le", "日", utf16le("\ufeff日🔑").subarray(0, 7)],
    ["shift_jis", "日", hex("93fa967b").subarray(0, 3)],
  ] as const) {
    expect(detectEncoding({ bytes, isCut: true })).toBe(encoding);
    expect(textIn({ bytes, isCut: true }, encoding)).toBe(text);
  }
});

test.each([
  ["zeros at both places", "fffb00000100"],
  ["control characters", "25504446010203e2e3"],
  ["half of a pair", "00d8 4100".replace(" ", "")],
])("%s are no text", (_, bytes) => expect(detectEncoding(whole(hex(bytes)))).toBeUndefined());

test.each([
  ["/busy", 502],
  ["/sign-in", 200],
  ["/cut", 404],
])("what a program in front of the service sends is no preview: %s", async (path, status) => {
  const { port } = server.address() as AddressInfo;
  const shown = await preview(`http://127.0.0.1:${port}${path}`, new AbortController().signal);
  const error = `The service sent an unexpected response (${status}). Try again in a moment.`;
  expect(shown).toEqual({ kind: "error", error });
});

test.each([
  ['{"a":[1,2.5,"b c"]}', '{\n  "a": [\n    1,\n    2.5,\n    "b c"\n  ]\n}'],
  ['{ "a" : 1 }', '{\n  "a": 1\n}'],
])("%s is set out in lines", (text, shown) => expect(setOut(text)).toBe(shown));

test.each([
  ["a number too long for JavaScript", "[12345678901234567890]"],
  ["a number written otherwise", "[1.0, 1e3]"],
  ["a number that is infinite", "[1e999]"],
  ["a name twice", '{"a":1,"a":2}'],
  ["numbers as names, which JavaScript sorts", '{"2":1,"1":2}'],
  ["a letter that is escaped", '["\\u00e9"]'],
  ["no JSON", "[1,"],
  ["text", "1 2 3"],
])("%s is shown as it is stored", (_, text) => expect(setOut(text)).toBe(text));
