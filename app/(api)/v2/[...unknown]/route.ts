import { notFound } from "@/lib/http/not-found";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = notFound;
