"use client";

export { Failure as default } from "./failure";
