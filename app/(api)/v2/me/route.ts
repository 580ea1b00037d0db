import { userRoute } from "../../me/user";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = userRoute(
  "/v2/me",
  "The same as /me, for programs that know it by this name.",
);
