const SENTENCES: Record<string, string> = {
  invalid: "The username or the password is wrong.",
  rate_limited: "Too many wrong passwords. Wait a few minutes, or use a browser that has signed in to this account before.",
  busy: "Too many people are signing in right now. Try again in a few seconds.",
  disabled: "This account is disabled. Whoever runs this service can enable it.",
  unavailable: "The service cannot answer right now. Try again in a moment.",
  AccessDenied: "The provider did not let you in.",
};

/** The sentence for what NextAuth says went wrong: a code of lib/auth/options, or one of its own about a provider. */
export function signInSentence(code: string): string {
  return SENTENCES[code] ?? "Signing in did not work. Try again in a moment.";
}
