import { expect, test } from "vitest";
import type { ShownState } from "@/lib/link/states";
import { compares, sourceFiles, textsOf } from "@/tests/support/imports";

const HOME = "lib/link/states.ts";
const NAMES: Record<ShownState, true> = {
  pending: true,
  closed: true,
  denied: true,
  approved: true,
  uncollected: true,
  collected: true,
  revoked: true,
};

const namesIn = (file: string) =>
  textsOf(file).flatMap((text) => Object.keys(NAMES).filter((name) => text === name || text.includes(`'${name}'`)));

test("no file but lib/link/states.ts names a state of a link, in code or SQL", () => {
  const others = sourceFiles("app", "components", "lib", "server", "scripts").filter((file) => file !== HOME);
  const advice = `Ask a predicate or take a value of ${HOME}, or hold a Record of all its states.`;
  const wrong = others.flatMap((file) => namesIn(file).map((name) => `${file} names the state ${name}. ${advice}`));
  expect(wrong).toEqual([]);
  expect(new Set(namesIn(HOME))).toEqual(new Set(Object.keys(NAMES)));
});

test("no file but lib/link/states.ts compares the state of a link", () => {
  const comparing = sourceFiles("lib/link", "app/(pages)/link", "app/(api)/link", "components/link").filter((file) =>
    ["status", "state"].some((property) => compares(file, property)),
  );
  const wrong = comparing.filter((file) => file !== HOME);
  expect(wrong.map((file) => `${file} compares the state of a link: ask a predicate of ${HOME}.`)).toEqual([]);
});
