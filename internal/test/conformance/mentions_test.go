package conformance

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
)

// TestMentions: a file that a rule denies, spelled out anywhere in a text, is not
// read by way of a word that is only known when the text runs.
func TestMentions(t *testing.T) {
	runGlobs(t, []globRow{
		// what the text itself supplies is followed
		{"cat $(echo .env)", "deny"}, {"cat `echo .env`", "deny"}, {`cat "$(printf %s .env)"`, "deny"}, {"cat $(printf '.env\\n')", "deny"},
		{"cat .en$(echo v)", "deny"}, {"cat < $(echo .env)", "deny"}, {"echo .env | xargs cat", "deny"}, {"printf .env | xargs -r cat", "deny"},
		{"xargs cat <<< .env", "deny"}, {"xargs head -1 <<EOF\n.env README.md\nEOF", "deny"}, {"for f in $(echo .env); do cat $f; done", "deny"},
		{"echo rm | xargs cat", "free"}, {"echo README.md | xargs cat", "free"}, {"cat $(echo README.md); ls .env.example", "free"},
		{"find . -name .env -exec cat {} \\;", "deny"}, {"find . -name '.e*' -exec cat {} +", "could"}, {"find . -name '*.md' -exec cat {} +", "free"},
		// what a default, a loop, an argument or a variable may bring
		{`cat "${x:-.env}"`, "could"}, {"cat ${x-.env}", "could"}, {"cat ${x:+.env}", "could"}, {"cat < \"${x:-.env}\"", "could"}, {`head -n1 "${1:-.env}"`, "could"},
		{`cat "${x:-README.md}"`, "free"}, {`for f in .e*; do cat "$f"; done`, "could"}, {`for f in R*; do cat "$f"; done`, "free"}, {`for f in *; do cat "$f"; done`, "free"},
		{`for f in */*; do cat "$f"; done`, "could"}, {`for f in src/*; do cat "$f"; done`, "free"}, {`for f in *.md; do cat "$f"; done; ls .env*`, "free"},
		{`set -- .env; cat "$1"`, "could"}, {`set -- keys/*; cat "$@"`, "could"}, {`set -- src/*; cat "$1"`, "free"}, {`set -- .env; for f; do cat $f; done`, "could"},
		{`a=(.e*); cat "${a[@]}"`, "could"}, {`a=(.env x); cat "${a[0]}"`, "could"}, {`a=(src/*); cat "${a[@]}"`, "free"}, {`declare -A m=([k]=.env); cat ${m[k]}`, "could"},
		{`read -r f <<< .env; cat "$f"`, "could"}, {`while read -r f; do cat "$f"; done < <(echo .env)`, "could"}, {`echo .env | while read f; do cat $f; done`, "could"},
		{"mapfile -t a < <(echo .env); cat ${a[0]}", "could"}, {`IFS=, read -r a b <<< x,.env; cat $b`, "could"}, {"IFS=:; for f in a:.env; do cat $f; done", "asks"},
		{"echo .env | xargs -I{} cat {}", "could"}, {"printf '%s\\n' .env a | xargs -n1 cat", "could"}, {"printf '%s\\0' .env | xargs -0 cat", "could"},
		{`bash -c 'cat "$1"' _ .env`, "deny"}, {`sh -c 'cat $0' .env`, "deny"}, {"ls -d .e* | xargs cat", "could"}, {"test -f .env && cat $_", "could"},
		{"cat $(basename x/.env)", "could"}, {"cat $(realpath .env)", "could"}, {"cat $(ls -a | grep '^.env$')", "could"}, {"x=.env; y=x; cat $(eval echo \\$$y)", "could"},
		{"printf 'a\\n.env\\n' | xargs cat", "deny"}, {"cat $(echo -n .env)", "deny"}, {"cp \"${x:-.env}\" /tmp/x", "could"}, {"cd keys; cat \"${x:-server.pem}\"", "could"},
		{`cat "${x:-keys/server.pem}"`, "could"}, {`cat "${x:-$HOME/.ssh/id_rsa}"`, "could"}, {"cat \"${x:-~/.ssh/id_rsa}\"", "could"}, {`sed -i s/a/b/ "${x:-gen/x.ts}"`, "could"},
		{`rm -f "${x:-locks/yarn.lock}"`, "could"}, {`cat "${x:-gen/x.ts}"`, "free"}, {`for f in s*; do cat "$f"/a.txt; done`, "could"},
		{`for f in s*; do cat "$f"; done`, "free"}, {`for f in s*; do grep -r x "$f"; done`, "could"},
		// program text
		{`awk -v f=.env 'BEGIN{while((getline l<f)>0)print l}'`, "could"}, {`awk '{while((getline l<$1)>0)print l}' <<< .env`, "could"},
		{`python3 -c "print(open('.env').read())"`, "deny"}, {`python3 -c "import sys; print(open(sys.argv[1]).read())" .env`, "deny"}, {`python3 -c "import sys; print(open(sys.argv[N]).read())" .env`, "deny"}, {"python3 - <<'EOF'\nprint(open('.env').read())\nEOF", "deny"},
		{`node -e "require('fs').readFileSync('.env')"`, "deny"}, {`ruby -e 'puts File.read(".env")'`, "deny"}, {`perl -e 'open F, "<", ".env"; print <F>'`, "deny"},
		{`php -r 'echo file_get_contents("keys/server.pem");'`, "deny"}, {"vim -es -c 'r .env' -c 'w! x' -c q", "could"}, {`python3 -c "print(open('./data/../.env').read())"`, "deny"},
		{`python3 -c "import glob; print([open(f).read() for f in glob.glob('.e*')])"`, "could"}, {`python3 -c "print(open('README.md').read())"`, "free"},
		{`node -e "console.log(process.env.HOME)"`, "free"}, {`python3 -c "import os; print(os.environ['HOME'])"`, "free"}, {`python3 -c "open('.env.example')"`, "free"},
		// names put together, lists of names, and languages that name files
		{`cat "$(printf '%s%s' .e nv)"`, "deny"}, {`cat "$(printf '.%s' env)"`, "deny"}, {`cat $(printf '%s\n' README.md)`, "free"}, {"read x <<< env; cat .$x", "could"},
		{"set -- env; cat .$1", "could"}, {"read x <<< md; cat README.$x", "free"}, {"echo env | xargs -I{} cat .{}", "could"}, {"echo server.pem | xargs -I{} cat keys/{}", "could"},
		{"tar cf /tmp/x.tar -T <(echo .env)", "could"}, {"echo README.md | tar cf /tmp/x.tar -T -", "free"}, {`wc --files0-from=<(printf '.env\0')`, "could"},
		{`printf '.env\0' | sort --files0-from=-`, "could"}, {"rsync --files-from=<(echo .env) . /tmp/x", "could"}, {"echo .env | zip -@ /tmp/x.zip", "could"},
		{`sqlite3 :memory: "select readfile('.env')"`, "could"}, {`psql -c "\copy t from .env"`, "could"}, {"psql -c 'select 1 from t'", "free"}, {`duckdb -c "select * from read_text('.env')"`, "could"},
		{`awk 'BEGIN{ARGV[1]=".env";ARGC=2}{print}'`, "could"}, {`awk 'BEGIN{"cat .env"|getline x; print x}'`, "deny"}, {`git check-ignore -v x | awk '{print $1}'; echo .env`, "free"},
		{`python3 -c 'print(open("." + "env").read())'`, "deny"}, {`python3 -c 'print("a" + "b")'`, "free"}, {`git ls-files '*.pem' | xargs cat`, "could"}, {`git ls-files '*.md' | xargs cat`, "free"},
		{`python3 -c 'import os; print(open(os.environ["HOME"] + "/.ssh/id_rsa").read())'`, "deny"}, {`python3 -c 'import pathlib; [p.read_text() for p in pathlib.Path(".").rglob("*.pem")]'`, "could"},
		// places that are known by another name
		{"cat $OLDPWD/.env", "could"}, {`cd src && cat "$OLDPWD/.env"`, "could"}, {"cat ../${PWD##*/}/.env", "could"}, {`cat "../$(basename "$PWD")/.env"`, "could"}, {"cat /proc/self/cwd/.env", "deny"},
		{"cat /proc/$$/cwd/keys/server.pem", "could"}, {"cat /proc/$PPID/cwd/keys/server.pem", "could"}, {"cat $OLDPWD/README.md", "free"}, {"cat /proc/$$/cwd/README.md", "free"}, {"cd src && cat ../${PWD##*/}/a.txt", "free"},
		// nothing unknown is read
		{"git commit -m 'ignore .env'", "free"}, {"echo .env >> .gitignore", "free"}, {"cat \"$f\"", "free"}, {`grep -n "$x" README.md; echo "not .env"`, "free"},
		{"ls -la .env; cat README.md", "deny"}, {`echo "copy .env.example first"; cat "$f"`, "free"}, {`for f in a.go b.go; do cat $f; done; echo .env`, "free"},
		{`cat "$d/main.go"; echo 'see .env'`, "free"}, {`cat "$d/x.pem"; echo 'see .env'`, "could"}, {`cat "$d/server.pem"; ls keys/server.pem`, "deny"},
	})
}

