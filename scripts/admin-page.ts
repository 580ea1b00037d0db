// npm run admin:page updates docs/admin.md

import { writeFileSync } from "node:fs";
import { ADMIN_PAGE, adminPage } from "./admin/page";

writeFileSync(ADMIN_PAGE, adminPage());
