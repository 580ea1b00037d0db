"use client";

import { createContext, type ReactNode, useContext, useState } from "react";

interface OwnToken {
  isSignedIn: boolean;
  token: string;
  setToken: (token: string) => void;
}

const Context = createContext<OwnToken>({ isSignedIn: false, token: "", setToken: () => {} });

/** One token for all requests of a page. It is forgotten when the page is left. */
export function OwnTokenProvider({ isSignedIn, children }: { isSignedIn: boolean; children: ReactNode }) {
  const [token, setToken] = useState("");
  return <Context value={{ isSignedIn, token, setToken }}>{children}</Context>;
}

export const useOwnToken = () => useContext(Context);
