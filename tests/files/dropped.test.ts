import { expect, test } from "vitest";
import { droppedIn } from "@/app/(pages)/files/upload-job";

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
