# One image for the gateway and every service; the compose file says which of them a container runs.
FROM node:24-slim AS sources
WORKDIR /paddock
COPY package.json package-lock.json .npmrc ./
COPY contracts contracts
COPY postman postman
COPY docs/operations.md docs/
COPY scripts/health-check.ts scripts/tls-options.ts scripts/migrate.ts scripts/
COPY scripts/migrate scripts/migrate
COPY libs libs
COPY gateway gateway
COPY services services
# The pages of accounts are made of them when they are first requested.
COPY clients/console/package.json clients/console/
COPY clients/console/src clients/console/src
COPY clients/typescript/package.json clients/typescript/
COPY clients/typescript/src clients/typescript/src

FROM sources AS manifests
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM node:24-slim AS dependencies
WORKDIR /paddock
# Only the manifests, so that a change of sources leaves the installed packages in the build cache.
COPY --from=manifests /paddock .
# Source maps and declarations are 40 % of the packages' size; nothing reads them at run time, nor the other
# builds of the explorer and of Preact.
RUN npm ci --omit=dev && find . -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o \
	-name 'swagger-ui-es-bundle*.js' -o -name 'swagger-ui-standalone-preset.js' -o -path '*/preact/src/*' -o -path '*/preact/compat/*' \
	')' -delete

FROM node:24-slim
# docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) --build-arg BUILD_TIME=$(date -u +%FT%TZ) .
# The image has no checkout, so only these name its version.
ARG BUILD_COMMIT
ARG BUILD_TIME
ENV NODE_ENV=production BUILD_COMMIT=$BUILD_COMMIT BUILD_TIME=$BUILD_TIME
WORKDIR /paddock
COPY --from=dependencies /paddock .
COPY --from=sources /paddock .
USER node
# Node itself, not npm: it must be the process that gets the SIGTERM.
CMD ["node", "--no-parallel-scavenge", "--no-allocation-site-pretenuring", "--min-semi-space-size=32", "--max-semi-space-size=32", "--v8-pool-size=1", "gateway/src/main.ts"]
