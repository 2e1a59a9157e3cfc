#!/usr/bin/env bash
# The browser that the tests drive: Debian's Chromium with Japanese fonts, installed if it is not there.
set -euo pipefail
command -v chromium > /dev/null && fc-list 2> /dev/null | grep -qi "noto.*cjk" && exit 0
if ! command -v apt-get > /dev/null; then
    echo "The browser tests need Chromium and Noto CJK fonts; please install them." >&2
    exit 1
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "Installing Chromium for the browser tests ..."
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq chromium fonts-noto-cjk fontconfig > /dev/null
