import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

const SCRIPT =
  "import base64,json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
  "print(json.dumps([[n, base64.b64encode(z.read(n)).decode()] for n in z.namelist()]))";

const TIMES =
  "import json,struct,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); " +
  "seconds=lambda i: struct.unpack('<I', i.extra[5:9])[0] if i.extra else None; " +
  "print(json.dumps([[i.filename, i.date_time[0], seconds(i)] for i in z.infolist()]))";

/** Reads a stream of deflated entries and folders, not what is at its end (APPNOTE 6.3.10, sections 4.3.7, 4.3.9). */
const STREAM = `
import json, struct, sys, zlib
source, rest, found = sys.stdin.buffer, b"", []
def take(n):
    global rest
    while len(rest) < n:
        more = source.read1(65536)
        assert more
        rest += more
    taken, rest = rest[:n], rest[n:]
    return taken
while take(4) == b"PK\\3\\4":
    _, flags, method, _, crc, packed, size, name, extra = struct.unpack("<HHHIIIIHH", take(26))
    name, extra = take(name).decode(), take(extra)
    is64 = False
    while extra:
        kind, n = struct.unpack("<HH", extra[:4])
        is64, extra = is64 or kind == 1, extra[4 + n:]
    if method == 0:
        assert size == 0 and not is64 and not flags & 8
    else:
        assert method == 8 and flags & 8 and not crc
        length, check, all, inflate = 0, 0, len(rest), zlib.decompressobj(-15)
        while not inflate.eof:
            if not rest:
                rest = source.read1(65536)
                all += len(rest)
                assert rest
            for_now, rest = rest, b""
            while for_now and not inflate.eof:
                content = inflate.decompress(for_now, 1 << 20)
                for_now = inflate.unconsumed_tail
                length, check = length + len(content), zlib.crc32(content, check)
        rest = inflate.unused_data
        all -= len(rest)
        assert take(4) == b"PK\\7\\x08"
        sizes = struct.unpack(*(("<IQQ", take(20)) if is64 else ("<III", take(12))))
        assert sizes == (check, all, length)
        size = length
    found.append([name, size, is64])
while source.read(65536): pass
print(json.dumps(found))
`;

/** What an independent reader finds in the archive: each path with its content, in this encoding. */
export async function unzipped(archive: AsyncIterable<Uint8Array>, encoding: BufferEncoding) {
  const found = (await readBy(SCRIPT, archive)) as [string, string][];
  return found.map(([path, data]) => [path, Buffer.from(data, "base64").toString(encoding)] as const);
}

/** Each path with the year of its time of DOS, and its Unix seconds if it has such a field. */
export const timesIn = (archive: AsyncIterable<Uint8Array>) => readBy(TIMES, archive);

/** Each path with its size, and whether its sizes are of 64 bits, for a reader who sees each byte once. */
export async function streamed(archive: AsyncIterable<Uint8Array>): Promise<unknown> {
  const reader = spawn("python3", ["-c", STREAM], { stdio: ["pipe", "pipe", "inherit"] });
  const [printed] = await Promise.all([text(reader.stdout), pipeline(Readable.from(archive), reader.stdin)]);
  return JSON.parse(printed);
}

async function readBy(script: string, archive: AsyncIterable<Uint8Array>): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-zip-"));
  try {
    const file = join(folder, "all.zip");
    await writeFile(file, archive);
    const listed = execFileSync("python3", ["-c", script, file], { encoding: "utf8", maxBuffer: 1 << 28 });
    return JSON.parse(listed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
