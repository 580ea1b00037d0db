declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  import type React from "react";
  import type { ComponentType, ReactNode } from "react";

  /** What a component of a plugin gets. */
  interface System {
    getComponent: (name: string, isContainer: boolean) => ComponentType;
    specSelectors: { loadingStatus: () => string; specStr: () => string };
  }
  export type Plugin = (system: { React: typeof React }) => { components: Record<string, (system: System) => ReactNode> };
  interface Options {
    domNode: HTMLElement;
    url: string;
    deepLinking: boolean;
    docExpansion: "list";
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    validatorUrl: null;
    syntaxHighlight?: { activated: boolean };
    plugins: Plugin[];
    layout: string;
  }
  export default function SwaggerUI(options: Options): void;
}
