#!/usr/bin/env bash
# A private Neo4j server (community edition) for the tests, on a free port of the loopback interface, from the jars that
# Neo4j publishes: Java 17 and Maven are all that it needs. The jars are kept in .services/neo4j, 128 MB.
#   scripts/neo4j.sh start   starts it unless it runs, and prints its URL with user and password
#   scripts/neo4j.sh url     prints that URL of a server that runs
#   scripts/neo4j.sh stop    stops it and removes its data
#   scripts/neo4j.sh kill    ends it at once, its data stays: what the next start has is what a crash leaves
# Each checkout has a server of its own; NEO4J_TEST_HOME puts one more elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

jars="$PWD/.services/neo4j/lib"
home="${NEO4J_TEST_HOME:-$(dirname "$(mktemp -u)")/faithflow-neo4j-$(pwd | cksum | cut -d' ' -f1)}"
secret="scripted-secret"

runs() {
    [ -s "$home/pid" ] && kill -0 "$(cat "$home/pid")" 2>/dev/null &&
        tr '\0' ' ' <"/proc/$(cat "$home/pid")/cmdline" | grep -qF -- "--home-dir=$home"
}

answers() {
    python3 - "$1" <<'PYTHON'
import socket, sys

try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=1).close()
except OSError:
    sys.exit(1)
PYTHON
}

fetch() {
    [ -e "$jars/.complete" ] && return
    for program in java mvn; do
        command -v "$program" >/dev/null ||
            { echo "$program is not installed: apt-get install openjdk-17-jre-headless maven" >&2; exit 1; }
    done
    echo "Fetching Neo4j's jars …" >&2
    mvn -B -q -f scripts/neo4j/pom.xml dependency:copy-dependencies -DincludeScope=runtime \
        -DoutputDirectory="$jars" >&2
    touch "$jars/.complete"
}

configure() {
    rm -rf "$home"
    mkdir -m 700 -p "$home/conf"
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    cat >"$home/conf/neo4j.conf" <<CONF
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:$port
server.bolt.advertised_address=127.0.0.1:$port
server.http.enabled=false
server.https.enabled=false
server.memory.heap.initial_size=512m
server.memory.heap.max_size=512m
server.memory.pagecache.size=128m
dbms.usage_report.enabled=false
CONF
    echo "$port" >"$home/port"
    NEO4J_HOME="$home" NEO4J_CONF="$home/conf" java -cp "$jars/*" org.neo4j.cli.AdminTool \
        dbms set-initial-password "$secret" >"$home/admin.log" 2>&1 || { cat "$home/admin.log" >&2; exit 1; }
}

start() {
    local port
    if ! runs; then
        fetch
        # data of a server that was killed is used again
        [ -s "$home/port" ] || configure
        port="$(cat "$home/port")"
        NEO4J_HOME="$home" NEO4J_CONF="$home/conf" nohup java -Xms512m -Xmx512m -cp "$jars/*" \
            org.neo4j.server.CommunityEntryPoint --home-dir="$home" --config-dir="$home/conf" \
            >"$home/out.log" 2>&1 </dev/null &
        echo "$!" >"$home/pid"
        # the port opens once the server is ready: after 8 s on two free cores, after minutes on busy ones
        for _ in $(seq 800); do
            answers "$port" && break
            runs || { cat "$home/out.log" "$home"/logs/neo4j.log >&2; exit 1; }
            sleep 0.5
        done
        answers "$port" || { echo "Neo4j did not answer within seven minutes" >&2; cat "$home"/logs/neo4j.log >&2; exit 1; }
    fi
    url
}

url() {
    runs || { echo "no Neo4j runs here: scripts/neo4j.sh start" >&2; exit 1; }
    echo "bolt://neo4j:$secret@127.0.0.1:$(cat "$home/port")"
}

end() {
    runs || return 0
    kill "$1" "$(cat "$home/pid")"
    for _ in $(seq 120); do
        runs || return 0
        sleep 0.25
    done
    kill -KILL "$(cat "$home/pid")"
}

case "${1:-}" in
    start) start ;;
    url) url ;;
    stop) end -TERM; rm -rf "$home" ;;
    kill) end -KILL ;;
    *) echo "usage: scripts/neo4j.sh start|url|stop|kill" >&2; exit 2 ;;
esac
