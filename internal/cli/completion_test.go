package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/internal/test/complete"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/rules"
)

//go:generate go test . -run ^TestCompletionFiles$ -update

// TestCompletionFiles checks that the scripts are those of the subcommands as they are.
func TestCompletionFiles(t *testing.T) {
	for i, name := range [...]string{"permgate.bash", "_permgate", "permgate.fish"} {
		var b bytes.Buffer
		complete.Shells[i].Write(&b, described())
		golden.File(t, filepath.Join("completions", name), b.String())
	}
}

// script writes the completion script of a shell into a file.
func script(t *testing.T, shell string) string {
	t.Helper()
	var b bytes.Buffer
	for i := range complete.Shells {
		if s := &complete.Shells[i]; s.Name == shell {
			s.Write(&b, described())
		}
	}
	name := filepath.Join(t.TempDir(), "permgate."+shell)
	writeFile(t, name, b.String())
	return name
}

// completions are lines as typed, the last word being completed: some of what
// has to be offered, and what must not be. "" in without: nothing at all.
var completions = []struct {
	line          string
	with, without []string
}{
	{"permgate ", []string{"install", "check", "explain", "help", "schema", "completion"}, []string{"--host", "claude"}},
	{"permgate ex", []string{"explain"}, []string{"check"}},
	{"permgate install --", []string{"--host", "--scope", "--dry-run", "--yes", "--observe"}, []string{"--json"}},
	{"permgate install --host c", []string{"claude", "codex", "copilot"}, []string{"gemini", "generic"}},
	{"permgate install --host claude --sc", []string{"--scope"}, []string{"--host"}},
	{"permgate install --scope ", []string{"user", "project", "managed"}, []string{"local"}},
	{"permgate install --yes --host ", []string{"claude"}, []string{"user"}},
	{"permgate check --tool Web", []string{"WebFetch", "WebSearch"}, []string{"Bash"}},
	{"permgate check --permission-mode ", []string{"acceptEdits", "dontAsk"}, []string{"manual"}},
	{"permgate check --json --settings se", []string{"settings.json", "seam"}, []string{"sed"}},
	{"permgate check --host=ge", []string{"gen"}, []string{"claude"}},
	{"permgate check --cwd se", []string{"seam"}, []string{"settings.json"}},
	{"permgate check cat se", []string{"settings.json"}, []string{"sed"}},
	{"permgate check cat --", nil, []string{"--json", "--host"}},
	{"permgate explain recursive-", []string{"recursive-remove"}, nil},
	{"permgate log -n 3 --dec", []string{"--decision"}, nil},
	{"permgate log --decision s", []string{"silence"}, []string{"allow"}},
	{"permgate log --since ", nil, []string{""}},
	{"permgate rules ", []string{"add", "remove"}, []string{"allow"}},
	{"permgate rules add ", []string{"allow", "ask", "deny"}, []string{"add"}},
	{"permgate rules add --scope ", []string{"local", "shared", "user"}, []string{"allow"}},
	{"permgate rules add allow x ", nil, []string{""}},
	{"permgate rules add allow x --sc", []string{"--scope"}, nil},
	{"permgate rules add allow x --scope sh", []string{"shared"}, nil},
	{"permgate session add-dir se", []string{"seam"}, []string{"settings.json"}},
	{"permgate init --profile ", []string{"starter", "strict"}, nil},
	{"permgate lint --severity w", []string{"warning"}, nil},
	{"permgate test -v se", []string{"settings.json"}, nil},
	{"permgate help post", []string{"posture"}, nil},
	{"permgate help inst", []string{"install"}, nil},
	{"permgate help install ", nil, []string{""}},
	{"permgate completion ", []string{"bash", "zsh", "fish"}, nil},
	{"permgate completion zsh ", nil, []string{""}},
	{"permgate schema ", []string{"permgate", "settings"}, nil},
	{"permgate version ", nil, []string{""}},
	{"permgate nonsense ", nil, []string{""}},
}

// complete in bash: what readline does, with its own word splitting.
const bashHarness = `source "$1"; line=$2
COMP_LINE=$line COMP_POINT=${#line}
read -ra COMP_WORDS <<<"${line//=/ = }"
[[ $line == *' ' ]] && COMP_WORDS+=('')
[[ $line == *= ]] && COMP_WORDS+=()
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_permgate
printf '%s\n' "${COMPREPLY[@]}"`

const fishHarness = `source $argv[1]; complete -C $argv[2] | string split -f 1 \t`

