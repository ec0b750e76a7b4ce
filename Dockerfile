# One image for the gateway and every service; the compose file says which of them a container runs.
FROM node:24-slim AS dependencies
WORKDIR /paddock
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY libs/calendar/package.json libs/calendar/
COPY libs/contract/package.json libs/contract/
COPY libs/database/package.json libs/database/
COPY libs/demo/package.json libs/demo/
COPY libs/discovery/package.json libs/discovery/
COPY libs/identity/package.json libs/identity/
COPY libs/peers/package.json libs/peers/
COPY libs/resilience/package.json libs/resilience/
COPY libs/service/package.json libs/service/
COPY libs/telemetry/package.json libs/telemetry/
COPY libs/testing/package.json libs/testing/
COPY libs/text/package.json libs/text/
COPY services/auth/package.json services/auth/
COPY services/events/package.json services/events/
COPY services/horses/package.json services/horses/
COPY services/masterdata/package.json services/masterdata/
COPY services/members/package.json services/members/
COPY services/ping/package.json services/ping/
RUN npm ci --omit=dev

FROM node:24-slim
# docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) --build-arg BUILD_TIME=$(date -u +%FT%TZ) .
# There is no checkout in the image, so only these say what is in it.
ARG BUILD_COMMIT
ARG BUILD_TIME
ENV NODE_ENV=production BUILD_COMMIT=$BUILD_COMMIT BUILD_TIME=$BUILD_TIME
WORKDIR /paddock
COPY --from=dependencies /paddock ./
COPY gateway/src gateway/src
COPY libs/calendar/src libs/calendar/src
COPY libs/contract/src libs/contract/src
COPY libs/database/src libs/database/src
COPY libs/demo/src libs/demo/src
COPY libs/discovery/src libs/discovery/src
COPY libs/identity/src libs/identity/src
COPY libs/peers/src libs/peers/src
COPY libs/resilience/src libs/resilience/src
COPY libs/service/src libs/service/src
COPY libs/telemetry/src libs/telemetry/src
COPY libs/text/src libs/text/src
COPY services services
COPY openapi.yaml ./
COPY postman postman
USER node
# Node itself, not npm: it must be the process that gets the SIGTERM.
CMD ["node", "--no-parallel-scavenge", "--min-semi-space-size=8", "--max-semi-space-size=8", "gateway/src/main.ts"]
