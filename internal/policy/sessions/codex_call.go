package sessions

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// codexFunction is the call as its hook gets it: Bash for each tool that runs a command.
func codexFunction(p gjson.Result, cwd string) (tool, input, why string) {
	tool = p.Get("name").Str
	if space := p.Get("namespace").Str; strings.HasPrefix(space, "mcp__") {
		tool = strings.TrimSuffix(space, "__") + "__" + tool
	}
	input = strings.TrimSpace(p.Get("arguments").Str)
	if _, ok := object([]byte(input)); !ok {
		return tool, input, skipArguments
	}
	args := gjson.Parse(input)
	switch tool {
	case "exec_command":
		tool, input = codexShell(args.Get("cmd"), args.Get("workdir").Str, cwd)
	case "shell", "shell_command", "local_shell", "container.exec":
		tool, input = codexShell(args.Get("command"), args.Get("workdir").Str, cwd)
	}
	return tool, input, ""
}

// codexShell is the call of a command in a folder. A shell that is given the text of a
// command is that command.
func codexShell(command gjson.Result, dir, cwd string) (tool, input string) {
	words := command.Array()
	if command.IsArray() && len(words) == 3 && shellText(words[0].Str, words[1].Str) {
		command = words[2]
	}
	b := []byte("{")
	if command.Exists() {
		b = append(append(b, `"command":`...), command.Raw...)
	}
	if dir = codexDir(dir, cwd); dir != "" {
		if command.Exists() {
			b = append(b, ',')
		}
		b = hookio.AppendJSON(append(b, `"workdir":`...), dir)
	}
	return "Bash", string(append(b, '}'))
}

// codexDir is the folder of a command, "" where it is that of the session. The file may
// be of another system than this one.
func codexDir(dir, cwd string) string {
	if dir == "" || cwd == "" {
		return dir
	}
	switch {
	case dir[0] == '/', dir[0] == '\\', dir[0] == '~', len(dir) > 1 && dir[1] == ':':
	default:
		dir = path.Clean(cwd + "/" + dir)
	}
	if path.Clean(dir) == path.Clean(cwd) {
		return ""
	}
	return dir
}

func shellText(program, option string) bool {
	switch path.Base(program) {
	case "bash", "sh", "zsh":
		return option == "-lc" || option == "-c"
	}
	return false
}

// codexOutcome notes what became of a call by the text the model got.
func codexOutcome(c *Call, out gjson.Result) {
	text := out.Str
	if out.IsObject() {
		text = out.Get("content").String()
	} else if out.IsArray() {
		text = textOf(out)
	}
	if c.refusedBy(codexSentences[:], text) {
		return
	}
	c.Outcome = log.Ran
	if v, ok := object([]byte(text)); ok {
		c.ended(v.Get("metadata.exit_code").Int() != 0)
		return
	}
	for _, mark := range [...]string{"Process exited with code ", "Exit code: "} {
		if _, rest, ok := strings.Cut(text[:min(len(text), 1<<10)], mark); ok {
			c.ended(!strings.HasPrefix(rest, "0"))
			return
		}
	}
}

// codexSentences are how results begin that say that a call did not run.
var codexSentences = [...]sentence{
	{"exec command rejected by user", "", ByUser},
	{"patch rejected by user", "", ByUser},
	{"rejected by user", "", ByUser},
	{"This action was rejected due to unacceptable risk", "", ByClassifier},
	{"exec command rejected", "", ByUnknown},
	{"Command blocked by PreToolUse hook", "", ByUnknown},
	{"failed to parse function arguments", "", ""},
	{"aborted", "", ""},
}
