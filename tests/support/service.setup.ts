import { afterAll, inject } from "vitest";

// makeUser() writes into the database of the service that is being tested. Set before anything of lib/ is imported.
const { storage } = inject("service");
delete process.env.DATABASE_URL;
Object.assign(process.env, storage, { LOG_LEVEL: "silent" });

afterAll(async () => {
  const { closeDatabase } = await import("@/lib/db/client");
  await closeDatabase();
});
