# syntax=docker/dockerfile:1

# The binary is statically linked, so the final image contains nothing else: no shell, no libraries.
FROM rust:1.95.0-bookworm AS build
WORKDIR /build
COPY . .
# The toolchain of this image, not the one that rust-toolchain.toml asks rustup for.
ENV RUSTUP_TOOLCHAIN=1.95.0
# The commit that GET /version returns: docker build --build-arg OVERFOLD_COMMIT="$(git rev-parse HEAD)"
ARG OVERFOLD_COMMIT=""
ENV OVERFOLD_COMMIT="${OVERFOLD_COMMIT}"
# The same script builds releases.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    release/binary "$(rustc -vV | sed -n 's/^host: //p')" /overfold

FROM scratch
LABEL org.opencontainers.image.title="overfold" \
      org.opencontainers.image.description="Merges override files of the Terraform family over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /overfold /overfold
# Nothing is written to disk: run the container with a read-only root file system.
USER 65532:65532
# A container is reachable from outside, so it must be told who may call: OVERFOLD_TOKEN_FILE (mount the file), or
# OVERFOLD_ALLOW_ANONYMOUS=true if the network lets no one else in. With neither, it does not start.
ENV OVERFOLD_LISTEN=0.0.0.0:8080 \
    OVERFOLD_LOG_FORMAT=json
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/overfold", "healthcheck"]
ENTRYPOINT ["/overfold"]
CMD ["serve"]
