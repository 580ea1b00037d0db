import type { Plugin } from "swagger-ui-dist/swagger-ui-es-bundle.js";

/** A layout of the requests and the way to authorize them. Swagger UI's own has a heading and a main part, which the page has already. */
export const requestsOnly: Plugin = ({ React: { createElement } }) => ({
  components: {
    RequestsOnly({ getComponent, specSelectors }) {
      const part = (name: string) => createElement(getComponent(name, true));
      const isFailed = specSelectors.loadingStatus() === "failed";
      const isThere = specSelectors.specStr() !== "" && specSelectors.loadingStatus() === "success";
      const requests = [
        createElement("div", { className: "scheme-container", key: "authorize" }, part("AuthorizeBtnContainer")),
        createElement("div", { key: "operations" }, part("operations")),
      ];
      return createElement("div", { className: "swagger-ui" }, part("SvgAssets"), isFailed && part("errors"), isThere && requests);
    },
  },
});
