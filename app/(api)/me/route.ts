import { userRoute } from "./user";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = userRoute(
  "/me",
  "Says whom the token belongs to, and how much that user has.",
);
