import { expect, onTestFinished, test, vi } from "vitest";
import { droppedIn } from "@/app/(pages)/files/picked-files";
import { isUnchanged, newJob, nextOf, putBack, readableSeconds, UploadRate } from "@/app/(pages)/files/upload-job";
import { someAtATime } from "@/app/(pages)/files/upload-queue";

function rates(...uploaded: number[]): (number | undefined)[] {
  const rate = new UploadRate(0, 0);
  return uploaded.map((bytes, n) => rate.measure(bytes, (n + 1) * 1_000));
}

test("there is no rate in the first two seconds, or when nothing has moved for ten", () => {
  expect(rates(100, 200, 300)).toEqual([undefined, 100, 100]);
  expect(rates(100, ...Array(11).fill(100)).slice(9)).toEqual([10, undefined, undefined]);
  expect(new UploadRate(5_000, 0).measure(5_000, 3_000)).toBeUndefined();
});

test("one fast second changes the rate by a tenth of it", () => {
  expect(rates(...Array.from({ length: 20 }, (_, n) => n * 100), 2_900).at(-1)).toBe(190);
});

test("bytes that are taken back are no speed, and those sent again count", () => {
  expect(rates(100, 200, 0, 100, 200)).toEqual([undefined, 100, 200 / 3, 75, 80]);
});

test.each([
  [0.2, "1 s"],
  [7.1, "8 s"],
  [42, "45 s"],
  [55.1, "1 min"],
  [125, "3 min"],
  [3_600, "1 h"],
  [4_790, "1 h 20 min"],
  [100_000, "more than a day"],
])("%d seconds are shown as %s", (seconds, shown) => {
  expect(readableSeconds(seconds)).toBe(shown);
});

test("of many that have arrived it is told once for a while, and of the last one at once", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const notify = vi.fn();
  const arrived = someAtATime(notify);
  const notified = (isLast: boolean, times: number) => {
    for (let n = 0; n < times; n++) arrived(isLast);
    return notify.mock.calls.length;
  };
  expect(notified(false, 100)).toBe(0);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(1);
  expect([notified(false, 1), notified(true, 1)]).toEqual([1, 2]);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(2);
  arrived(false);
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledTimes(3);
});

const MODIFIED = Date.UTC(2026, 4, 3);
const fileOf = (name: string) => new File(["12345"], name, { lastModified: MODIFIED });

test.each([
  ["same", {}, true],
  ["in another normal form", { name: "Re\u0301sum\u00e9.txt" }, true],
  ["in capitals", { name: "R\u00e9SUM\u00e9.txt" }, false],
  ["of another size", { size: 6 }, false],
  ["of another date, by a millisecond", { edited: MODIFIED + 1 }, false],
  ["without a date", { edited: null }, false],
  ["a folder", { isFolder: true }, false],
])("a stored file is unchanged only if name, size and date are: %s", (_, stored, expected) => {
  const name = "R\u00e9sum\u00e9.txt";
  const same = { id: "1", name, type: ".txt", isFolder: false, isText: true, size: 5, children: 0, edited: MODIFIED };
  expect(isUnchanged({ ...same, ...stored }, fileOf(name))).toBe(expected);
});

test("several files of a folder are compared before they are sent, a single one and what was decided are not", () => {
  const jobs = ["a", "b", "a"].map((name, n) => newJob(n, { file: fileOf(name), folders: ["Box"] }, ""));
  const next = () => {
    const { jobs: chosen, task } = nextOf(jobs);
    return [task, ...chosen.map(({ id }) => id)];
  };
  expect(next()).toEqual(["compare", 0, 1]);
  for (const job of jobs.slice(0, 2)) putBack(job, "refuse");
  expect(next()).toEqual(["send", 0, 1]);
  for (const job of jobs.slice(0, 2)) job.state = "done";
  expect(next()).toEqual(["send", 2]);
  for (const job of jobs) putBack(job, "replace");
  expect(next()).toEqual(["send", 0, 1]);
});

type Read = (taken: (entries: FileSystemEntry[]) => void, failed: (error: unknown) => void) => void;

/** A folder as a browser passes it on; each reader of it gives what `reading` returns. */
function folder(name: string, reading: () => Read): FileSystemEntry {
  const entry = { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries: reading() }) };
  return entry as unknown as FileSystemEntry;
}
const file = (name: string) =>
  ({
    isFile: true,
    isDirectory: false,
    name,
    file: (taken: (file: File) => void) => taken(new File(["x"], name)),
  }) as unknown as FileSystemEntry;
/** Gives these entries, then the empty list. */
const once = (entries: () => FileSystemEntry[]) => (): Read => {
  let isRead = false;
  return (taken) => {
    taken(isRead ? [] : entries());
    isRead = true;
  };
};
const dropped = (entry: FileSystemEntry) =>
  droppedIn({ items: [{ webkitGetAsEntry: () => entry, getAsFile: () => null }] } as unknown as DataTransfer);

test("a folder whose name is no text, so that it seems to contain itself, ends the walk and is named", async () => {
  const inside = (): FileSystemEntry[] => [file("a.txt"), folder("", once(inside)), file("")];
  const { files, unreadable } = await dropped(folder("Photos", once(inside)));
  expect(files.map(({ folders, file: { name } }) => [...folders, name].join("/"))).toEqual(["Photos/a.txt"]);
  expect(unreadable).toEqual(Array(2).fill("Photos/(a name that can't be read)"));
});

test("a folder that contains itself by its name ends the walk", async () => {
  const inside = (): FileSystemEntry[] => [folder("loop", once(inside))];
  const { files, unreadable } = await dropped(folder("loop", once(inside)));
  expect([files, unreadable.length]).toEqual([[], 1]);
  expect(unreadable[0]?.split("/").length).toBe(102);
});

test("a folder whose list does not end is named, and so is one that cannot be read", async () => {
  const endless = folder("endless", () => (taken) => taken(Array(100).fill(file("a.txt"))));
  const closed = folder("closed", () => (_, failed) => failed(new Error("NotReadableError")));
  const { files, unreadable } = await dropped(
    folder(
      "all",
      once(() => [endless, closed, file("b.txt")]),
    ),
  );
  expect(files.length).toBe(1);
  expect(unreadable).toEqual(["all/endless", "all/closed"]);
});
