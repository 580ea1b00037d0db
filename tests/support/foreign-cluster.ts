// Run by a test: starts the service as a worker of a cluster that is not its own, as pm2 does.
import cluster from "node:cluster";

cluster.setupPrimary({ exec: "server.ts", args: [], execArgv: ["--import", "tsx"] });
cluster.fork().on("exit", (code) => process.exit(code ?? 9));
