#!/bin/sh
# A form of React whose `action` is a function, in a browser without scripts.
#
# One would guess: `<form action={send}>` renders a form that is posted, and `method="post"` beside it is kept.
# What happens: react-dom 19.3.1 renders a javascript: address that throws, and leaves out the method, whether there was
# one or not. So without scripts this form is one that is sent by GET. Graphical browsers refuse such an address. w3m
# 0.5.3 puts the fields into it and shows it: "Unknown URI: javascript:…?password=…".
# Why it matters: nothing but that address keeps a password out of a query. A form with `method="post"` and `onSubmit`
# has no such address, and is rendered as it was written.
#
# Needs Node.js 20 or later, and npm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 >&2

cat >render.mjs <<'JS'
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

console.error = () => {};
const form = (props) => renderToStaticMarkup(createElement("form", { method: "post", ...props }));
console.log(form({ action: () => {} }).replace(/<script.*<\/script>/s, ""));
console.log(form({ onSubmit: () => {} }));
JS
node render.mjs >forms
cat forms
head -1 forms | grep -q '^<form action="javascript:throw new Error([^>]*)"></form>$'
tail -1 forms | grep -q '^<form method="post"></form>$'
