import { userRoute } from "../me/user";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = userRoute(
  "/get_user",
  "The same as /me, for programs that know it by this name.",
);
