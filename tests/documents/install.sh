#!/usr/bin/env bash
# The proxies that judge their settings in the documents: Debian's nginx and Caddy, unpacked into .venv/proxies. They are not
# installed, since that would start them. Where they cannot be had, the tests that need them are left out and say so.
set -euo pipefail
place=$PWD/.venv/proxies
wanted=()
for program in nginx caddy; do
    PATH=$PATH:/usr/sbin:$place/usr/bin:$place/usr/sbin command -v $program > /dev/null || wanted+=("$program")
done
[ ${#wanted[@]} = 0 ] && exit 0
if command -v apt-get > /dev/null; then
    echo "Fetching ${wanted[*]} for the tests of the settings of proxies ..."
    mkdir -p "$place"
    cd "$place"
    if apt-get download -qq "${wanted[@]}" 2> /dev/null; then
        for package in *.deb; do dpkg -x "$package" .; done
        rm -f ./*.deb
        exit 0
    fi
fi
echo "The settings of ${wanted[*]} are not tested: they are not installed, and cannot be fetched."
