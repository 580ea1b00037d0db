import { userRoute } from "./user";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = userRoute(
  "/me",
  "Returns the token's user, and how much they have stored.",
);
