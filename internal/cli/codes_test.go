package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// reasonCodes says of every code what it means, in the order of the steps. Example is a permgate command line whose
// answer has the code, "" where it takes more than one command.
var reasonCodes = [...]struct {
	Code         say.Code
	Doc, Example string
}{
	{say.CodeDeniedByRule, "a deny rule, also one of an agent or a skill",
		`permgate check --disallowedTools 'Bash(rm:*)' 'rm x'`},
	{say.CodeExcluded, "`contentExclusion` or `urls`", ""},
	{say.CodeOutsideAllowTools, "the lists of an agent definition (`allow_tools`, `tools`) or a skill (`allowed-tools`) do not cover the call", ""},
	{say.CodeNotInAllowlist, "`--tools`, or `tools` of a `permgate.json`, does not cover the call", `permgate check --tools Read 'make test'`},
	{say.CodeOutsideWorkspace, "outside the working directories: a fence, or step 3b",
		`permgate check --tool Write /opt/x/notes.txt`},
	{say.CodeCatastrophic, "a check of that severity, asked about or denied", `permgate check 'rm -rf /'`},
	{say.CodeDestructive, "a check of that severity", `permgate check 'git reset --hard'`},
	{say.CodeSuspicious, "a check of that severity, or a call that may do something else than it seems to",
		`permgate check 'tmux send-keys -t 0 ls'`},
	{say.CodeMalformed, "the tool's input can be read in more than one way", `permgate check --tool Edit '{"file_path": 1}'`},
	{say.CodeSensitivePath, "a write to what runs later or holds credentials", `permgate check --tool Edit .git/hooks/pre-commit`},
	{say.CodeSecret, "a read of a secret", `permgate check 'cat /proc/1/environ'`},
	{say.CodeNotUnderstood, "the analysis cannot see through the call, or stopped at a limit", `permgate check 'echo "'`},
	{say.CodeCouldMatchRule, "a deny or ask rule matches for some value of an unknown word",
		`permgate check --disallowedTools 'Bash(git push:*)' 'git $X'`},
	{say.CodeAskedByRule, "an ask rule", ""},
	{say.CodeAddressNotListed, "`urls` has a list `allow`, which does not name the address", ""},
	{say.CodeBypass, "mode bypassPermissions",
		`permgate check --permission-mode bypassPermissions --allow-dangerously-skip-permissions 'make test'`},
	{say.CodeSessionGrant, "granted for this session", ""},
	{say.CodeAllowedByRule, "an allow rule", `permgate check --allowedTools 'Bash(git:*)' 'git status'`},
	{say.CodeSafeTool, "a tool that is safe in every mode", `permgate check --tool Read main.go`},
	{say.CodeReadOnly, "a command that only reads, where `readOnlyCommands` is \"allow\"", ""},
	{say.CodeAcceptEdits, "an edit in mode acceptEdits or auto", `permgate check --permission-mode acceptEdits --tool Edit main.go`},
	{say.CodePlanAllows, "what mode plan is for: the plan file, and with Gen's kind of host agents",
		`permgate check --permission-mode plan --tool Agent Explore`},
	{say.CodeNeedsTheUser, "the tool is itself a question to the user", `permgate check --tool ExitPlanMode '{}'`},
	{say.CodeAutoAllowed, "mode auto allowed it: its list, what is proven of the command, or a classifier", ""},
	{say.CodeAutoAsked, "mode auto asks: `soft_deny`, an edit of a file that is run without asking, or a classifier", ""},
	{say.CodeAutoDenied, "mode auto denies: `hard_deny` or a classifier", ""},
	{say.CodeModeDefault, "no rule matched, and the mode asks", `permgate check 'make test'`},
	{say.CodeMutationInPlan, "mode plan denies what is not safe", `permgate check --permission-mode plan 'make test'`},
	{say.CodeMutationInExplore, "mode explore denies what is not safe", `permgate check --permission-mode explore 'make test'`},
	{say.CodeDontAsk, "mode dontAsk denies what no rule allows", `permgate check --permission-mode dontAsk 'make test'`},
	{say.CodeSettingsFault, "step 0: a settings file cannot be used",
		`permgate check --settings missing.json --allowedTools 'Bash(git:*)' 'git status'`},
	{say.CodeNobodyToAsk, "step 8: an ask, where no one can be asked", `permgate check --headless 'make test'`},
	{say.CodeUserApproved, "the approver said yes", ""},
	{say.CodeUserDenied, "the approver said no", ""},
	{say.CodeUnexpectedCallback, "the approver gave no answer that counts", ""},
	{say.CodeUndecided, "the call could not be decided, and `error.type` in the log says why: the deadline, a fault, a payload that cannot be read", ""},
}

//go:generate go test . -run ^TestCodesPage$ -update

// TestCodesPage runs the example of every reason code, and writes the table of docs/reference.md.
func TestCodesPage(t *testing.T) {
	const home = "/home/dev"
	files := fakefs.New(map[string]string{home + "/app/.git/HEAD": ""})
	files.Own(home, 1000)
	world := gate.World{
		Getenv: func(string) string { return "" }, Cwd: home + "/app", PasswdHome: home, UID: 1000, Files: files,
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, Now: time.Unix(0, 0), ManagedDir: []string{"/none"},
	}
	var table strings.Builder
	for _, row := range reasonCodes {
		table.WriteString("| `" + string(row.Code) + "` | " + row.Doc + " | ")
		if row.Example == "" {
			table.WriteString("|\n")
			continue
		}
		table.WriteString("`" + row.Example + "` |\n")
		sub := bashsafety.Analyze(row.Example, bashsafety.Env{Home: home}).Subcommands[0]
		var args []string
		for _, w := range sub.Argv[1:] {
			args = append(args, w.Text)
		}
		args = append([]string{args[0], "--json", "--home", home}, args[1:]...)
		var out, err strings.Builder
		Main(args, strings.NewReader(""), &out, &err, world)
		if got := gjson.Get(out.String(), "code").Str; got != string(row.Code) {
			t.Errorf("%s: code %q, want %q\n%s%s", row.Example, got, row.Code, out.String(), err.String())
		}
	}
	golden.Part(t, filepath.Join("..", "..", "docs", "reference.md"), "| code | why | for example |\n|---|---|---|",
		"The log has it as `permgate.code`.", table.String()+"\n")
}

// TestCodesNamed: every code has one row.
func TestCodesNamed(t *testing.T) {
	seen := map[say.Code]bool{}
	for _, row := range reasonCodes {
		if row.Code == "" || row.Doc == "" || seen[row.Code] {
			t.Errorf("%q: named twice, or without a meaning", row.Code)
		}
		seen[row.Code] = true
	}
}
