import { inject } from "vitest";
import { enterNetwork } from "./http";

// makeUser() writes to the database of the service under test. Set before importing anything from lib/.
delete process.env.DATABASE_URL;
Object.assign(process.env, inject("service").storage, { LOG_LEVEL: "silent" });
enterNetwork();
