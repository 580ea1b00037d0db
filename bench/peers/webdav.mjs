// webdav-server serving the files of a folder to everybody. Prints its address when it listens. Argument: the folder.
import { v2 as webdav } from "webdav-server";

const server = new webdav.WebDAVServer({ port: 0, hostname: "127.0.0.1" });
await new Promise((mounted) => server.setFileSystem("/", new webdav.PhysicalFileSystem(process.argv[2]), mounted));
const http = await new Promise((listening) => server.start(0, listening));
console.log(`http://127.0.0.1:${http.address().port}`);
