import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Texts only: pictures and fonts are compressed already. */
const TEXTS = /\.(?:css|js|json|svg)$/;

/**
 * Compresses a build's assets as far as possible, into a folder that Next does not serve (server/compressed-assets.ts
 * does). Forms that save nothing are left out.
 */
export async function compressAssets(build) {
  const assets = join(build, "static");
  if (!existsSync(assets)) return;
  const names = readdirSync(assets, { recursive: true, encoding: "utf8" }).filter((name) => TEXTS.test(name));
  await Promise.all(
    names.map(async (name) => {
      const plain = readFileSync(join(assets, name));
      const forms = {
        br: await promisify(brotliCompress)(plain, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
        }),
        gz: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
      };
      const compressed = join(build, "compressed", name);
      mkdirSync(dirname(compressed), { recursive: true });
      for (const [suffix, bytes] of Object.entries(forms))
        if (bytes.length < plain.length) writeFileSync(`${compressed}.${suffix}`, bytes);
    }),
  );
}
