package gate

import "testing"

// TestMktemp: what may be in a folder of mktemp that the same text removes again. It is lost where it was somewhere
// else before, or is still there: what was moved, linked or mounted.
func TestMktemp(t *testing.T) {
	for want, commands := range map[string][]string{
		"7": {
			`D=$(mktemp -d); echo x > "$D/a"; cat "$D/a"; rm -rf "$D"`,
			`D="$(mktemp -d)" && cp -r src "$D/" && ls "$D" && rm -rf "$D"`,
			`D=$(mktemp -d) || exit 1; tar xf a.tgz -C "$D"; rm -rf -- "$D"`,
			`D=$(mktemp -d); mkdir -p "$D/x"; touch "$D/x/y"; sed -i s/a/b/ "$D/x/y"; rm -rf "${D}"`,
			`D=$(mktemp -d); git clone -q . "$D/c"; rm -rf "$D"`,
			`D=$(mktemp -d); curl -sLo "$D/f" https://x.example/f; wc "$D/f"; rm -rf "$D"`,
			`D=$(mktemp -d); curl -sL https://x.example/a.tgz | tar xz -C "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); (cd "$D" && unzip -q /w/p/a.zip && ls); rm -rf "$D"`,
			`D=$(mktemp -d); go build -o "$D/x" .; rm -rf "$D"`,
			`tmp=$(mktemp -d); cp src/a $tmp; mkdir $tmp/x; rm -rf "$tmp"`,
			`TMP=$(mktemp -d); trap 'rm -rf "$TMP"' EXIT; cp README.md "$TMP/"`,
			"set -euo pipefail\nD=$(mktemp -d)\ntrap 'rm -rf \"$D\"' EXIT\ncp src/a \"$D/\"\n",
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT INT TERM; cp src/a "$D/a"`,
			`D=; trap 'rm -rf "$D"' EXIT; D=$(mktemp -d); cp src/a "$D/a"`,
			`export D=$(mktemp -d); cp src/a "$D/a"; rm -rf "$D"`,
			`D=$(mktemp -d); cleanup(){ rm -rf "$D"; }; git clone -q . "$D/c"; cleanup`,
			`D=$(mktemp -d); cleanup() { rm -rf "$D"; }; trap cleanup EXIT; cp src/a "$D/a"`,
			`D=""; cleanup() { rm -rf "$D"; }; trap cleanup EXIT; D=$(mktemp -d); cp src/a "$D/a"`,
			`f() { local d; d=$(mktemp -d); cp src/a "$d/"; rm -rf "$d"; }; f`,
			`D=$(mktemp -d); say() { echo "$1"; }; say start; cp src/a "$D"; say done; rm -rf "$D"`,
			`for i in 1 2; do D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"; done`,
		},
		"3b": { // what is written where the variable may be empty by then
			`trap 'echo x > "$D/root/x"' EXIT; exit; D=$(mktemp -d)`,
			`trap 'E=$D; echo x > "$E/root/x"' EXIT; exit; D=$(mktemp -d)`,
			`f() { echo x > "$D/root/x"; }; D=; f; D=$(mktemp -d)`,
		},
		"2 recursive-remove": {
			// what is moved, linked or mounted
			`D=$(mktemp -d); mv src "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); mv src/a "$D/a"; rm -rf "$D"`,
			`D=$(mktemp -d); cp src/a "$D"; (cd "$D" && mv /w/p/src .); rm -rf "$D"`,
			`D=$(mktemp -d); find src -name a -exec mv {} "$D" \; ; rm -rf "$D"`,
			`D=$(mktemp -d); ls | xargs mv -t "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); for f in src/*; do mv "$f" "$D/"; done; rm -rf "$D"`,
			`D=$(mktemp -d); ln -s ~ "$D/l"; rm -rf "$D"`,
			`D=$(mktemp -d); ln src/a "$D/l"; rm -rf "$D"`,
			`D=$(mktemp -d); cp -rl src "$D/l"; rm -rf "$D"`,
			`D=$(mktemp -d); cp -s "$PWD/src/a" "$D/l"; rm -rf "$D"`,
			`D=$(mktemp -d); mount --bind src "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); sudo mount --bind src "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); sshfs h:/ "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); rclone mount r: "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); rclone move src "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); aws s3 mv s3://b/k "$D/k"; rm -rf "$D"`,
			`D=$(mktemp -d); tar --remove-files -cf "$D/x" src; rm -rf "$D"`,
			`D=$(mktemp -d); zip -m "$D/x.zip" src/a; rm -rf "$D"`,
			`D=$(mktemp -d); 7z a -sdel "$D/x.7z" src; rm -rf "$D"`,
			`D=$(mktemp -d); rsync --remove-source-files -a src/ "$D/"; rm -rf "$D"`,
			`D=$(mktemp -d); git init --separate-git-dir "$D/g" .; rm -rf "$D"`,
			`D=$(mktemp -d); git init --separate-git-dir="$D/g"; rm -rf "$D"`,
			`D=$(mktemp -d); git worktree move w "$D/w"; rm -rf "$D"`,
			`D=$(mktemp -d); git mv src "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); python3 -c "import shutil; shutil.move('src', '$D')"; rm -rf "$D"`,
			`export D=$(mktemp -d); python3 -c "import os,shutil; shutil.move('src', os.environ['D'])"; rm -rf "$D"`,
			`D=$(mktemp -d); cat > "$D/m.sh" <<< "mv src $D"; bash "$D/m.sh"; rm -rf "$D"`,
			`D=$(mktemp -d); printf 'import shutil\nshutil.move("src", "%s")\n' "$D" > "$D/m.py"; python3 "$D/m.py"; rm -rf "$D"`,
			// traps and functions run after what follows them
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; mv src "$D"`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; trap f EXIT; mv src "$D"`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; mv src "$D"; f`,
			`D=$(mktemp -d); f() { mv src "$D"; }; f; rm -rf "$D"`,
			`trap 'rm -rf dist' EXIT; mv src dist`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; g() { f; }; mv src "$D"; g`,
			`D=$(mktemp -d); (trap 'rm -rf "$D"' EXIT; mv src "$D")`,
			`D=$(mktemp -d); sleep 1 && rm -rf "$D" & mv src "$D"`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; f & mv src "$D"`,
			`D=$(mktemp -d); while a; do rm -rf "$D"; mv src "$D"; done`,
			`D=$(mktemp -d); mv "$x" "$y"; rm -rf "$D"`,
			`D=$(mktemp -d); mv src $x; rm -rf "$D"`,
			`D=$(mktemp -d); E=$D; mv src "$E"; rm -rf "$D"`,
			`D=$(mktemp -d); E=$D/x; mv src "$E"; rm -rf "$D"`,
			`D=$(mktemp -d); cd "$D"; mv /w/p/src x; cd ..; rm -rf "$D"`,
			`D=$(mktemp -d); node -e "fs.renameSync('src', process.env.D)"; rm -rf "$D"`,
			`D=$(mktemp -d); cat > "$D/m.sh" <<< 'mv src "$1"'; bash "$D/m.sh" "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); cp a "$D/m.sh"; bash "$D/m.sh"; rm -rf "$D"`,
			`D=$(mktemp -d); echo bXYgc3JjIHg= | base64 -d > "$D/m"; sh "$D/m"; rm -rf "$D"`,
			// another folder
			`D=$(mktemp -d); cp src/a "$D"; rm -rf "$D/"`,
			`D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"/*`,
			`D=$(mktemp -d); cp -r src "$D"; rm -rf "$D/src"`,
			`D=$(mktemp -d); cp -r src "$D"; rm -rf $D/../x`,
			`D=$(mktemp -d)/x; mkdir "$D"; rm -rf "$D"`,
			`D=$(mktemp -d -p src); cp src/a "$D"; rm -rf "$D"`,
			`D=$(TMPDIR=src mktemp -d); cp src/a "$D"; rm -rf "$D"`,
			`TMPDIR=src; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
			`D=$(mktemp -d); D=src; rm -rf "$D"`,
			`D=$(mktemp -d); [ -d x ] && D=src; rm -rf "$D"`,
			`D=$(mktemp -d); if a; then D=src; fi; rm -rf "$D"`,
			`D=$(mktemp -d); read D; rm -rf "$D"`,
			`D=$(mktemp -d); D=${D%/*}; rm -rf "$D"`,
			`D=$(mktemp -d); D+=/..; rm -rf "$D"`,
			`D=$(mktemp -d); eval D=src; rm -rf "$D"`,
			`(D=$(mktemp -d)); rm -rf "$D"`,
			`D=$(mktemp -d) | cat; rm -rf "$D"`,
			`for i in 1 2; do export D=$(mktemp -d); D=$1; done; rm -rf "$D"`,
			`TMPDIR=src; f() { D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"; }; f; echo =$(mktemp)`,
			`a[0]=$(mktemp -d); f() { rm -rf "$a"; }; a=src; f`,
			// and for what runs later
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; D=src`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; if a; then D=src; exit; fi`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; ((D=1))`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; read -r D`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; for D in src; do :; done`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; printf -v D src`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; eval D=src`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; D=src :`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; D+=/..`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; mapfile D < a`,
			`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; TMPDIR=src; D=$(mktemp -d)`,
			`D=$(mktemp -d); trap 'rm -rf "$D/"' EXIT; cp src/a "$D"`,
			`trap 'rm -rf "$D"' EXIT; mv src "$D"; D=$(mktemp -d)`,
			`f() { rm -rf "$D"; }; D=src; f; D=$(mktemp -d)`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; g() { D=src; }; g; f`,
			`D=$(mktemp -d); f() { rm -rf "$D"; }; D=src; trap f EXIT`,
		},
	} {
		for _, command := range commands {
			if _, v := practical(t, practicalTree(), command); asked(v) != want {
				t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason())
			}
		}
	}
}

// TestMktempUnclear: texts in which something else may come first, whatever the reason is that asks.
func TestMktempUnclear(t *testing.T) {
	for _, command := range []string{
		`mktemp() { echo src; }; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
		`alias mktemp='echo src'; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
		`hash -p /w/p/x mktemp; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
		`PATH=.:$PATH; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
		`. ./env.sh; D=$(mktemp -d); cp src/a "$D"; rm -rf "$D"`,
		`D=$(mktemp -d); source ./env.sh; rm -rf "$D"`,
		`D=$(mktemp -d); bash -c "mv src '$D'"; rm -rf "$D"`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; . ./env.sh`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; eval "$x"`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; read "$n"`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; declare -n r=D; r=src`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; declare "$n=src"`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; $x`,
		`D=$(mktemp -d); f() { rm -rf "$D"; }; D=src f`,
		`D=$(mktemp -d); f() { rm -rf "$D"; }; f() { mv src "$D"; rm -rf "$D"; }; f`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; echo 'mv src "$D"' | sh`,
		`D=$(mktemp -d); trap 'rm -rf "$D"' EXIT; mv src "$D" & wait`,
	} {
		if _, v := practical(t, practicalTree(), command); v.Step() != "2" {
			t.Errorf("%s: %s: %s", command, asked(v), v.Reason())
		}
	}
}
