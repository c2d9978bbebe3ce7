package conformance

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// A model of Claude Code's own permission rules, to count the prompts it would
// show by itself: from its pages on permissions, permission modes and tools
// (2026-09, to 2.1.321) as far as they go. It shares nothing with permgate but
// the shell parser's library.

// A hostAnswer is what the host does with a call when no hook speaks.
type hostAnswer uint8

const (
	hostRuns hostAnswer = iota
	hostPrompts
	hostDenies
)

// A hostReading says what the model does where the documentation is silent.
type hostReading uint8

const (
	// documented takes the pages by the letter: lists that are "examples" are complete.
	documented hostReading = iota
	// quietest is the fewest prompts the pages leave room for: whatever only reads
	// is on the read-only list, every variable in front of a command is harmless,
	// and a redirect into the workspace is covered by the rule for its command.
	quietest
	// observed adds what its users report: commands that name files outside the
	// working directories prompt, allow rule or not (anthropics/claude-code
	// issues 20449, 58568, 77972; 52392 says otherwise for find on Windows).
	observed
)

// A claudeHost is one session of the host.
type claudeHost struct {
	reading            hostReading
	mode               string
	cwd, project, home string
	dirs               []string // additionalDirectories
	allow, ask, deny   []claudeRule
	readsOnly          func(command string) bool // by permgate's tables, for the quietest reading
}

// A claudeRule is Tool or Tool(specifier).
type claudeRule struct{ tool, spec string }

// settings reads the permissions of a settings file.
func (h *claudeHost) settings(text string) error {
	plain, err := hujson.Standardize([]byte(text))
	if err != nil {
		return err
	}
	var s struct {
		Permissions struct {
			Allow, Ask, Deny      []string
			AdditionalDirectories []string
			DefaultMode           string
		}
	}
	if err := json.Unmarshal(plain, &s); err != nil {
		return err
	}
	parse := func(list []string) (out []claudeRule) {
		for _, r := range list {
			tool, spec, ok := strings.Cut(r, "(")
			if ok {
				if spec, ok = strings.CutSuffix(spec, ")"); !ok {
					continue // malformed rules are skipped
				}
				spec = ruleEscapes.Replace(spec) // as its dialog writes them
			}
			if spec == "*" {
				spec = ""
			}
			out = append(out, claudeRule{tool, spec})
		}
		return out
	}
	p := s.Permissions
	h.allow, h.ask, h.deny, h.dirs = parse(p.Allow), parse(p.Ask), parse(p.Deny), p.AdditionalDirectories
	if h.mode == "" || h.mode == "default" {
		h.mode = p.DefaultMode
	}
	return nil
}