// TestCompletion types every line in every shell that is installed, and looks
// what the script offers.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "settings.json"), "")
	if err := os.Mkdir(filepath.Join(dir, "seam"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, sh := range []struct {
		name string
		args []string
	}{
		{"bash", []string{"--norc", "-c", bashHarness, "bash"}},
		{"fish", []string{"--no-config", "-c", fishHarness}},
	} {
		t.Run(sh.name, func(t *testing.T) {
			bin, err := exec.LookPath(sh.name)
			if err != nil {
				t.Skip(err)
			}
			file := script(t, sh.name)
			for _, c := range completions {
				cmd := exec.Command(bin, append(slices.Clone(sh.args), file, c.line)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				out, _ := cmd.Output()
				if stderr.Len() > 0 {
					t.Fatalf("%q: %s", c.line, stderr.String())
				}
				offered(t, c.line, string(out), c.with, c.without)
			}
		})
	}
}

func offered(t *testing.T, line, out string, with, without []string) {
	t.Helper()
	var words []string
	for w := range strings.FieldsSeq(out) {
		if strings.HasPrefix(w, "--") && strings.Contains(w, "=") {
			_, w, _ = strings.Cut(w, "=") // fish names the option with its value
		}
		words = append(words, strings.TrimSuffix(w, "/"))
	}
	for _, w := range with {
		if !slices.Contains(words, w) {
			t.Errorf("%q: %s is not offered: %.200q", line, w, words)
		}
	}
	for _, w := range without {
		if w == "" && len(words) > 0 || slices.Contains(words, w) {
			t.Errorf("%q: offered: %.200q", line, words)
		}
	}
}

// TestCompletionSyntax has every installed shell read its script.
func TestCompletionSyntax(t *testing.T) {
	for i := range complete.Shells {
		name := complete.Shells[i].Name
		t.Run(name, func(t *testing.T) {
			bin, err := exec.LookPath(name)
			if err != nil {
				t.Skip(err)
			}
			if out, err := exec.Command(bin, "-n", script(t, name)).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestCompletionWords checks that no word needs quoting, which the scripts do not do.
func TestCompletionWords(t *testing.T) {
	var visit func(c *complete.Command)
	check := func(where string, v *complete.Values) {
		if v == nil {
			return
		}
		if v.Name == "" || strings.Trim(v.Name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("%s: %q is no identifier", where, v.Name)
		}
		for _, w := range v.Words {
			if w.Text == "" || strings.Trim(w.Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
				t.Errorf("%s: the word %q", where, w.Text)
			}
		}
	}
	visit = func(c *complete.Command) {
		for _, v := range c.Operands {
			check(c.Name, v)
		}
		for i := range c.Flags {
			check(c.Name+" --"+c.Flags[i].Name, c.Flags[i].Values)
		}
		for i := range c.Subs {
			visit(&c.Subs[i])
		}
	}
	visit(described())
}

// TestCompletionFlags checks that somebody thought of the value of every option:
// flagValues offers some, or it is text of the user's own.
func TestCompletionFlags(t *testing.T) {
	free := []string{"agent", "allowedTools", "always", "disallowedTools", "exe", "exit-code", "expected", "for", "hide", "hook", "jobs", "keep", "last", "list", "most", "never", "pick", "rule", "sample", "session", "since", "skill", "timeout", "tools", "unused"}
	used := map[string]bool{}
	var visit func(c *complete.Command)
	visit = func(c *complete.Command) {
		for _, f := range c.Flags {
			if f.Takes && f.Values == nil {
				used[f.Name] = true
				if !slices.Contains(free, f.Name) {
					t.Errorf("%s --%s: nothing to offer: flagValues, or the list of this test", c.Name, f.Name)
				}
			}
		}
		for i := range c.Subs {
			visit(&c.Subs[i])
		}
	}
	visit(described())
	for _, name := range free {
		if !used[name] {
			t.Errorf("--%s: no longer free", name)
		}
	}
}

// wordList are values without a help text.
func wordList(texts ...string) []complete.Word {
	out := make([]complete.Word, len(texts))
	for i, t := range texts {
		out[i].Text = t
	}
	return out
}

// described is the whole program as the scripts describe it.
func described() *complete.Command {
	root := &complete.Command{Name: "permgate"}
	for _, c := range list() {
		root.Subs = append(root.Subs, describe(c))
	}
	return root
}

func describe(c *subcmd.Command) complete.Command {
	out := complete.Command{Name: c.Name, Help: c.Short, Anywhere: c.Words == nil && len(c.Subs) == 0}
	for kind := range strings.FieldsSeq(c.Operands) {
		out.Operands = append(out.Operands, operandValues(kind))
	}
	flagSet(c).VisitAll(func(f *pflag.Flag) {
		d := complete.Flag{Name: f.Name, Short: f.Shorthand, Help: f.Usage, Takes: f.NoOptDefVal == ""}
		if d.Takes {
			d.Values = flagValues(c, f)
		}
		out.Flags = append(out.Flags, d)
	})
	for _, sub := range c.Subs {
		out.Subs = append(out.Subs, describe(sub))
	}
	return out
}

// flagValues is what to offer as the value of an option, nil for nothing.
// Options of one name take the same everywhere, except --scope.
func flagValues(c *subcmd.Command, f *pflag.Flag) *complete.Values {
	if f.Name == "scope" && (c.Name == "install" || c.Name == "upgrade" || c.Name == "uninstall") {
		return &complete.Values{Name: "install_scope", Words: wordList(hookio.ForUser, hookio.ForProject, hookio.ForManaged)}
	}
	if f.Name == "scope" && c.Name == "init" {
		return &complete.Values{Name: "init_scope", Words: wordList(rules.Shared.String(), rules.Local.String())}
	}
	if f.Name == "scope" && c.Name == "import" {
		return &complete.Values{Name: "import_scope",
			Words: wordList(rules.Local.String(), rules.Shared.String(), rules.User.String(), rules.Managed.String())}
	}
	switch f.Name {
	case "from":
		return systemValues()
	case "os":
		return &complete.Values{Name: "system", Words: wordList("linux", "macos", "windows")}
	case "severity":
		return &complete.Values{Name: "severity", Words: wordList("note", "warning", "error")}
	case "host":
		switch c.Name {
		case "install", "upgrade", "uninstall", "doctor":
			return agentValues()
		}
		return hostValues()
	case "scope":
		return &complete.Values{Name: "scope",
			Words: wordList(rules.Local.String(), rules.Shared.String(), rules.User.String())}
	case "permission-mode", "mode":
		return modeValues()
	case "tool":
		return &complete.Values{Name: "tool", Words: wordList(rules.Tools[:]...)}
	case "kind":
		return &complete.Values{Name: "kind", Words: wordList(reportKindNames()...)}
	case "event":
		return &complete.Values{Name: "event", Words: wordList(string(hookio.PreToolUse), string(hookio.PermissionRequest))}
	case "decision":
		return &complete.Values{Name: "decision", Words: wordList("allow", "ask", "deny", "silence")}
	case "format":
		return &complete.Values{Name: "format", Words: wordList("text", "json", "markdown")}
	case "profile":
		return &complete.Values{Name: "profile", Words: wordList("starter", "strict")}
	case "cwd", "home", "state", "add-dir", "folder", "project", "repo":
		return operandValues("dir")
	case "settings", "output", "policy", "against", "html", "labels", "gates":
		return operandValues("file")
	}
	return nil
}

// operandValues are the values of a kind that Command.Operands names, nil for nothing.
func operandValues(kind string) *complete.Values {
	switch kind {
	case "file":
		return &complete.Values{Name: kind, Shell: complete.Files}
	case "dir":
		return &complete.Values{Name: kind, Shell: complete.Dirs}
	case "program":
		return &complete.Values{Name: kind, Shell: complete.Programs}
	case "check":
		return checkValues()
	case "topic":
		return topicValues()
	case "list":
		return &complete.Values{Name: kind, Words: wordList(rules.Allow.String(), rules.Ask.String(), rules.Deny.String())}
	case "shell":
		return &complete.Values{Name: kind, Words: wordList("bash", "zsh", "fish")}
	case "schema":
		return &complete.Values{Name: kind, Words: wordList("permgate", "settings")}
	}
	return nil
}

func systemValues() *complete.Values {
	v := &complete.Values{Name: "system"}
	for _, s := range importer.Systems() {
		v.Words = append(v.Words, complete.Word{Text: s.Name, Help: s.Title})
	}
	return v
}

func hostValues() *complete.Values {
	v := &complete.Values{Name: "host"}
	for _, h := range hookio.Hosts() {
		v.Words = append(v.Words, complete.Word{Text: h.Name, Help: h.Title})
	}
	return v
}

// agentValues are the programs a registration can be written for.
func agentValues() *complete.Values {
	v := &complete.Values{Name: "agent"}
	for _, h := range agents.Hosts() {
		v.Words = append(v.Words, complete.Word{Text: h.Name, Help: h.Title})
	}
	return v
}

func modeValues() *complete.Values {
	v := &complete.Values{Name: "mode"}
	for i := range rules.Modes {
		v.Words = append(v.Words, complete.Word{Text: rules.Modes[i].Name, Help: rules.Modes[i].Doc})
	}
	return v
}

// checkValues are what explain takes: a check's id, or a command line.
func checkValues() *complete.Values {
	v := &complete.Values{Name: "check", Shell: complete.Programs}
	for _, c := range bashsafety.Checks() {
		v.Words = append(v.Words, complete.Word{Text: c.ID, Help: c.Title})
	}
	return v
}

// topicValues are what help takes.
func topicValues() *complete.Values {
	v := &complete.Values{Name: "topic"}
	for _, c := range list() {
		v.Words = append(v.Words, complete.Word{Text: c.Name, Help: c.Short})
	}
	for _, t := range topics() {
		v.Words = append(v.Words, complete.Word{Text: t.name})
	}
	return v
}
