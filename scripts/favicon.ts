// npm run favicon: draws app/favicon.ico from app/icon.svg, for clients that do not read the latter

import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright";
import { findBrowser } from "./browser";

const SIZE = 48;

/** One PNG as an icon file: its header, one entry of a directory, the picture. */
function icon(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(SIZE, 6);
  head.writeUInt8(SIZE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${readFileSync("app/icon.svg", "utf8")}`);
  writeFileSync("app/favicon.ico", icon(await page.screenshot({ omitBackground: true })));
} finally {
  await browser.close();
}
