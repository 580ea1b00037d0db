import { expect, test } from "vitest";
import { importsOf, sourceFiles } from "@/tests/support/imports";
import { ourImports, said } from "./ours";

/** What all of lib/files speaks, and its callers too; these files import nothing of it but one another. */
const FILES_WORDS = /^lib\/files\/(?:entry-id|entry-summary|errors|import-report|on-existing|part-bytes|plain-text)$/;
/** The rooms behind the verbs of lib/files. Each imports those after it. */
const FILES_ROOMS = ["import", "change", "index", "pieces", "document"];

test("the rest of the code imports the verbs of lib/files only", () => {
  const advice =
    "What lies in a room of lib/files is its own business. Call the verb in front of it, or write one there; " +
    "docs/files.md tells what each room is for.";
  const others = [...ourImports, ...sourceFiles("bench").flatMap(importsOf)];
  const wrong = others.filter(({ from, to }) => !from.startsWith("lib/files/") && /^lib\/files\/.+\//.test(to));
  expect(said(wrong, advice)).toEqual([]);
});

test("the rooms of lib/files import in one direction", () => {
  const order = FILES_ROOMS.join(", ");
  const advice =
    `A room imports the words of lib/files and the rooms after it: ${order}. What two rooms need belongs ` +
    "into the later one.";
  const roomOf = (path: string) => /^lib\/files\/([^/]+)\//.exec(path)?.[1];
  const rankOf = (path: string) => FILES_ROOMS.indexOf(roomOf(path) ?? "");
  const inside = ourImports.filter(({ from, to }) => from.startsWith("lib/files/") && to.startsWith("lib/files/"));
  const wrong = inside.filter(({ from, to }) => {
    if (FILES_WORDS.test(to)) return false;
    if (FILES_WORDS.test(from.replace(/\.ts$/, ""))) return true;
    return roomOf(from) !== undefined && (roomOf(to) === undefined || rankOf(to) < rankOf(from));
  });
  expect(said(wrong, advice)).toEqual([]);
  expect(new Set(sourceFiles("lib/files").map(roomOf))).toEqual(new Set([undefined, ...FILES_ROOMS]));
});
