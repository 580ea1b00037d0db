import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { ORIGIN } from "@/lib/api/example-values";
import { DEVICE_GRANT } from "@/lib/link/device-flow";
import { ACCESSES } from "@/lib/platform/access";

const none = z.tuple([z.literal("none")]);

const described = z.object({
  issuer: z.url(),
  device_authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: none,
  revocation_endpoint_auth_methods_supported: none,
  service_documentation: z.url(),
});

const metadata = (origin: string): z.infer<typeof described> => ({
  issuer: origin,
  device_authorization_endpoint: `${origin}/oauth/device`,
  token_endpoint: `${origin}/oauth/token`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  jwks_uri: `${origin}/.well-known/jwks.json`,
  scopes_supported: [...ACCESSES],
  grant_types_supported: [DEVICE_GRANT],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  service_documentation: `${origin}/docs`,
});

// RFC 8414. There is no authorization endpoint, and so no response type: the device flow is the only one.
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/.well-known/oauth-authorization-server",
  summary: "Describes the OAuth endpoints, for libraries (RFC 8414).",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: described,
  example: { response: metadata(ORIGIN) },
  respond: async ({ origin }) => metadata(origin),
});
