#!/usr/bin/env bash
# Builds bash 5.3 from the source package of Debian's unstable release, as one more shell for the oracle: bash53.sh OUTDIR.
# Needs apt-get, gcc and make, and the network; two minutes. The lists and the cache of the system are left alone.
set -euo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
mkdir -p lists/partial cache/archives/partial
key=/usr/share/keyrings/debian-archive-keyring.gpg
printf 'deb-src [signed-by=%s] http://deb.debian.org/debian sid main\n' "$key" >sources.list
apt=(apt-get -o "Dir::Etc::SourceList=$tmp/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$tmp/lists"
  -o "Dir::Cache=$tmp/cache" -o Acquire::Languages=none -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
"${apt[@]}" update >apt.log 2>&1 || { tail -n 5 apt.log; exit 1; }
"${apt[@]}" source --download-only --only-source bash >>apt.log 2>&1 || { tail -n 5 apt.log; exit 1; }
tar -xJf bash_5.3*.orig.tar.xz # another version is not what is asked for
cd bash-5.3*/
CFLAGS='-O2 -w' ./configure --without-bash-malloc --disable-nls --disable-readline >configure.log 2>&1
make >make.log 2>&1 || { tail -n 5 make.log; exit 1; }
cp bash "$out/bash-5.3"
"$out/bash-5.3" --version | head -n 1