// TestFilters: a search of contents that names what a rule denies is bound by it.
func TestFilters(t *testing.T) {
	for filter, want := range map[string]hookio.Decision{
		".env": hookio.Deny, "**/.env": hookio.Deny, "{.env,x}": hookio.Deny, "*.go,.env": hookio.Deny, "*.go .env": hookio.Deny, "./.env": hookio.Deny, ".ENV": hookio.Deny,
		"a/{b,c}/.env": hookio.Deny, ".e*": hookio.Ask, "*.{env,txt}": hookio.Ask, ".[e]nv": hookio.Ask, "*.pem": hookio.Deny, "server.p?m": hookio.Ask, "secrets/**": hookio.Deny,
		"*.go": hookio.Allow, "!.env": hookio.Allow, ".env.example": hookio.Allow, "*.{ts,tsx}": hookio.Allow, "src/**/*.ts": hookio.Allow, "**/*": hookio.Allow, "*": hookio.Allow,
		"{a,b": hookio.Allow, "}": hookio.Allow,
	} {
		for _, key := range []string{"glob", "include"} {
			input, _ := json.Marshal(map[string]string{"pattern": "x", key: filter})
			_, v, err := Call(Setup{Tool: "Grep", Input: input, Mode: "bypassPermissions", Settings: map[string]string{"/home/dev/.gen/settings.json": globDeny}})
			if err != nil || v.Decision() != want {
				t.Errorf("%s %s: %s, want %s: %s %v", key, filter, v.Decision(), want, v.Reason(), err)
			}
		}
	}
}

