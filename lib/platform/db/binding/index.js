// No binding to SQLite serves every version of Node.js. 13 needs Node-API 10, which Node.js has since 22.14; 12 uses V8
// directly, and from 24.19 on it ends the process when a statement is collected. npm installs one of the two, by its
// `engines`. Our package has the name better-sqlite3, so that Prisma's adapter, Next and tests import it as before.
module.exports = Number(process.versions.napi) >= 10 ? require("better-sqlite3-13") : require("better-sqlite3-12");
