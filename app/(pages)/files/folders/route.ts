import { z } from "zod";
import { openFolder } from "@/lib/files/create";
import { read } from "../../action";
import { fromOurPage } from "../request";

const parameters = z.object({ folder: z.string(), name: z.string() });

/** The folder with this name for uploaded files, created if missing. */
export const POST = fromOurPage(async ({ user, query }) => {
  const { folder, name } = read(parameters, Object.fromEntries(query));
  return openFolder(user, folder, { name });
});
