#!/bin/sh
# Runs permgate for one event: sh run.sh hook --host claude --event EVENT. With --find it prints the binary instead.
#
# The binary is the first permgate on PATH that the agent cannot have put there, else the release that session.sh
# fetched. Without one the call is blocked: exit code 2. This runs before every call, so it starts nothing else, but
# readlink where permgate is a link, and it never fetches anything.

trap 'exit 2' 0 # whatever goes wrong blocks the call
set -uf
unset -f cd printf read readlink [ 2>/dev/null || : # bash takes functions from the environment
path=${PATH-} back=$PWD data=${CLAUDE_PLUGIN_DATA-} ignored=
PATH=/usr/bin:/bin:/run/current-system/sw/bin
unset CDPATH

# top DIR sets top to the outermost repository that holds DIR, the home directory and what is above left out, else to DIR.
top() {
	cd -P "$1" 2>/dev/null || return
	top=$PWD up=${PWD%/*}
	while [ -n "$up" ] && [ "$up" != "${HOME-}" ]; do
		[ ! -e "$up/.git" ] || top=$up
		up=${up%/*}
	done
}
top . || { printf 'permgate plugin: the working directory is gone, so this call is blocked\n' >&2 && exit 2; }
here=$top
top "${CLAUDE_PROJECT_DIR:-$here}" || top=$here
project=$top

# apart DIR reports whether DIR, links resolved, is neither in the project nor in a temporary folder.
apart() {
	case $1/ in
	"$here"/* | "$project"/* | */node_modules/*) return 1 ;;
	/tmp/* | /var/tmp/* | /dev/shm/* | /var/folders/* | /private/tmp/* | /private/var/*) return 1 ;;
	esac
}

# own FILE sets file to what FILE stands for, and fails where FILE, or a link on the way, is in such a folder.
own() {
	file=$1 links=
	while cd -P "${file%/*}/" 2>/dev/null && apart "$PWD"; do
		file=${PWD%/}/${file##*/}
		if [ ! -L "$file" ]; then
			[ -f "$file" ] && [ -x "$file" ]
			return
		fi
		links=x$links
		[ "$links" != xxxxxxxxx ] || return 1
		link=$(readlink "$file") || return 1
		case $link in
		/*) file=$link ;;
		*) file=${PWD%/}/$link ;;
		esac
	done
	return 1
}

# kept FILE: a release in the data folder, which is the user's alone and reached through no link.
# shellcheck disable=SC3067  # -O is in dash, bash, zsh and busybox
kept() {
	[ -O "$data" ] && [ ! -L "$data" ] && [ ! -L "${1%/*}" ] && [ -O "$1" ] && [ ! -L "$1" ] && [ -f "$1" ] && [ -x "$1" ]
}

lookup() {
	IFS=:
	for dir in $path; do
		case $dir in
		/*) ;;
		*) continue ;;
		esac
		if [ -f "$dir/permgate" ] && [ -x "$dir/permgate" ]; then
			own "$dir/permgate" && return
			ignored=" ($dir/permgate does not count: the agent could have put it there)"
		fi
	done
	IFS=' '
	read -r _ version <"${0%/*}/release.txt" && [ "$version" != none ] && file=$data/$version/permgate && kept "$file"
}

if ! lookup; then
	case $* in
	*SessionEnd) trap - 0 && exit 0 ;; # no call
	esac
	printf 'permgate plugin: no permgate binary found%s, so this call is blocked\n' "$ignored" >&2
	printf '  hint: only the user can fix this: install permgate outside the project, in a folder of PATH, and start a new\n' >&2
	printf '  session; or switch the plugin off: claude plugin disable permgate\n' >&2
	exit 2
fi
if [ "${1-}" = --find ]; then
	trap - 0
	printf '%s\n' "$file"
	exit 0
fi
cd "$back" || exit 2
PATH=$path GOMAXPROCS=1 # a hook has no work for a second thread, as in what install registers
export PATH GOMAXPROCS
exec "$file" "$@"
