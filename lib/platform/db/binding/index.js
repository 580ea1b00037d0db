// npm installs one of the two, by its `engines` (docs/decisions/sqlite-binding.md). 13 needs Node-API 10, which
// Node.js has since 22.14.
module.exports = Number(process.versions.napi) >= 10 ? require("better-sqlite3-13") : require("better-sqlite3-12");
