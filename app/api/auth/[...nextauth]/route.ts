import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { connectIntent } from "@/lib/auth/connect";
import { authOptions } from "@/lib/auth/options";
import { originOf } from "@/lib/origin";

function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  return NextAuth(request, context, authOptions(originOf(request).startsWith("https:"), connectIntent));
}

export { handler as GET, handler as POST };
