#!/bin/sh
# A page of Next.js of which one script cannot be loaded, as on a bad network.
#
# One would guess: whenever it fails, the page's error boundary (error.js) says so, after some attempts.
# What happens: next 16.4.6 (Turbopack). If the script fails after the loader of all scripts has run, that asks for it
# once more, and then the error boundary is shown. If it fails first, the loader finds its tag, waits for an event that
# is over, and asks for nothing: the page looks as the server sent it, does nothing for ever, and no error is thrown.
# Scripts arrive in any order, so the same page does now one and now the other.
# Why it matters: an error boundary, or a listener for errors, is told of one half only. Words that the server sends and
# the first effect removes are shown in the other. A test that blocks a script must say in which order it fails.
#
# Needs Node.js 20.9 or later, npm, and Debian's chromium.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund next@16.4.6 react@19.3.1 react-dom@19.3.1 playwright-core@1.64.1 >&2

mkdir app
cat >app/layout.js <<'JS'
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
JS
cat >app/page.js <<'JS'
"use client";
import { useState } from "react";

export default function Page() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>{`of this page ${count}`}</button>;
}
JS
cat >app/error.js <<'JS'
"use client";

export default function Failure() {
  return <p>the error boundary</p>;
}
JS
NEXT_TELEMETRY_DISABLED=1 npx next build >&2
NEXT_TELEMETRY_DISABLED=1 node node_modules/next/dist/bin/next start -H 127.0.0.1 -p 34871 >&2 &
server=$!

cat >look.mjs <<'JS'
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

const origin = "http://127.0.0.1:34871";
let html;
for (let attempts = 0; !html && attempts < 100; attempts++) {
  await sleep(100);
  html = await fetch(origin).then((response) => response.text(), () => undefined);
}
const scripts = [...html.matchAll(/<script\b[^>]*?\bsrc="([^"]+\.js)[^"]*"/g)].map(([, source]) => source);
const loader = scripts.find((source) => source.includes("turbopack"));
const texts = await Promise.all(scripts.map(async (source) => (await fetch(origin + source)).text()));
const missing = scripts[texts.findIndex((text) => text.includes("of this page"))];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const order of ["first", "last"]) {
  const page = await browser.newPage();
  let [asked, thrown] = [0, 0];
  page.on("pageerror", () => thrown++);
  const failed = page.waitForEvent("requestfailed");
  await page.route(`**${loader}*`, async (route) => {
    if (order === "first") await failed;
    await route.continue();
  });
  await page.route(`**${missing}*`, async (route) => {
    if (++asked === 1 && order === "last") await sleep(2_000);
    await route.abort();
  });
  await page.goto(origin);
  await sleep(3_000);
  const button = page.getByRole("button");
  const shown = await page.locator("body").innerText();
  if (await button.count()) await button.click();
  const after = await page.locator("body").innerText();
  console.log(`fails ${order}: asked for ${asked} times, shows "${shown}", after a click "${after}", ${thrown} thrown`);
}
await browser.close();
JS
node look.mjs | tee seen
grep -qx 'fails first: asked for 1 times, shows "of this page 0", after a click "of this page 0", 0 thrown' seen
grep -q '^fails last: asked for 2 times, shows "the error boundary"' seen
