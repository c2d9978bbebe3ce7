#!/bin/sh
# Builds permgate and puts it into ${PREFIX:-$HOME/.local}/bin, and its manual
# pages into share/man there. Needs Go and no root; running it again replaces
# the binary in one step.
set -eu

need=1.26

say() { printf '%s\n' "$*"; }
die() {
	printf 'install.sh: %s\n' "$1" >&2
	printf '  hint: %s\n' "$2" >&2
	exit 1
}

cd "$(dirname "$0")"

# Go, and new enough
command -v go >/dev/null 2>&1 ||
	die "no go command on PATH" "get Go $need or later from https://go.dev/dl and run this again"
have=$(go env GOVERSION)
have=${have#go}
major=${have%%.*}
minor=${have#*.}
minor=${minor%%[!0-9]*}
case $major$minor in
'' | *[!0-9]*) ;; # a development version: let the build say what it lacks
*)
	if [ "$major" -lt "${need%.*}" ] || { [ "$major" -eq "${need%.*}" ] && [ "$minor" -lt "${need#*.}" ]; }; then
		die "go is version $have, permgate needs $need or later" "get it from https://go.dev/dl and run this again"
	fi
	;;
esac

# build beside the target, so that the last step is one rename
if [ -z "${PREFIX:-}" ] && [ -z "${HOME:-}" ]; then
	die "neither PREFIX nor HOME is set" "PREFIX=/usr/local ./install.sh"
fi
bin=${PREFIX:-$HOME/.local}/bin
mkdir -p "$bin" || die "cannot create $bin" "PREFIX=/some/where ./install.sh"
new=$bin/.permgate.$$
trap 'rm -f "$new" "$new.whole"' EXIT
trap 'exit 1' HUP INT TERM
say "building $bin/permgate with Go $have; the first time, modules are fetched and this takes some minutes"
CGO_ENABLED=0 go build -trimpath -buildmode=exe -ldflags "-s -w" -o "$new" . ||
	die "the build failed" "the messages above are the compiler's; a clean checkout and Go $need are enough"
# in large blocks: the system can map such a file in larger pieces than the linker's, and each start is sooner for it
if dd if="$new" of="$new.whole" bs=4194304 2>/dev/null && chmod +x "$new.whole" && cmp -s "$new" "$new.whole"; then
	mv -f "$new.whole" "$new"
fi
mv -f "$new" "$bin/permgate"
rm -f "$new.whole"
trap - EXIT
man=${bin%/bin}/share/man
if mkdir -p "$man/man1" "$man/man5" && cp docs/man/*.1 "$man/man1/" && cp docs/man/*.5 "$man/man5/"; then
	say "installed $man/man1/permgate.1, man5/permgate-rules.5, man5/permgate.json.5"
fi
say "installed $bin/permgate ($("$bin/permgate" version | head -n 1))"

# three calls, decided with your settings and one rule as in a project that has
# a folder src; nothing of them is run
project=$(mktemp -d) || die "cannot create a temporary folder" "set TMPDIR to a folder you can write to"
trap 'rm -f "$project/src/main.go"; rmdir "$project/src" "$project"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$project/src"
printf 'package main\n' >"$project/src/main.go"
demo() {
	say ""
	say "$1"
	say "\$ permgate check --allowedTools 'Bash(git:*)' '$2'"
	code=0
	"$bin/permgate" check --cwd "$project" --allowedTools 'Bash(git:*)' "$2" || code=$?
	[ "$code" -lt 3 ] || die "permgate check failed" "run: $bin/permgate check '$2'"
}
demo "one rule allows git, but not what comes after it:" 'git status && rm -rf src'
demo "nor what git itself can be made to run:" "git -c core.pager=./x log"
demo "what you allow runs without a question:" 'git status && git log --oneline -5'

say ""
say "next:"
case :$PATH: in
*:"$bin":*) ;;
*) say "add it to PATH:      export PATH=\"$bin:\$PATH\"" ;;
esac
say "put it to work:      permgate install --host claude    (--list shows the others, --dry-run what changes)"
say "see that it works:   permgate doctor, and then permgate log"
say "a first policy:      permgate init    (in a project)"
say "completions:         source <(permgate completion bash)    (zsh and fish likewise; in your shell's start-up file)"
say "take it out again:   permgate uninstall --host claude"
