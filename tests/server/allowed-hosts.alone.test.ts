import { expect, test, vi } from "vitest";
import { isOwnHost } from "@/lib/platform/network/host";

vi.hoisted(() => {
  process.env.ALLOWED_HOSTS = "x.default.svc.cluster.local., Latchkey";
});

test.each([
  ["x.default.svc.cluster.local", true],
  ["X.default.svc.cluster.local.:3000", true],
  ["latchkey", true],
  ["latchkey.:3000", true],
  ["default.svc.cluster.local", false],
])("where the operator allows a name with a dot at the end, %s is this service's own: %s", (host, isOwn) => {
  expect(isOwnHost(host, undefined)).toBe(isOwn);
});
