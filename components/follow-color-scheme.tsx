"use client";

import { useLayoutEffect } from "react";
import { followScheme } from "./color-scheme";

/** Keeps the document in the colour scheme that was chosen, or else in the system's. */
export function FollowColorScheme() {
  useLayoutEffect(followScheme, []);
  return null;
}
