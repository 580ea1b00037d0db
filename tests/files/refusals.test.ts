import { afterEach, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/summary";
import { chunks, file, idOf, root, smallDocument, textOf, values } from "../support/documents";
import { makeUser } from "../support/user";

const HOME = "origin/(c) users/u";
const good = JSON.stringify(smallDocument("u"));
const change = (position: number, value: unknown) => JSON.stringify(smallDocument("u").with(position, value));
const raw = (position: number, text: string) => change(position, "RAW").replace('"RAW"', text);

/** What is sent, and what the sentence must say. */
const refusals: Record<string, [text: string | Uint8Array, sentence: RegExp]> = {
  nothing: ["", /not a JSON array: it is empty/],
  "an object": ["{}", /not a JSON array: it does not begin with \[/],
  "a byte order mark": [`\ufeff${good}`, /does not begin with \[/],
  "an empty array": ["[]", /document is empty/],
  "a cut document": [good.slice(0, -1), /ends too early, after \d+ bytes \(in entry 5, type\)/],
  "a document cut within an entry": [good.slice(0, 300), /ends too early.*in entry \d/],
  "more after the end": [`${good} x`, /something wrong at byte/],
  "a comma before the end": [`${good.slice(0, -1)},]`, /something wrong at byte/],
  "a leading zero": [raw(19, "01"), /something wrong at byte/],
  "a number that ends with a point": [raw(19, "1."), /something wrong at byte/],
  "an exponent without digits": [raw(19, "1e+"), /something wrong at byte/],
  NaN: [raw(19, "NaN"), /something wrong at byte/],
  "a word that is none": [raw(18, "nul"), /something wrong at byte/],
  "single quotes": [raw(17, "'x'"), /something wrong at byte/],
  "a control character in a string": [raw(17, '"a\nb"'), /something wrong at byte/],
  "an unknown escape": [raw(17, '"\\x41"'), /something wrong at byte/],
  "a short unicode escape": [raw(17, '"\\u12g4"'), /something wrong at byte/],
  "a key that is no string": [raw(18, "{1:2}"), /something wrong at byte/],
  "brackets that do not match": [raw(18, "[1}"), /something wrong at byte/],
  "a missing colon": [raw(18, '{"a" 1}'), /something wrong at byte/],
  "too deep a nest": [raw(18, `${"[".repeat(200)}${"]".repeat(200)}`), /nests deeper than 100 levels/],
  "bytes that are no UTF-8": [
    Buffer.concat([Buffer.from('["'), Buffer.from([0xc3, 0x28]), Buffer.from('"]')]),
    /something wrong at byte 4/,
  ],
  "a surrogate in UTF-8": [
    Buffer.concat([Buffer.from('["'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"]')]),
    /something wrong at byte 4/,
  ],
  "an overlong character": [
    Buffer.concat([Buffer.from('["'), Buffer.from([0xc0, 0xaf]), Buffer.from('"]')]),
    /something wrong at byte 3/,
  ],

  "13 values": [JSON.stringify(values(root("u")).slice(0, 13)), /Entry 1 has only 13 of the 14 values/],
  "one value too many": [JSON.stringify([...smallDocument("u"), ".txt"]), /Entry 5 has only 1 of the 14 values/],
  "an id that comes twice": [change(41, idOf(2)), /Entry 3, id: an earlier entry already has the id 0+2/],

  "a file where the root should be": [change(0, ".txt"), /No entry is the user's root folder/],
  "a root in another place": [change(2, "origin"), /No entry is the user's root folder: one of the type .folder in/],
  "a root without a name": [
    change(1, ""),
    /root folder cannot be imported. Entry 1, name: a folder's name must not be empty/,
  ],
  "a root whose list holds numbers": [
    change(3, [1, 2]),
    /root folder cannot be imported. Entry 1, data: a folder's data must be an array of ids/,
  ],
  "a root with an id that is none": [
    change(13, "a b"),
    /root folder cannot be imported. Entry 1, id: an id must have 1 to 64 ASCII characters/,
  ],
};

/** What cannot be imported of a document, and what the sentence must say. The others can be imported without it. */
const entryRefusals: Record<string, [text: string, sentence: RegExp]> = {
  "a type that is no string": [change(14, 7), /Entry 2, type: this must be of the kind string, not number/],
  "a name that is no string": [change(15, null), /Entry 2, name: this must be of the kind string/],
  "a location that is no string": [change(30, []), /Entry 3, location: this must be of the kind string/],
  "a folder whose data is text": [change(17, "text"), /Entry 2, data: a folder's data must be an array of ids/],
  "a folder whose list holds numbers": [change(17, [1, 2]), /Entry 2, data: a folder's data must be an array of ids/],
  "a folder whose list in a string is cut": [change(17, `["${idOf(3)}"`), /Entry 2, data: a folder's data must be/],
  "a folder whose list in a string goes on": [change(17, "[]]"), /Entry 2, data: a folder's data must be/],
  "a time that is an array": [change(22, []), /Entry 2, created: this must be of the kind number or string or null/],
  "permissions that are a number": [change(26, 1), /Entry 2, permissions/],
  "a name of 64 KB": [change(15, "n".repeat(70_000)), /Entry 2, name: this is longer than 65536 bytes/],
  "a folder with a slash in its name": [
    change(15, "a/b"),
    /Entry 2, name: a folder's name must not be empty or hold a slash/,
  ],
  "a location of another user": [
    change(44, "origin/(c) users/eve"),
    /Entry 4, location: ".*eve" is outside the document's own root, ".*\/u"/,
  ],
  "a location that only begins like the root": [
    change(44, `${HOME}x`),
    /Entry 4, location: .* is outside the document's own root/,
  ],
  "a location above the root": [change(44, "origin/(c) users"), /Entry 4, location: .* is outside/],
  "a parent that is missing": [
    change(30, `${HOME}/nowhere`),
    /Entry 3, location: the document has no folder ".*nowhere"/,
  ],
  "a parent that is a file": [
    JSON.stringify([
      ...values(root("u")),
      ...values(file("u", 3, "", "f")),
      ...values({ ...file("u", 4, ""), location: `${HOME}/f` }),
    ]),
    /Entry 3, location: the document has no folder/,
  ],
  "an id with a blank": [
    change(27, "a b"),
    /Entry 2, id: an id must have 1 to 64 ASCII characters, without spaces, quotes or backslashes/,
  ],
  "an id that is a number": [change(27, 2), /Entry 2, id: this must be of the kind string, not number/],
};

describe("What is no document is refused with a sentence that says where, and the former document stays", () => {
  test.for([
    ...Object.entries(refusals).map(([what, [text, sentence]]) => [what, text, sentence, "invalid_document"] as const),
    ...Object.entries(entryRefusals).map(
      ([what, [text, sentence]]) => [what, text, sentence, "entries_refused"] as const,
    ),
  ])("%s", async ([, text, sentence, code]) => {
    const user = await makeUser();
    const before = JSON.stringify(smallDocument(user.username, "before"));
    await importDocument(user, chunks(before));

    for (const size of [1, 65_536])
      await expect(importDocument(user, chunks(text, size))).rejects.toMatchObject({
        status: 400,
        code,
        message: expect.stringMatching(sentence),
      });
    expect(await textOf(await exportDocument(user.id))).toBe(before);
    expect(await db.fileDraft.count({ where: { userId: user.id } })).toBe(0);
    expect(await db.filePiece.count({ where: { userId: user.id, bornVersion: null } })).toBe(0);
  });
});

describe("A quota that is exceeded changes nothing", () => {
  const { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER } = env;
  afterEach(() => Object.assign(env, { FILE_BYTES_PER_USER, FILE_ENTRIES_PER_USER }));

  test("entries: as many as allowed, and not one more", async () => {
    const user = await makeUser();
    env.FILE_ENTRIES_PER_USER = 4;
    const document = smallDocument(user.username);
    await importDocument(user, chunks(JSON.stringify(document)));
    const more = JSON.stringify([...document, ...values(file(user.username, 9, "x"))]);
    await expect(importDocument(user, chunks(more))).rejects.toMatchObject({ status: 403, code: "files_limit" });
    expect(await filesSummary(user.id)).toEqual({ entries: 4, bytes: Buffer.byteLength(JSON.stringify(document)) });
  });

  test("bytes: as many as allowed, and not one more", async () => {
    const user = await makeUser();
    const document = JSON.stringify(smallDocument(user.username));
    env.FILE_BYTES_PER_USER = Buffer.byteLength(document);
    await importDocument(user, chunks(document));
    env.FILE_BYTES_PER_USER--;
    await expect(importDocument(user, chunks(document))).rejects.toMatchObject({ status: 403, code: "files_limit" });
    expect(await textOf(await exportDocument(user.id))).toBe(document);
  });
});

test("A failing source leaves the former document, and the caller gets its error", async () => {
  const user = await makeUser();
  const before = JSON.stringify(smallDocument(user.username));
  await importDocument(user, chunks(before));
  async function* broken() {
    yield Buffer.from(before.slice(0, 200));
    throw new Error("the upload broke off");
  }
  await expect(importDocument(user, broken())).rejects.toThrow("the upload broke off");
  expect(await textOf(await exportDocument(user.id))).toBe(before);
});
