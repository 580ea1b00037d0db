import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { freePort } from "@/scripts/scratch-server";
import { runAdmin } from "@/tests/support/admin";
import { Service } from "./npm-start";

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === "IPv6"),
);

test("without HOST, the service is reached by IPv4 and, where it is, IPv6; ./latchkey health asks it", async () => {
  const PORT = String(await freePort());
  await using service = new Service({ HOST: "", PORT });
  await expect.poll(() => service.output).toContain(`running at http://localhost:${PORT}`);
  for (const host of ["127.0.0.1", ...(hasIPv6 ? ["[::1]"] : [])])
    expect((await fetch(`http://${host}:${PORT}/health`)).status).toBe(200);
  const health = (HOST: string) => runAdmin(["health"], { PATH: process.env.PATH, NODE_ENV: "production", PORT, HOST });
  for (const host of ["", "0.0.0.0", "127.0.0.1", ...(hasIPv6 ? ["::", "::1"] : [])])
    expect(await health(host)).toEqual({ status: 0, stdout: '{"status":"ok"}\n', stderr: "" });
  service.signal("SIGTERM");
  await service.exit();
  const { status, stderr } = await health("");
  expect([status, stderr]).toEqual([1, `http://localhost:${PORT}/health does not respond (ECONNREFUSED).\n`]);
});
