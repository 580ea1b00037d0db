declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    domNode: HTMLElement;
    url: string;
    deepLinking: boolean;
    docExpansion: "list";
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    validatorUrl: null;
    onComplete: () => void;
  }
  export default function SwaggerUI(options: Options): void;
}