// TestMentionsAreBounded: many names and many rules end in a question, soon.
func TestMentionsAreBounded(t *testing.T) {
	rules := strings.Repeat(`"Read(a*b*c)",`, 3000)
	words := strings.Builder{}
	for i := range 9000 {
		words.WriteString(" w" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)))
	}
	_, v, err := Call(Setup{Tool: "Bash", Input: []byte(`{"command":` + quote(`cat "$f"; echo`+words.String()) + `}`), Mode: "bypassPermissions",
		Settings: map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"deny":[` + rules + `"Read(x)"]}}`}})
	if err != nil || v.Decision() != hookio.Ask {
		t.Errorf("%s: %s %v", v.Decision(), v.Reason(), err)
	}
}

// TestReasonIsOne: the same call has the same reason each time, also where several words of a text may be what a rule is
// about.
func TestReasonIsOne(t *testing.T) {
	setup := Setup{
		Tool: "Bash", Input: json.RawMessage(`{"command":"for f in ~/.ssh/*.pub; do cat \"$f\"; done; echo a b c d e"}`),
		Settings: map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash"],"deny":["Read(~/.ssh/**)"]}}`},
	}
	reasons := map[string]bool{}
	for range 20 {
		_, v := call(t, setup)
		reasons[v.Reason()] = true
	}
	if len(reasons) != 1 {
		t.Errorf("%d reasons for one call: %v", len(reasons), reasons)
	}
}

// TestReasonIsText: a reason names no half of a character, which would make JSON that strict readers refuse.
func TestReasonIsText(t *testing.T) {
	for _, command := range []string{`rg '-¤F' x`, `sed '-§8' x`, `ls -é漢`, `git log -é`, `tar -é x`, `find . -é`} {
		_, v, err := Call(Setup{Tool: "Bash", Input: shell(command), Mode: "acceptEdits", Settings: map[string]string{
			"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash(foo)"]}}`, "/home/dev/.gen/permgate.json": `{"readOnlyCommands":"allow"}`,
		}})
		if err != nil || !utf8.ValidString(v.Reason()) {
			t.Errorf("%s: %q, %v", command, v.Reason(), err)
		}
	}
}
