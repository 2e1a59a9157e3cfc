#!/usr/bin/env bash
# The load balancer of the soak with several servers: Debian's HAProxy, installed if it is not there.
set -euo pipefail
command -v haproxy > /dev/null && exit 0
if ! command -v apt-get > /dev/null; then
    echo "The soak with several servers needs HAProxy; please install it." >&2
    exit 1
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "Installing HAProxy for the soak with several servers ..." >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq haproxy > /dev/null
