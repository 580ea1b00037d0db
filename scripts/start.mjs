// npm start: builds where the sources changed, then runs the service in this very process.
import "./dotenv.mjs";
import { pathToFileURL } from "node:url";
import { upToDateBuild } from "./builds.mjs";

process.env.NODE_ENV = "production";
try {
  process.env.BUILD_DIR = await upToDateBuild();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import(pathToFileURL(`${process.env.BUILD_DIR}/server.mjs`).href);
