#!/usr/bin/env bash
# A private PostgreSQL server for the tests, on a free port of the loopback interface.
#   scripts/postgres.sh start   starts it unless it runs, and prints its URL
#   scripts/postgres.sh stop    stops it and removes its data
# As root the server runs as the user postgres, otherwise as you. Each checkout has a server of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

name="faithflow-postgres-$(pwd | cksum | cut -d' ' -f1)"
home="$(dirname "$(mktemp -u)")/$name"
data="$home/data"

as_owner() {
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

programs() {
    local found
    found="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)"
    [ -n "$found" ] || found="$(dirname "$(command -v initdb || true)")"
    if [ ! -x "$found/initdb" ]; then
        echo "PostgreSQL is not installed: apt-get install postgresql" >&2
        exit 1
    fi
    echo "$found"
}

start() {
    local bin port
    bin="$(programs)"
    if [ -s "$home/url" ] && as_owner "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1; then
        cat "$home/url"
        return
    fi
    rm -rf "$home"
    mkdir -m 700 "$home"
    echo "scripted-secret" >"$home/password"
    if [ "$(id -u)" = 0 ]; then chown -R postgres "$home"; fi
    as_owner "$bin/initdb" -D "$data" -U faithflow -A scram-sha-256 --pwfile="$home/password" -E UTF8 --locale=C \
        --no-sync >"$home/initdb.log" 2>&1 || { cat "$home/initdb.log" >&2; exit 1; }
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    # the data is thrown away, so the disk need not keep up
    as_owner "$bin/pg_ctl" -D "$data" -l "$home/data/server.log" -w -t 60 start \
        -o "-h 127.0.0.1 -p $port -k '$home' -c fsync=off -c synchronous_commit=off" >/dev/null ||
        { cat "$home/data/server.log" >&2; exit 1; }
    echo "postgresql://faithflow:$(cat "$home/password")@127.0.0.1:$port/postgres" >"$home/url"
    cat "$home/url"
}

stop() {
    if [ -d "$data" ]; then
        as_owner "$(programs)/pg_ctl" -D "$data" -m immediate -w stop >/dev/null 2>&1 || true
    fi
    rm -rf "$home"
}

case "${1:-}" in
    start) start ;;
    stop) stop ;;
    *) echo "usage: scripts/postgres.sh start|stop" >&2; exit 2 ;;
esac
