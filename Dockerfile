FROM node:22.23.2-bookworm-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5 AS build
WORKDIR /app
# What `npm ci` and the clients that it generates need, so that this layer is kept while only the sources change.
COPY package.json package-lock.json prisma.config.ts ./
COPY scripts/generate.mjs scripts/
COPY prisma prisma
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# What only building and testing need.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf .builds/*/cache .builds/*/types node_modules/@next/swc-* node_modules/typescript node_modules/@types node_modules/@tabler

FROM node:22.23.2-bookworm-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5
ENV NODE_ENV=production DATA_DIR=/data NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY --from=build /app/package.json /app/next.config.mjs /app/tsconfig.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma prisma
# For the admin command: docker exec <container> npm run --silent admin -- <command>
COPY --from=build /app/lib lib
COPY --from=build /app/scripts scripts
COPY --from=build /app/.builds .builds
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=20s --interval=15s --timeout=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "-c", "BUILD_DIR=.builds/$(cat .builds/current) && export BUILD_DIR && exec node $BUILD_DIR/server.mjs"]