// ruleEscapes are the escapes of a specifier.
var ruleEscapes = strings.NewReplacer(`\\`, `\`, `\(`, "(", `\)`, ")")

// promptTools says which tools need a permission at all (tools reference); of
// the others only deny and ask rules speak.
var promptTools = regexp.MustCompile(`^(Bash|Monitor|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|Skill|ExitPlanMode|mcp__.*)$`)

// known are the tools a call of any other name than mcp__ is rejected for.
var knownTools = regexp.MustCompile(`^(Bash|Monitor|PowerShell|Read|Edit|MultiEdit|Write|NotebookEdit|Glob|Grep|LS|LSP|WebFetch|WebSearch|Agent|Task|Skill|TodoWrite|` +
	`Task(Create|Get|List|Update|Output|Stop)|BashOutput|KillShell|AskUserQuestion|ExitPlanMode|EnterPlanMode|(Enter|Exit)Worktree|SendMessage|ToolSearch|ListMcpResourcesTool|ReadMcpResourceTool|mcp__.*)$`)

// call answers one call.
func (h *claudeHost) call(tool string, input json.RawMessage) (hostAnswer, string) {
	var in map[string]any
	if !knownTools.MatchString(tool) || json.Unmarshal(input, &in) != nil {
		return hostDenies, "not a call the host takes"
	}
	text := func(key string) string { s, _ := in[key].(string); return s }
	file := text("file_path")
	for _, key := range []string{"notebook_path", "path"} {
		if file == "" {
			file = text(key)
		}
	}
	switch tool {
	case "Bash", "Monitor":
		return h.bash(text("command"))
	case "Read", "Grep", "Glob", "LS", "LSP":
		return h.read(file)
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		return h.edit(tool, file)
	}
	if why, ok := h.named(h.deny, tool, in); ok {
		return hostDenies, why
	}
	if why, ok := h.named(h.ask, tool, in); ok {
		return hostPrompts, why
	}
	switch {
	case tool == "AskUserQuestion", tool == "ExitPlanMode":
		return hostPrompts, "a question to the user"
	case h.mode == "bypassPermissions", h.mode == "auto", !promptTools.MatchString(tool):
		return hostRuns, ""
	}
	if _, ok := h.named(h.allow, tool, in); ok {
		return hostRuns, ""
	}
	return hostPrompts, "no rule for " + tool
}

// named matches rules on tools that are neither shell nor files.
func (h *claudeHost) named(rules []claudeRule, tool string, in map[string]any) (string, bool) {
	for _, r := range rules {
		name := r.tool
		if name == "Task" {
			name = "Agent"
		}
		if tool == "Task" {
			tool = "Agent"
		}
		switch {
		case name != tool && !(strings.HasPrefix(name, "mcp__") && glob(name, tool)) && !(strings.HasPrefix(name, "mcp__") && strings.HasPrefix(tool, name+"__")):
			continue
		case r.spec == "":
			return r.tool, true
		}
		value := ""
		for _, key := range []string{"subagent_type", "skill", "url", "query"} {
			if s, ok := in[key].(string); ok {
				value = s
			}
		}
		spec := r.spec
		if domain, ok := strings.CutPrefix(spec, "domain:"); ok {
			spec = domain
			value = strings.TrimPrefix(strings.TrimPrefix(value, "https://"), "http://")
			value, _, _ = strings.Cut(value, "/")
			value = strings.TrimSuffix(strings.ToLower(value), ".")
		}
		if glob(spec, value) {
			return r.tool, true
		}
	}
	return "", false
}

// glob matches a text with a pattern in which only * means something.
func glob(pattern, text string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return text == pattern
	}
	if !strings.HasPrefix(text, head) {
		return false
	}
	text = text[len(head):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(text, part)
		}
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(part):], more
	}
}

// abs makes a path absolute.
func (h *claudeHost) abs(name, cwd string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		name = h.home + name[1:]
	case !path.IsAbs(name):
		name = cwd + "/" + name
	}
	return path.Clean(name)
}

func within(name, dir string) bool {
	return dir == "/" || name == dir || strings.HasPrefix(name, dir+"/")
}

// inDirs reports whether a path lies in a working directory.
func (h *claudeHost) inDirs(name string) bool {
	if within(name, h.project) || within(name, h.cwd) {
		return true
	}
	for _, d := range h.dirs {
		if within(name, h.abs(d, h.project)) {
			return true
		}
	}
	return false
}

// read is Read, Grep and Glob.
func (h *claudeHost) read(file string) (hostAnswer, string) {
	name := h.abs(file, h.cwd)
	switch {
	case h.pathRule(h.deny, name, true, "Read"):
		return hostDenies, "deny rule"
	case h.pathRule(h.ask, name, true, "Read"):
		return hostPrompts, "ask rule"
	case h.mode == "bypassPermissions", h.mode == "auto", h.inDirs(name), within(name, h.home+"/.claude"): // its own transcripts and results
		return hostRuns, ""
	case h.pathRule(h.allow, name, false, "Read", "Edit"):
		return hostRuns, ""
	}
	return hostPrompts, "reads outside the working directories"
}

// edit is Edit, Write and NotebookEdit.
func (h *claudeHost) edit(tool, file string) (hostAnswer, string) {
	name := h.abs(file, h.cwd)
	for _, r := range h.deny {
		if r.spec == "" && (r.tool == tool || r.tool == "Edit") {
			return hostDenies, "deny rule"
		}
	}
	switch {
	case h.pathRule(h.deny, name, true, "Edit"), tool != "NotebookEdit" && h.pathRule(h.deny, name, true, "Read"):
		return hostDenies, "deny rule"
	case h.pathRule(h.ask, name, true, "Edit"):
		return hostPrompts, "ask rule"
	case h.mode == "bypassPermissions":
		return hostRuns, ""
	case protected(name):
		if h.mode == "auto" {
			return hostRuns, "" // its classifier looks at it
		}
		if h.mode == "plan" && within(name, h.home+"/.claude/plans") {
			return hostRuns, "" // the plan itself
		}
		return hostPrompts, "a protected path"
	case h.mode == "auto", h.mode == "acceptEdits" && h.inDirs(name):
		return hostRuns, ""
	case h.mode == "plan":
		return hostPrompts, "plan mode"
	case h.pathRule(h.allow, name, false, "Edit"):
		return hostRuns, ""
	}
	for _, r := range h.allow {
		if r.spec == "" && r.tool == tool {
			return hostRuns, ""
		}
	}
	return hostPrompts, "edits a file"
}

// protected reports a path whose writes are never approved by a rule.
func protected(name string) bool {
	parts := strings.Split(strings.ToLower(name), "/")
	for i, p := range parts {
		switch p {
		case ".git", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer", ".yarn", ".mvn":
			return true
		case ".claude":
			if i+1 >= len(parts) || parts[i+1] != "worktrees" {
				return true
			}
		case "git":
			if i > 0 && parts[i-1] == ".config" {
				return true
			}
		}
	}
	return protectedFile.MatchString(parts[len(parts)-1])
}

var protectedFile = regexp.MustCompile(`^(\.gitconfig|\.gitmodules|\.bashrc|\.bash_(profile|login|aliases|logout)|\.z(shrc|profile|shenv|login|logout)|\.profile|\.envrc|` +
	`\.npmrc|\.yarnrc(\.yml)?|\.pnp\.(cjs|loader\.mjs)|\.pnpmfile\.cjs|\.?bunfig\.toml|\.bazel(rc|version|iskrc)|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|` +
	`(gradle|maven)-wrapper\.properties|\.devcontainer\.json|\.ripgreprc|pyrightconfig\.json|\.mcp\.json|\.claude\.json)$`)

// pathRule matches the rules of a tool on a path; wide is for deny and ask.
func (h *claudeHost) pathRule(rules []claudeRule, name string, wide bool, tools ...string) bool {
	for _, r := range rules {
		for _, tool := range tools {
			if r.tool == tool && (r.spec == "" || h.specMatches(r.spec, name, wide)) {
				return true
			}
		}
	}
	return false
}

func (h *claudeHost) specMatches(spec, name string, wide bool) bool {
	base, rest := h.cwd, strings.TrimPrefix(spec, "./")
	switch {
	case strings.HasPrefix(spec, "//"):
		base, rest = "/", spec[2:]
	case strings.HasPrefix(spec, "~/"):
		base, rest = h.home, spec[2:]
	case strings.HasPrefix(spec, "/"):
		base, rest = h.project, spec[1:]
	case !strings.Contains(rest, "/"):
		rest = "**/" + rest
	case wide && strings.Count(rest, "/") == 1 && strings.HasSuffix(rest, "/**"):
		rest = "**/" + rest
	}
	if !within(name, base) {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(name, strings.TrimSuffix(base, "/")), "/")
	re := specs[rest]
	if re == nil {
		re = compileSpec(rest)
		specs[rest] = re
	}
	return re.MatchString(rel)
}

// specs are the patterns compiled so far: the tests of a package run one by one.
var specs = map[string]*regexp.Regexp{}

// compileSpec makes a regular expression of a gitignore pattern.
func compileSpec(spec string) *regexp.Regexp {
	var b strings.Builder
	for i := 0; i < len(spec); i++ {
		switch {
		case strings.HasPrefix(spec[i:], "**/"):
			b.WriteString(`(.*/)?`)
			i += 2
		case strings.HasPrefix(spec[i:], "**"):
			b.WriteString(`.*`)
			i++
		case spec[i] == '*':
			b.WriteString(`[^/]*`)
		default:
			b.WriteString(regexp.QuoteMeta(spec[i : i+1]))
		}
	}
	return regexp.MustCompile("^" + b.String() + "(/.*)?$")
}
