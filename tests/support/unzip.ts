import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SCRIPT =
  "import base64,json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
  "print(json.dumps([[n, base64.b64encode(z.read(n)).decode()] for n in z.namelist()]))";

/** What an independent reader finds in the archive: each path with its content, in this encoding. */
export async function unzipped(archive: AsyncIterable<Uint8Array>, encoding: BufferEncoding) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-zip-"));
  try {
    const file = join(folder, "all.zip");
    await writeFile(file, archive);
    const listed = execFileSync("python3", ["-c", SCRIPT, file], { encoding: "utf8", maxBuffer: 1 << 28 });
    const found: [string, string][] = JSON.parse(listed);
    return found.map(([path, data]) => [path, Buffer.from(data, "base64").toString(encoding)] as const);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
