#!/bin/sh
# At the start of a session: where run.sh finds no permgate, fetches the release that release.txt names, checks its
# sha256 and puts it into the data folder in one step. Says what it did as JSON and always ends with 0: a session starts
# without permgate, too, and run.sh blocks its calls. No other event fetches anything.

set -uf
umask 077
unset -f cd printf read [ 2>/dev/null || :
path=${PATH-} data=${CLAUDE_PLUGIN_DATA-} hooks=${0%/*} temp=
# nothing of a project's decides what is fetched, or whether it is what was released
PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin
unset CDPATH

# say TEXT tells the user and the model, and ends. TEXT has no quote, backslash or newline.
say() {
	printf '{"systemMessage":"permgate plugin: %s","hookSpecificOutput":{"hookEventName":"SessionStart",' "$1"
	printf '"additionalContext":"permgate plugin: %s"}}\n' "$1"
	exit 0
}
byhand='until then every call is blocked; to install it by hand: https://github.com/permgate--owner/permgate#install'

# closed FILE reports that nobody but its owner and root can write to FILE, a link counting as what it leads to.
closed() {
	mode=$(ls -ldL -- "$1" 2>/dev/null) || return
	case $mode in
	?????w* | ????????w*) return 1 ;;
	esac
}

# sha FILE prints the sha256 of FILE.
sha() {
	if command -v sha256sum >/dev/null; then
		sha256sum <"$1"
	elif command -v shasum >/dev/null; then
		shasum -a 256 <"$1"
	elif command -v openssl >/dev/null; then
		openssl dgst -sha256 -r <"$1"
	fi
}

# download URL FILE, over https alone, within 45 seconds.
download() {
	if command -v curl >/dev/null; then
		curl -q --fail --silent --show-error --location --proto =https --proto-redir =https --max-time 45 \
			--max-filesize 100000000 --output "$2" "$1"
	elif command -v wget >/dev/null; then
		wget -q -T 15 -t 1 -O "$2" "$1"
	else
		say "no permgate binary found, and neither curl nor wget to fetch it with; $byhand"
	fi
}

# pinned sets version, url, file and sum for this system, from release.txt.
pinned() {
	case $(uname -s) in
	Linux) system=linux ;;
	Darwin) system=darwin ;;
	*) system=none ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) arch=none ;;
	esac
	version=none url='' file='' sum=''
	[ -r "$hooks/release.txt" ] || say "release.txt of the plugin is missing, so nothing was fetched; $byhand"
	while read -r key one two three; do
		case $key in
		version) version=$one ;;
		url) url=$one ;;
		"$system/$arch") sum=$one file=$two${three:+/} ;;
		esac
	done <"$hooks/release.txt"
	case $version in
	none) say "no permgate binary found, and this copy of the plugin names no release to fetch; $byhand" ;;
	*[!0-9A-Za-z.+-]* | '' | .*) say "release.txt of the plugin names no version that can be used; $byhand" ;;
	esac
	[ -n "$sum" ] || say "no permgate binary found, and release $version has none for this system; $byhand"
	case $sum$file in
	*[!0-9A-Za-z._-]*) say "release.txt of the plugin cannot be used; $byhand" ;;
	esac
	case $url in
	https://*) [ "${#sum}" = 64 ] || say "release.txt of the plugin has no sha256 for this system; $byhand" ;;
	*) say "release.txt of the plugin names no https address; $byhand" ;;
	esac
}

# reach DIR adds DIR to the PATH of the commands of this session, for the skills.
reach() {
	case $1${CLAUDE_ENV_FILE:+/} in
	*\'* | *[!/]) ;;
	*) printf "export PATH=\"\$PATH\":'%s'\n" "$1" >>"$CLAUDE_ENV_FILE" ;;
	esac
}

# folder checks the data folder: what lies there answers for the user.
# shellcheck disable=SC3067  # -O is in dash, bash, zsh and busybox
folder() {
	case $data in
	/*) ;;
	*) say "Claude Code names no data folder for the plugin, so nothing was fetched; $byhand" ;;
	esac
	mkdir -p "$data/$version" 2>/dev/null
	for dir in "$data" "$data/$version"; do
		if [ ! -d "$dir" ] || [ -L "$dir" ] || [ ! -O "$dir" ] || ! closed "$dir"; then
			say "the data folder of the plugin is missing, a link, not yours or open to others, so nothing was fetched; if it is yours: chmod -R go-w $data; or $byhand"
		fi
	done
}

fetch() {
	pinned
	folder
	trap '[ -z "$temp" ] || rm -rf "$temp"' 0
	trap 'exit 0' HUP INT TERM
	temp=$(mktemp -d "$data/fetch.XXXXXX") || say "nothing can be written to the data folder of the plugin; $byhand"
	download "$url$file" "$temp/archive" 2>/dev/null ||
		say "release $version could not be fetched; start a new session once the network is back; $byhand"
	got=$(sha "$temp/archive")
	case $got in
	"$sum" | "$sum "*) ;;
	'') say "there is no sha256sum, shasum or openssl to check release $version with, so it was not installed; $byhand" ;;
	*) say "what was fetched is not release $version: its sha256 differs, so it was not installed; $byhand" ;;
	esac
	if ! { tar -xzOf "$temp/archive" permgate >"$temp/permgate" && [ -s "$temp/permgate" ] && chmod 700 "$temp/permgate" &&
		"$temp/permgate" version >/dev/null && mv -f "$temp/permgate" "$data/$version/permgate"; } 2>/dev/null; then
		say "release $version was fetched, but does not run on this system; $byhand"
	fi
	reach "$data/$version"
	say "permgate $version was fetched, its sha256 checked, and decides from now on"
}

binary=$(PATH=$path /bin/sh "$hooks/run.sh" --find 2>/dev/null) || fetch
case $binary in
"$data"/*) reach "${binary%/*}" ;;
esac
if ! closed "$binary" || ! closed "${binary%/*}"; then
	say "others can write to the permgate on PATH or to its folder, and so replace every answer: chmod go-w both"
fi
settings=${CLAUDE_CONFIG_DIR:-${HOME-}/.claude}
if grep -q '"hook", *"--host", *"claude"' "$settings/settings.json" 2>/dev/null; then
	say "permgate is registered in your settings, too, so every call is decided twice; permgate uninstall --host claude ends that"
fi
for file in "$settings" "${HOME-}/.gen" "${HOME-}/.san" /etc/claude-code; do
	[ ! -f "$file/permgate.json" ] || exit 0
done
say 'you have no permgate.json, so everything that no rule allows is asked about: permgate install --host claude --posture'
