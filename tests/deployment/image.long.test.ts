import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOnPath } from "@/scripts/install";
import { freePort } from "@/scripts/scratch-server";
import { sendTo } from "@/tests/support/request";

/**
 * The Dockerfile, built by buildah and run by podman with the rights that compose.yaml gives. TEST_NODE_IMAGE names
 * another image to stand on, where Docker Hub cannot be reached: one with Node.js, npm, a user `node`, and what
 * compiles packages.
 */

const NODE_IMAGE = process.env.TEST_NODE_IMAGE;
const MB = 1_000_000;

const run = promisify(execFile);
const podman = async (...sent: string[]) => (await run("podman", sent)).stdout.trim();
const mark = randomBytes(4).toString("hex");
const [image, container, volume] = [`latchkey-test-${mark}`, `latchkey-${mark}`, `latchkey-data-${mark}`];

describe.skipIf(!isOnPath("buildah") || !isOnPath("podman"))("the image", () => {
  beforeAll(async () => {
    await podman("volume", "create", volume);
    const base = NODE_IMAGE ? ["--build-arg", `NODE_IMAGE=${NODE_IMAGE}`] : [];
    // As Docker writes images: other ones have no health check.
    const how = ["--format", "docker", "--isolation", "chroot", "--network", "host", ...base];
    await run("buildah", ["build", ...how, "-t", image, "."], { maxBuffer: 100 * MB });
  }, 1_200_000);
  afterAll(async () => {
    await podman("rm", "--force", "--ignore", "--time", "0", container);
    await podman("volume", "rm", volume);
    await podman("rmi", image);
  });

  /** Runs the image, and answers the address at which it is ready. */
  async function start(): Promise<string> {
    const port = await freePort();
    const rights = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
    const place = ["--network", "host", "-e", `PORT=${port}`, "-v", `${volume}:/data`, "--stop-timeout", "15"];
    await podman("run", "-d", "--name", container, ...place, ...rights, image);
    const origin = `http://127.0.0.1:${port}`;
    const ready = () => sendTo(origin, "/ready").catch(() => ({ status: 0 }));
    await expect.poll(async () => (await ready()).status, { timeout: 60_000 }).toBe(200);
    return origin;
  }

  const admin = (...sent: string[]) => podman("exec", container, "npm", "run", "--silent", "admin", "--", ...sent);

  test("adds less than 110 MB to the image that it stands on", async () => {
    const history = await podman("history", "--format", "json", image);
    const layers: { size: number; CreatedBy?: string }[] = JSON.parse(history);
    const from = layers.findIndex(({ CreatedBy = "" }) => /WORKDIR/.test(CreatedBy));
    const ours = layers.slice(0, from);
    expect(ours.length).toBeGreaterThan(5);
    const added = ours.reduce((sum, { size }) => sum + size, 0);
    expect(added).toBeGreaterThan(10 * MB);
    expect(added).toBeLessThan(110 * MB);
  });

  test("does the main job without rights, stops cleanly, and keeps its data", async () => {
    const origin = await start();
    await podman("healthcheck", "run", container);
    expect(await podman("exec", container, "id", "-un")).toBe("node");
    const { token } = JSON.parse(await admin("user:create", "alice"));
    expect((await sendTo(origin, "/me", { query: { auth: token } })).body).toMatchObject({ username: "alice" });
    expect((await sendTo(origin, "/link/code")).status).toBe(200);
    for (const path of ["/", "/link", "/signin"])
      expect((await sendTo(origin, path, { headers: { Accept: "text/html" } })).status).toBe(200);
    expect(JSON.parse(await admin("doctor"))).toMatchObject({ ok: true, problems: [] });
    await podman("stop", container);
    expect(await podman("inspect", container, "--format", "{{.State.ExitCode}}")).toBe("0");
    await podman("rm", container);
    expect((await sendTo(await start(), "/me", { query: { auth: token } })).body).toMatchObject({ username: "alice" });
  });
});
