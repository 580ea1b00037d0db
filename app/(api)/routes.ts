// Written by `npm run codegen` from the files beside. Do not edit.
import type { Route } from "@/lib/api/declaration";
import type { FormRoute } from "@/lib/api/form-endpoint";
import * as wellKnownJwksJson from "./.well-known/jwks.json/route";
import * as wellKnownOauthAuthorizationServer from "./.well-known/oauth-authorization-server/route";
import * as wellKnownSecurityTxt from "./.well-known/security.txt/route";
import * as generateValidator from "./generate_validator/route";
import * as health from "./health/route";
import * as keysAdminAddId from "./keys/admin_add/[id]/route";
import * as keysAdminRemoveId from "./keys/admin_remove/[id]/route";
import * as keysCancelId from "./keys/cancel/[id]/route";
import * as keysCheckUsername from "./keys/check/[username]/route";
import * as keysCreate from "./keys/create/route";
import * as keysDeleteId from "./keys/delete/[id]/route";
import * as keysGetId from "./keys/get/[id]/route";
import * as keysMine from "./keys/mine/route";
import * as keysNameId from "./keys/name/[id]/route";
import * as keysRevokeId from "./keys/revoke/[id]/route";
import * as keysUpdateId from "./keys/update/[id]/route";
import * as linkCode from "./link/code/route";
import * as linkStatus from "./link/status/route";
import * as linkUser from "./link/user/route";
import * as live from "./live/route";
import * as me from "./me/route";
import * as metrics from "./metrics/route";
import * as oauthDevice from "./oauth/device/route";
import * as oauthRevoke from "./oauth/revoke/route";
import * as oauthToken from "./oauth/token/route";
import * as readFiles from "./read-files/route";
import * as ready from "./ready/route";
import * as validate from "./validate/route";

/** The API's routes by their patterns, all but the one that describes them. */
export const routes: Record<string, Route> = {
  "/.well-known/jwks.json": wellKnownJwksJson,
  "/.well-known/oauth-authorization-server": wellKnownOauthAuthorizationServer,
  "/.well-known/security.txt": wellKnownSecurityTxt,
  "/generate_validator": generateValidator,
  "/health": health,
  "/keys/admin_add/{id}": keysAdminAddId,
  "/keys/admin_remove/{id}": keysAdminRemoveId,
  "/keys/cancel/{id}": keysCancelId,
  "/keys/check/{username}": keysCheckUsername,
  "/keys/create": keysCreate,
  "/keys/delete/{id}": keysDeleteId,
  "/keys/get/{id}": keysGetId,
  "/keys/mine": keysMine,
  "/keys/name/{id}": keysNameId,
  "/keys/revoke/{id}": keysRevokeId,
  "/keys/update/{id}": keysUpdateId,
  "/link/code": linkCode,
  "/link/status": linkStatus,
  "/link/user": linkUser,
  "/live": live,
  "/me": me,
  "/metrics": metrics,
  "/read-files": readFiles,
  "/ready": ready,
  "/validate": validate,
};

/** Those of OAuth, which take forms. */
export const forms: Record<string, FormRoute> = {
  "/oauth/device": oauthDevice,
  "/oauth/revoke": oauthRevoke,
  "/oauth/token": oauthToken,
};
