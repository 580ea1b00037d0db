# For another image with Node.js, such as a mirror's: docker build --build-arg NODE_IMAGE=...
ARG NODE_IMAGE=node:22.23.2-bookworm-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5
FROM ${NODE_IMAGE} AS build
WORKDIR /app
# What `npm ci` and the clients that it generates need, so that this layer is kept while only the sources change.
COPY .npmrc package.json package-lock.json prisma.config.ts ./
COPY lib/platform/db/binding lib/platform/db/binding
COPY scripts/generate.mjs scripts/table-columns.mjs scripts/
COPY prisma prisma
RUN npm ci --ignore-scripts --no-audit --no-fund && node scripts/generate.mjs
COPY . .
RUN npm run build && node scripts/package.mjs /runtime

FROM ${NODE_IMAGE}
ENV NODE_ENV=production DATA_DIR=/data NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
# The service, and the admin command: docker exec <container> ./latchkey <command>
COPY --from=build /runtime ./
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=20s --interval=15s --timeout=5s \
  CMD ["node", "latchkey", "health"]
CMD ["node", "latchkey", "start"]
