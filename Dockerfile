# One image for every service. Which one a container runs is its command: node services/<name>/main.ts, or for several
# node packages/service/src/host/main.ts services <name> …
# Node runs the sources as they are; what it makes of them is kept in the image, so that no container has to make it again.

# What npm needs to know, apart from the sources, so that changed sources do not repeat the installation.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN find packages -mindepth 2 ! -name package.json -delete

# Optional packages are Node and PostgreSQL for `npm start`; an image has the one and wants not the other.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional --no-update-notifier && rm -rf /root/.npm

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Cadastre" org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY proto proto
COPY packages packages
COPY tools/deploy tools/deploy
# What moves an installation here, and proves that it is: node tools/moving/import/main.ts, node tools/moving/compare/main.ts
COPY tools/moving tools/moving
COPY tools/local/processes tools/local/processes
COPY tools/local/supervisor/data/run-file.ts tools/local/supervisor/data/
# What administrators do, where nobody can log in, too: node tools/admin/main.ts
COPY tools/admin tools/admin
COPY tools/command tools/command
COPY tools/local/embedded-postgres/cluster.ts tools/local/embedded-postgres/
COPY services services
ENV NODE_ENV=production NODE_OPTIONS="--max-semi-space-size=8 --max-old-space-size=1024" PORT=8000 GRPC_PORT=50051 NODE_COMPILE_CACHE=/app/.compile-cache
# A volume that is mounted here belongs to whoever the folder belongs to.
RUN mkdir -p /var/lib/cadastre/media && chown -R 1000:1000 /var/lib/cadastre
# The user `node`, by number so that Kubernetes can see that it is not root. It may write nothing here.
# Node keeps what it compiled apart by user, so this one compiles.
RUN install -d -o 1000 -g 1000 .compile-cache
USER 1000:1000
RUN node packages/service/src/models/warm.ts services
USER 0
RUN chown -R 0:0 .compile-cache
USER 1000:1000
EXPOSE 8000 50051 9464
# The start period ends with the first good answer. It is long because a dozen containers that start together on a small machine wait for each
# other; a service that cannot start ends by itself and does not need it.
HEALTHCHECK --interval=5s --timeout=10s --start-period=300s --retries=3 CMD ["tools/deploy/healthy.sh"]
CMD ["node", "services/gateway/main.ts"]
