import { type Import, importsOf, sourceFiles } from "@/tests/support/imports";

export const OURS = sourceFiles(
  ..."app components lib server scripts clients".split(" "),
  ...["server.ts", "proxy.ts", "instrumentation.ts", "next.config.mjs", "prisma.config.ts"],
);
/** The same, and what belongs to no deliverable. */
export const EVERYTHING = [...OURS, ...sourceFiles("tests", "bench", "examples")];
export const ourImports = OURS.flatMap(importsOf);
export const said = (violations: Import[], advice: string) =>
  violations.map(({ from, to }) => `${from} imports ${to}. ${advice}`);
