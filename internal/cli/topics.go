package cli

import (
	"fmt"
	"strings"

	"permgate/bashsafety"
	"permgate/decide"
	"permgate/internal/agents"
	"permgate/rules"
)

// A topic is a page of help about something that is no subcommand. What has a
// literal elsewhere is printed from there.
type topic struct {
	name  string
	print func(*env)
}

func topics() []topic {
	return []topic{
		{"patterns", text(rulesText)}, {"modes", printModes}, {"steps", printSteps}, {"checks", printChecks}, {"lint-checks", printLintChecks},
		{"hosts", printHosts}, {"posture", printPosture}, {"observe", text(observeText)}, {"exit-codes", text(exitText)},
	}
}

func text(s string) func(*env) { return func(e *env) { e.prose(s) } }

// printSteps prints the pipeline in its order.
func printSteps(e *env) {
	fmt.Fprint(e.out, "Every call goes through these steps; the first one with an opinion answers.\n\n")
	for i := range decide.Steps {
		s := &decide.Steps[i]
		fmt.Fprintf(e.out, "  %-3s%-11s%s\n", s.Num, s.Name, s.Doc)
	}
	fmt.Fprint(e.out, `
Two more only ever make an answer stricter:

  0  load       a settings file that cannot be used turns every allow of steps 3 to 7 into an ask
  8  coercion   where no prompt is possible (subagents, --headless, dontAsk), ask is deny

And the last says what the program gets: the answer, or silence where it decides
itself. permgate explain shows it as step 9.
`)
}

func printChecks(e *env) {
	fmt.Fprint(e.out, "What step 2 asks about in shell texts, whatever the rules say:\n\n")
	for _, c := range bashsafety.Checks() {
		fmt.Fprintf(e.out, "  %-28s %-13s %s\n", c.ID, c.Severity, c.Title)
	}
	fmt.Fprint(e.out, "\npermgate explain ID prints why, what to do instead, and examples.\n")
}

// printModes prints the modes, the laxest first.
func printModes(e *env) {
	fmt.Fprint(e.out, "The mode decides where no rule spoke (step 7).\n\n")
	for _, m := range rules.Modes {
		fmt.Fprintf(e.out, "  %-19s%s\n", m.Name, m.Doc)
	}
	e.prose(modesText)
}

// printPosture prints the keys of permgate.json that decide calls.
func printPosture(e *env) {
	e.prose(postureText)
	for i := range rules.GateKeys {
		k := &rules.GateKeys[i]
		if k.Default == "" && k.Kind != rules.GatePatterns && k.Kind != rules.GateDomains && k.Kind != rules.GateNames && k.Kind != rules.GateRules {
			continue // not part of a decision
		}
		values := strings.Join(k.Values, " | ")
		if values == "" {
			values = k.Example
		}
		fmt.Fprintf(e.out, "  %s: %s", k.Name, values)
		if k.Default != "" {
			fmt.Fprintf(e.out, "   (without: %s)", k.Default)
		}
		fmt.Fprintf(e.out, "\n%s", wrap("      ", k.Doc, 88))
	}
	e.prose(postureHostsText)
	for _, h := range agents.Hosts() {
		fmt.Fprintf(e.out, "  %-8s", h.Name)
		for j, k := range h.Register.Posture {
			if j > 0 {
				fmt.Fprint(e.out, ", ")
			}
			fmt.Fprintf(e.out, "%s: %s", k.Name, k.JSON)
		}
		fmt.Fprintln(e.out)
	}
}

const rulesText = `A rule is Tool or Tool(pattern), in permissions.allow, ask or deny of a settings.json.

  Bash                       every shell call
  Bash(git status)           exactly this command
  Bash(git push:*)           git push, alone or with arguments
  Bash(npm run *)            npm run and whatever follows
  Read(./src/**)             below the working directory; * is one segment, ** any number
  Edit(/docs/**)             below the project root
  Read(~/.ssh/**)            below home
  Read(//etc/passwd)         from the root of the file system: two slashes
  WebFetch(domain:go.dev)    this host; *.go.dev is every host below it
  MCP(mcp__github__*)        every tool of one MCP server
  Agent(Explore)             one type of subagent
  Skill(git:*)               a skill and those in its namespace

A shell text is split into the commands it would run, wherever they are. An
allow must cover every one of them; for deny and ask one is enough. timeout,
time, nice, nohup and stdbuf are looked through. Redirects and file operands are
checked as Read, or as Edit and Write, of their paths.

In a .claude file \(, \) and \\ are (, ) and \, as Claude Code writes them; and an
allow without a * is also a whole text, byte for byte: Bash(cd web && npm test).

deny beats ask, ask beats allow, whatever the scope. A rule that cannot be read
is reported; a deny or ask among them is read in its widest sense.
`

const exitText = `hook
  0   the line on standard output carries the decision; no line is silence
  2   no tool call could be read, or the answer could not be written (standard
      output is full or closed); the reason is on standard error. Agent programs
      block the call then

check
  0   allow      1   ask or silence      2   deny      3   error
  with --lines: 0 all lines were answered, 3 some could not be read

lint, doctor, test, trust --diff
  0   all is well             1   problems found      3   error

all other subcommands
  0   done       3   error; what was written all the same, the message says

Output that cannot be written is an error.
`

const modesText = `
Safe tools: Read Glob Grep WebFetch WebSearch LSP TaskCreate TaskGet TaskList
TaskUpdate AskUserQuestion CronList. Edit tools: Edit Write NotebookEdit.

The mode comes from, first to last: --permission-mode, the agent's definition,
the payload, defaultMode in the settings. bypassPermissions from a file that is
checked in does not count. disableBypassPermissionsMode and disableAutoMode in
any settings file turn those modes into default.
`

const observeText = `Watch first: every call is decided and logged, and none is answered, so that the
program goes on as if there were no hook.

  permgate install --host NAME --observe   begin, for this program
  permgate log -f                          what would have been answered, in parentheses
  permgate log --stats                     which rules and checks would have spoken most
  permgate explain --last                  why, for the last call
  permgate install --host NAME --enforce   end it

It is "enforce": false in your permgate.json or the administrator's. Answered all the
same are a deny of managed settings, everything while a managed file cannot be used,
and what is no decision: a payload that cannot be read, a crash, the deadline. Managed
settings with "enforce": true forbid it; a project can end it for itself.
`

const postureText = `Without permgate.json the rules bind as the settings files say and everything
unmatched is asked. permgate.json (JSON with comments) goes next to settings.json.
A file of any scope may tighten; only yours and the administrator's may loosen.

`

const postureHostsText = `
Keys under "hosts": {"NAME": {...}} bind only calls registered with --host NAME.
permgate install writes these there, where they are absent:

`
