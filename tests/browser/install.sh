#!/usr/bin/env bash
# The browser that the tests drive: Debian's Chromium, its headless shell and Japanese fonts, installed if they are not there.
# Where there is no apt, any Chrome, Chromium or Edge does; without one, the browser tests are left out and the rest runs.
set -euo pipefail
command -v chromium > /dev/null && command -v chromium-headless-shell > /dev/null && fc-list 2> /dev/null | grep -i "noto.*cjk" > /dev/null && exit 0
if ! command -v apt-get > /dev/null; then
    "${PYTHON:-.venv/bin/python}" -m tests.browser.found || true
    exit 0
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "Installing Chromium for the browser tests ..."
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq chromium fonts-noto-cjk fontconfig > /dev/null
"${as_root[@]}" apt-get install -y -qq chromium-headless-shell > /dev/null || true  # faster; the tests do without it
