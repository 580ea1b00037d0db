import { describe, expect, test } from "vitest";
import { asPage, isOpenedByHand } from "@/lib/api/opened-by-hand";

const ROUTE = { path: "/keys/get/{id}", summary: "Returns a key." };

function body(chunk: string, chunks: number) {
  let taken = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken === chunks) return controller.close();
        taken++;
        controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => taken, isCancelled: () => isCancelled };
}

describe("a request", () => {
  const BY_HAND = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", Accept: "text/html,*/*;q=0.8" };
  const asked = (headers: Record<string, string>, method = "GET") =>
    isOpenedByHand(new Request("http://service.example/me", { method, headers }));

  test("of a person's browser is recognised", () => {
    expect(asked(BY_HAND)).toBe(true);
    expect(asked({ ...BY_HAND, Accept: "text/html" })).toBe(true);
  });

  test.each<[string, Record<string, string>, string?]>([
    ["of a program without such headers", {}],
    ["that only accepts HTML", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }],
    ["of a script in a page", { ...BY_HAND, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }],
    ["of a frame", { ...BY_HAND, "Sec-Fetch-Dest": "iframe" }],
    ["with a bearer token", { ...BY_HAND, Authorization: "Bearer lk_x" }],
    ["that prefers JSON", { ...BY_HAND, Accept: "application/json, text/html;q=0.5" }],
    ["that accepts anything", { ...BY_HAND, Accept: "*/*" }],
    ["that gives HTML a weight", { ...BY_HAND, Accept: "text/html;q=0" }],
    ["for the head alone", BY_HAND, "HEAD"],
    ["that posts", BY_HAND, "POST"],
  ])("%s is a program's", (_, headers, method) => {
    expect(asked(headers, method)).toBe(false);
  });
});

describe("the page", () => {
  test("has the status and headers of the response, and its JSON twice: as it was, and formatted", async () => {
    const json = '{"name":"<script>alert(1)</script> & \\"quoted\\"","price":1.50}';
    const headers = { "X-Request-Id": "7", "Cache-Control": "no-store", "Retry-After": "5" };
    const page = await asPage(new Response(json, { status: 429, headers }), ROUTE);
    expect([page.status, page.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    for (const [name, value] of Object.entries(headers)) expect(page.headers.get(name)).toBe(value);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).not.toContain("<script");
    const shown = [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, text = ""]) =>
      text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    );
    expect(shown).toEqual([json, JSON.stringify(JSON.parse(json), null, 2)]);
    for (const text of ["/keys/get/{id}", "Returns a key.", "status 429", 'href="/docs#keys-get"'])
      expect(html).toContain(text);
  });

  test("of a body in parts is one page", async () => {
    const whole = new Response(new Blob(["[1,", "2]"]).stream());
    expect(await (await asPage(whole)).text()).toContain("<h1>Unknown address</h1>");
  });

  test("is not made of a long body, which is passed on without being read ahead", async () => {
    const chunk = "x".repeat(64 * 1024);
    const { stream, taken, isCancelled } = body(chunk, 100);
    const response = await asPage(new Response(stream, { headers: { "Content-Type": "application/json" } }), ROUTE);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(taken()).toBe(5);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(chunk.length);
    await reader?.cancel();
    expect(isCancelled()).toBe(true);
    expect(taken()).toBeLessThan(7);
    const all = await asPage(new Response(body(chunk, 6).stream), ROUTE);
    expect(await all.text()).toBe(chunk.repeat(6));
  });
});
