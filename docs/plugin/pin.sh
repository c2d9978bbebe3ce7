#!/bin/sh
# Names a release for the plugin to fetch: sh docs/plugin/pin.sh VERSION CHECKSUMS, where CHECKSUMS is the checksums.txt of
# the release. Writes hooks/release.txt and the version in plugin.json; both are committed once the release can be downloaded.
set -eu
[ $# = 2 ] || { printf 'usage: sh docs/plugin/pin.sh VERSION CHECKSUMS\n' >&2 && exit 3; }
version=${1#v} sums=$2
cd "$(dirname "$0")"
case $sums in
/*) ;;
*) sums=$OLDPWD/$sums ;;
esac
case $version in
[0-9]*.[0-9]*.[0-9]*) ;;
*) printf 'pin.sh: %s is no version such as 1.2.3\n' "$version" >&2 && exit 3 ;;
esac

trap 'rm -f hooks/release.new' 0
{
	printf 'version %s\n' "$version"
	printf 'url https://github.com/permgate--owner/permgate/releases/download/v%s/\n' "$version"
	for system in linux_amd64 linux_arm64 darwin_amd64 darwin_arm64; do
		found=
		while read -r sum file; do
			file=${file#\*}
			case ${#sum}$file in
			64permgate_"${version}_$system".tar.gz) found="$sum $file" ;;
			esac
		done <"$sums"
		[ -n "$found" ] || { printf 'pin.sh: %s has no sha256 of an archive for %s\n' "$2" "$system" >&2 && exit 3; }
		printf '%s/%s %s\n' "${system%_*}" "${system#*_}" "$found"
	done
} >hooks/release.new || exit 3
sed "s/\"version\": \"[^\"]*\"/\"version\": \"$version\"/" .claude-plugin/plugin.json >.claude-plugin/plugin.new
mv hooks/release.new hooks/release.txt
mv .claude-plugin/plugin.new .claude-plugin/plugin.json
