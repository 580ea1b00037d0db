import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { environment } from "@/lib/platform/env";
import manifest from "@/package.json";

const service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  user: z.string().optional(),
  ports: z.array(z.string()).default([]),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
});

const text = readFileSync("compose.yaml", "utf8");
const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(text));
const dockerfile = readFileSync("Dockerfile", "utf8");
const PINNED = /^[a-z]+:\d+\.\d+\.?\d*[\w.-]*@sha256:[0-9a-f]{64}$/;

test.each(Object.entries(services))(
  "%s has no capability, gains none, and writes nowhere but into its volumes",
  (_, { cap_drop, cap_add, security_opt, read_only }) => {
    expect({ cap_drop, cap_add, security_opt, read_only }).toEqual({
      cap_drop: ["ALL"],
      cap_add: [],
      security_opt: ["no-new-privileges:true"],
      read_only: true,
    });
  },
);

test("Latchkey's image is that of this version, or built here", () => {
  expect(services.latchkey).toMatchObject({ build: ".", image: `ghcr.io/latchkey/latchkey:${manifest.version}` });
});

test.each(Object.entries(services).filter(([, { build }]) => !build))(
  "%s does not run as root, and its image is one for good",
  (_, { user, image }) => {
    expect(user).toMatch(/^[a-z]+$/);
    expect(user).not.toBe("root");
    expect(image).toMatch(PINNED);
  },
);

test("the image that is built here stands on one for good, and ends without root", () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual([`\${NODE_IMAGE}`, `\${NODE_IMAGE}`]);
  expect(/^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]).toMatch(PINNED);
  expect([...dockerfile.matchAll(/^USER (\S+)/gm)].at(-1)?.[1]).toBe("node");
  // A frontend that is fetched at each build would be code that nobody has looked at.
  expect(dockerfile).not.toMatch(/^# *syntax/m);
});

test("only this machine reaches a port, and only Latchkey's", () => {
  expect(Object.values(services).flatMap(({ ports }) => ports)).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-3000\}:3000$/),
  ]);
});

test("every variable of .env arrives, but those that a container has its own of", () => {
  const { latchkey } = services;
  expect(latchkey?.env_file).toEqual([{ path: ".env", required: false }]);
  const own = Object.keys(latchkey?.environment ?? {});
  expect(own.filter((name) => !(name in environment.shape))).toEqual([]);
  const expected = "AUTH_SECRET DATABASE_URL DATA_DIR HOST NEXTAUTH_URL NODE_ENV PORT";
  expect(own.sort().join(" ")).toBe(expected);
});

test("no password has a default", () => {
  for (const [, name, rest] of text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g))
    expect([name, rest]).toEqual([name, expect.stringMatching(/^:\?make one with openssl rand/)]);
});
