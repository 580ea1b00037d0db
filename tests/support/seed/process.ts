// Run in its own process, with the environment of an empty database. Arguments: how many users, keys and events.
import { checkSecrets } from "@/lib/operator/secrets";
import { closeDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { openSeed, seedAll } from "./seed";

const [users = 0, keys = 0, events = 0] = process.argv.slice(2).map(Number);
await migrate();
await checkSecrets("command");
const seed = openSeed();
await seedAll(seed, { users, keys, events }).finally(seed.close);
await closeDatabase();
