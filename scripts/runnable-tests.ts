import type { TestSpecification } from "vitest/node";
import {
  CLUSTER_PACKAGES,
  ensureBrowser,
  ensureCluster,
  ensurePgBouncer,
  ensurePostgres,
  ensureProgram,
  ensurePython,
  ensureRedis,
  loudly,
} from "./install";

/** A project's name says what it needs. */
const NEEDS = [
  {
    word: "postgresql",
    ensure: ensurePostgres,
    what: "PostgreSQL",
    how: "Install it, or name a server in TEST_DATABASE_URL.",
  },
  { word: "redis", ensure: ensureRedis, what: "Redis", how: "Install it: the program is redis-server." },
  { word: "pgbouncer", ensure: ensurePgBouncer, what: "PgBouncer", how: "Install it: the program is pgbouncer." },
  {
    word: "browser",
    ensure: ensureBrowser,
    what: "a browser",
    how: "Install Chromium, or run: npx playwright install chromium",
  },
];

/** What single files need in addition, by a part of their path. */
const PROGRAMS = [
  { path: "readme", programs: ["zsh"] },
  { path: ".long.test", programs: ["nginx", "haproxy", "caddy", "curl", "buildah", "podman"] },
];

/** The test files that can run here, after installing what they need. What cannot is added to `skipped`. */
export function runnable(specifications: TestSpecification[], skipped: string[]): TestSpecification[] {
  function doWithout(what: string, how: string) {
    loudly(`GOING ON WITHOUT ${what.toUpperCase()}. ${how}`);
    skipped.push(`every test that needs ${what}: there is none, and none could be installed`);
  }
  const missing = NEEDS.filter(
    ({ word, ensure }) => specifications.some(({ project }) => project.name.includes(word)) && !ensure(),
  );
  for (const { what, how } of missing) doWithout(what, how);
  for (const { path, programs } of PROGRAMS)
    if (specifications.some(({ moduleId }) => moduleId.includes(path)))
      for (const program of programs)
        if (!ensureProgram(program)) doWithout(program, `Install the package ${program}.`);
  if (specifications.some(({ moduleId }) => moduleId.includes("clients/python")) && !ensurePython())
    doWithout("Python", "Install the packages python3-pip, python3-venv and mypy.");
  const isCluster = ({ moduleId }: TestSpecification) => moduleId.includes("high-availability");
  const noCluster = specifications.some(isCluster) && !ensureCluster();
  if (noCluster)
    doWithout("Patroni, etcd, HAProxy and PgBouncer", `Install ${Object.keys(CLUSTER_PACKAGES).join(", ")}.`);
  return specifications.filter(
    (specification) =>
      !(noCluster && isCluster(specification)) &&
      !missing.some(({ word }) => specification.project.name.includes(word)),
  );
}
