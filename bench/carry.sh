#!/usr/bin/env bash
# Packs into carry/ what a GPU machine without a network needs to run bench/gpu_run.py: wheels for its Python, unpacked and squeezed.
#
# There:  tar xJf carry/site.tar.xz -C "$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
#         python3 bench/gpu_run.py FOLDER
# Here:   python bench/gpu_results.py FOLDER
# It has to be a site folder: numba-cuda takes the place of numba's own CUDA target by a .pth file, which PYTHONPATH does not read.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${CARRY_PYTHON:-3.12}
limit_mb=55
pip=.venv/bin/pip
# JAX, torch, NumPy, cuda-core and cuda-bindings are on that machine; these are what is missing there.
packages=(numba llvmlite numba-cuda orjson tqdm pgx svgwrite typing_extensions)

platforms=()
for tag in manylinux_2_28 manylinux_2_27 manylinux_2_26 manylinux_2_24 manylinux_2_17 manylinux2014; do
    platforms+=(--platform "${tag}_x86_64")
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p carry "$work/wheels" "$work/site"

# A constraint on a package that is not asked for does no harm, so the versions are those of the main environment.
"$pip" download --quiet --no-deps --only-binary=:all: --python-version "$python" --implementation cp "${platforms[@]}" \
    --constraint constraints.txt --dest "$work/wheels" "${packages[@]}"
for wheel in "$work"/wheels/*.whl; do
    .venv/bin/python -m zipfile -e "$wheel" "$work/site"
done

# Tests and caches are most of the weight and never run there.
find "$work/site" -type d \( -name tests -o -name test -o -name __pycache__ \) -prune -exec rm -rf {} +

XZ_OPT="-6 -T2" tar -cJf carry/site.tar.xz -C "$work/site" .
size=$(du -m carry/site.tar.xz | cut -f1)
ls "$work/wheels"
echo "carry/site.tar.xz: ${size} MB"
if [ "$size" -ge "$limit_mb" ]; then
    echo "carry/site.tar.xz is over ${limit_mb} MB" >&2
    exit 1
fi
