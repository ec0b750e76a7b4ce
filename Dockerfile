# syntax=docker/dockerfile:1.20
# One image for the gateway and every service; the compose file says which of them a container runs.
FROM node:24-slim AS dependencies
WORKDIR /paddock
COPY --parents package.json package-lock.json .npmrc gateway/package.json libs/*/package.json services/*/package.json ./
RUN npm ci --omit=dev

FROM node:24-slim
# docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) --build-arg BUILD_TIME=$(date -u +%FT%TZ) .
# There is no checkout in the image, so only these say what is in it.
ARG BUILD_COMMIT
ARG BUILD_TIME
ENV NODE_ENV=production BUILD_COMMIT=$BUILD_COMMIT BUILD_TIME=$BUILD_TIME
WORKDIR /paddock
COPY --from=dependencies /paddock ./
COPY --parents gateway/src libs/*/src services/*/src services/*/context.ts ./
COPY --parents scripts/migrate.ts scripts/migrate ./
COPY openapi.yaml ./
COPY postman postman
USER node
# Node itself, not npm: it must be the process that gets the SIGTERM.
CMD ["node", "--no-parallel-scavenge", "--min-semi-space-size=8", "--max-semi-space-size=8", "gateway/src/main.ts"]
