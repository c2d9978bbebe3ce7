package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// stems are commands, the words of them that say what they do ("" for none),
// and whether whatever follows could be another program.
var stems = []struct {
	cmd, stem string
	open      bool
}{
	{"git push origin main", "git push", false},
	{"git remote add x y", "git remote add", false},
	{"git -C x push", "", true},
	{"npm test", "npm test", false},
	{"npm run test:unit -- -u", "npm run test:unit", false},
	{"npm run", "npm run", true},
	{"make test", "make test", false},
	{"make -j4 test", "make", false},
	{"cargo build --release", "cargo build", false},
	{"go test ./...", "go test", false},
	{"terraform plan", "terraform plan", false},
	{"mytool ./x", "mytool", true},
	{"mytool --all x", "mytool", true},
	{"mytool exec x", "mytool exec", true},
	{"cat a b", "cat", false},
	{"echo hello", "echo", false},
	{"./build.sh all", "./build.sh all", true},
	{"racket -e x", "racket", true},
	{"gjs -c x", "gjs", true},
	{"/usr/bin/git status", "/usr/bin/git status", false},
	{"timeout 5 npm test", "npm test", false},
	{"'git' \"push\"", "git push", false},
	{"'my tool' x", "", true},
	{"$X push", "", true},
	{"git $X", "git", false},
	{"docker run --rm x", "docker run", true},
	{"docker compose exec x sh", "docker compose exec", true},
	{"kubectl get pods", "kubectl get", false},
	{"uv run x", "uv run x", true},
	{"uv run pytest -q", "uv run pytest", false},
	{"uv run git push origin", "uv run git push", false},
	{"poetry run python a.py", "poetry run python", true},
	{"uv run --with x pytest", "uv run --with x pytest", false},
	{"uv run --with $X pytest", "", true},
	{"pnpm dlx x", "pnpm dlx", true},
	{"python3.12 x.py", "python3.12", true},
	{"nodejs x.js", "nodejs", true},
	{"find . -name x", "find", true},
	{"nice make", "make", false},
	{"flock x make", "flock", true},
	{"watch ls", "watch", true},
	{"busybox ls", "busybox", true},
}

func TestStem(t *testing.T) {
	for _, tt := range stems {
		subs := bashsafety.Analyze(tt.cmd, analysis.Env{}).Subcommands
		if len(subs) == 0 {
			t.Errorf("%s: no subcommand", tt.cmd)
			continue
		}
		s := &subs[0]
		var words []string
		for _, w := range s.Argv[:s.Stem()] {
			words = append(words, w.Text)
		}
		if got := strings.Join(words, " "); got != tt.stem {
			t.Errorf("%s: stem %q, want %q", tt.cmd, got, tt.stem)
		}
		if why := s.Open(); (why != "") != tt.open {
			t.Errorf("%s: open %v: %s", tt.cmd, !tt.open, why)
		}
	}
}

// TestNoStem names the programs that decisions take out of every prefix, among
// others: shells, interpreters, and what runs its operands.
func TestNoStem(t *testing.T) {
	for _, program := range strings.Fields("bash sh zsh fish dash ksh eval source . exec command builtin trap sudo doas su env xargs parallel ssh " +
		"python python3 python2 pypy3 node nodejs tsx deno ruby perl php lua osascript npx bunx pnpx uvx awk gawk timeout nohup nice chroot unshare " +
		"nsenter strace gdb script at batch vim emacs tmux screen pwsh powershell") {
		for _, cmd := range []string{program + " x", program + " x.y z", program} {
			for _, s := range bashsafety.Analyze(cmd, analysis.Env{}).Subcommands {
				if s.Program == program && s.Open() == "" {
					t.Errorf("%s: a stem of %d words", cmd, s.Stem())
				}
			}
		}
	}
}
