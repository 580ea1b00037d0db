import type { Route } from "@/lib/http/endpoint";
import * as getUser from "./get_user/route";
import * as health from "./health/route";
import * as addHolder from "./keys/admin_add/[id]/route";
import * as checkKey from "./keys/check/[username]/route";
import * as createKey from "./keys/create/route";
import * as deleteKey from "./keys/delete/[id]/route";
import * as getKey from "./keys/get/[id]/route";
import * as listKeys from "./keys/mine/route";
import * as revokeHolder from "./keys/revoke/[id]/route";
import * as updateKey from "./keys/update/[id]/route";
import * as askForCode from "./link/code/route";
import * as collectToken from "./link/user/route";
import * as me from "./me/route";
import * as metrics from "./metrics/route";
import * as readFiles from "./read-files/route";
import * as ready from "./ready/route";
import * as meOfVersion2 from "./v2/me/route";

/** The API's routes by their patterns, all but the one that describes them. A test compares it with the files beside. */
export const routes: Record<string, Route> = {
  "/keys/create": createKey,
  "/keys/get/{id}": getKey,
  "/keys/mine": listKeys,
  "/keys/check/{username}": checkKey,
  "/keys/revoke/{id}": revokeHolder,
  "/keys/delete/{id}": deleteKey,
  "/keys/update/{id}": updateKey,
  "/keys/admin_add/{id}": addHolder,
  "/read-files": readFiles,
  "/link/code": askForCode,
  "/link/user": collectToken,
  "/me": me,
  "/get_user": getUser,
  "/v2/me": meOfVersion2,
  "/health": health,
  "/ready": ready,
  "/metrics": metrics,
};
