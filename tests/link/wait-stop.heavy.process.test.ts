import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sendTo } from "@/tests/support/request";
import { startService } from "@/tests/support/service";

test.each(["direct", "next"] as const)(
  "a service that is told to stop answers those who wait first (%s)",
  async (lane) => {
    const service = await startService({ lane, database: "sqlite" });
    try {
      const { body, headers } = await sendTo(service.url, "/link/code");
      const asking = {
        query: { code: String(body?.code) },
        headers: { "Link-Secret": String(headers["link-secret"]) },
      };
      const waiting = sendTo(service.url, "/link/status", {
        ...asking,
        headers: { ...asking.headers, Prefer: "wait=25" },
      });
      // The service took the request when it answers one that came later on another connection.
      const later = { ...asking, headers: { ...asking.headers, Prefer: "wait=1" } };
      expect((await sendTo(service.url, "/link/status", later)).headers["preference-applied"]).toBe("wait=1");
      for (const pid of service.pids()) process.kill(pid, "SIGTERM");
      const { status, text, headers: last } = await waiting;
      expect([status, text, last["preference-applied"]]).toEqual([200, '{"status":"pending"}', undefined]);
      await service.ended();
      expect(readFileSync(service.logFile, "utf8")).not.toContain("unfinished requests are cut off");
    } finally {
      await service.stop();
    }
  },
);
