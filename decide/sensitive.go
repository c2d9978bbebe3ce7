package decide

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"permgate/rules"
)

// A Sensitive is a file or folder whose content runs later, opens an account,
// or is the policy itself. Writing it is asked about in every mode.
type Sensitive struct {
	// Path is one component or several; a component may hold * and ?. It is met
	// anywhere in a path, and everything below it is meant too when Dir is set.
	Path string
	Dir  bool
	Why  string
	Not  []string // spellings of the last component that are meant to be shared
}

// Sensitives is the table of decisions 5. Components are compared as Linux,
// APFS, HFS+ and NTFS would each read them.
var Sensitives = [...]Sensitive{
	{Path: ".git", Dir: true, Why: "git configuration and hooks run commands"},
	{Path: ".gen", Dir: true, Why: "settings of the agent and of this gate"},
	{Path: ".san", Dir: true, Why: "settings of the agent and of this gate"},
	{Path: ".claude", Dir: true, Why: "settings of the agent and of this gate"},
	{Path: ".vscode", Dir: true, Why: "editor tasks run commands"},
	{Path: ".idea", Dir: true, Why: "run configurations run commands"},
	{Path: ".ssh", Dir: true, Why: "keys and login rights"},
	{Path: ".aws", Dir: true, Why: "cloud credentials"},
	{Path: ".gnupg", Dir: true, Why: "private keys"},
	{Path: ".kube", Dir: true, Why: "cluster credentials run plugins"},
	{Path: ".husky", Dir: true, Why: "git hooks run commands"},
	{Path: ".cursor", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".devcontainer", Dir: true, Why: "container start-up commands"},
	{Path: ".agents/*.json", Why: "hook and control files of an agent"},
	{Path: ".agents/plugins", Dir: true, Why: "hooks of an agent"},
	{Path: ".codex", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".gemini", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".qwen", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".copilot", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".factory", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".grok", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".windsurf", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".devin", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".augment", Dir: true, Why: "hook, MCP and settings files of an agent"},
	{Path: ".kiro/hooks", Dir: true, Why: "hooks of an agent"},
	{Path: ".kiro/settings", Dir: true, Why: "MCP and settings files of an agent"},
	{Path: ".clinerules/hooks", Dir: true, Why: "hooks of an agent"},
	{Path: ".github/hooks", Dir: true, Why: "hooks of an agent"},
	{Path: ".github/copilot/*.json", Why: "hook and settings files of an agent"},
	{Path: ".config/goose", Dir: true, Why: "extensions and permission mode of an agent"},
	{Path: "block/goose", Dir: true, Why: "extensions and permission mode of an agent"},
	{Path: "code/user/*.json", Why: "what the editor's agent may do without asking"},
	{Path: "code - insiders/user/*.json", Why: "what the editor's agent may do without asking"},
	{Path: ".opencode", Dir: true, Why: "plugins and settings of an agent"},
	{Path: "opencode/plugins", Dir: true, Why: "plugins of an agent"},
	{Path: "opencode.json", Why: "MCP, permission and settings file of an agent"},
	{Path: "opencode.jsonc", Why: "MCP, permission and settings file of an agent"},
	{Path: ".pi/extensions", Dir: true, Why: "plugins of an agent"},
	{Path: ".amp", Dir: true, Why: "plugins of an agent"},
	{Path: "amp/plugins", Dir: true, Why: "plugins of an agent"},
	{Path: "crush.json", Why: "hook and settings file of an agent"},
	{Path: ".crush.json", Why: "hook and settings file of an agent"},
	{Path: "permgate.json", Why: "settings of this gate"},
	{Path: ".bashrc", Why: "runs in every shell"},
	{Path: ".bash_profile", Why: "runs in every login shell"},
	{Path: ".bash_login", Why: "runs in every login shell"},
	{Path: ".bash_logout", Why: "runs at every logout"},
	{Path: ".bash_aliases", Why: "runs in every shell"},
	{Path: ".zshrc", Why: "runs in every shell"},
	{Path: ".zprofile", Why: "runs in every login shell"},
	{Path: ".zshenv", Why: "runs in every shell"},
	{Path: ".zlogin", Why: "runs in every login shell"},
	{Path: ".zlogout", Why: "runs at every logout"},
	{Path: ".profile", Why: "runs in every login shell"},
	{Path: ".login", Why: "runs in every login shell"},
	{Path: ".envrc", Why: "direnv runs it on entering the folder"},
	{Path: ".env", Why: "secrets and environment of programs"},
	{Path: ".env.*", Why: "secrets and environment of programs", Not: []string{".env.example", ".env.sample", ".env.template"}},
	{Path: ".gitconfig", Why: "git configuration runs commands"},
	{Path: ".gitmodules", Why: "names repositories whose hooks run"},
	{Path: ".npmrc", Why: "registry and tokens"},
	{Path: ".yarnrc", Why: "names programs to run"},
	{Path: ".yarnrc.yml", Why: "names programs to run"},
	{Path: ".pypirc", Why: "registry and tokens"},
	{Path: ".netrc", Why: "passwords"},
	{Path: ".git-credentials", Why: "passwords"},
	{Path: ".pgpass", Why: "passwords"},
	{Path: ".mcp.json", Why: "the next session starts the servers it names"},
	{Path: ".docker/config.json", Why: "names credential helpers that run"},
	{Path: "crontab", Why: "runs commands by the clock"},
	{Path: "cron.d", Dir: true, Why: "runs commands by the clock"},
	{Path: "spool/cron", Dir: true, Why: "runs commands by the clock"},
}

// exempt are the places inside a sensitive folder that agents write by design.
// Only the first component is exempted: a .git below them still counts.
var exempt = [...]string{".claude/plans/*", ".gen/plans/*", ".claude/worktrees/**"}

// sensitive says why writing u is asked about, "" when it is not.
func (c *Case) sensitive(u *unit) string {
	for _, p := range [...]string{u.hit.Given, u.hit.Real} {
		if why := sensitivePath(p); why != "" {
			return why
		}
		if u.effect == nil && strings.Contains(p, `\`) { // as NTFS reads it
			if why := sensitivePath(strings.ReplaceAll(p, `\`, "/")); why != "" {
				return why
			}
		}
		for _, g := range c.guarded() {
			own := c.path(g)
			if rules.Within(foldPath(p), foldPath(own.Given)) || own.Real != own.Given && rules.Within(foldPath(p), foldPath(own.Real)) {
				return "a file of this gate"
			}
		}
		switch {
		case !c.Policy.OS.SystemDir(p):
		case u.effect != nil:
			return "a file of the system"
		case !c.inside(u.hit) && !c.reaches(u):
			return "a file of the system, outside working directory"
		}
	}
	if u.hit.Given == "" && u.effect != nil {
		return sensitivePath(c.Policy.OS.Slashes(u.effect.Path))
	}
	return ""
}

// sensitivePath looks a path up in the table. Holes and globs in a component
// count as whatever they could be.
func sensitivePath(name string) string {
	if name == "" {
		return ""
	}
	parts := strings.Split(foldPath(name), "/")
	for i := range parts {
		if parts[i] == "" {
			continue
		}
		for j := range Sensitives {
			s := &Sensitives[j]
			n, ok := matchParts(s.Path, parts[i:])
			if !ok || !s.Dir && i+n != len(parts) || shared(s, parts[i+n-1]) || exempted(parts[i:]) {
				continue
			}
			return s.Why
		}
	}
	return ""
}

// matchParts compares the leading components of parts with a table path and
// returns how many it used.
func matchParts(pattern string, parts []string) (int, bool) {
	n := 0
	for rest := pattern; ; n++ {
		want, tail, more := strings.Cut(rest, "/")
		if n >= len(parts) || !componentIs(parts[n], want) {
			return 0, false
		}
		if !more {
			return n + 1, true
		}
		rest = tail
	}
}

// componentIs reports whether a folded path component is, or could be, the
// table's component: both may hold wildcards.
func componentIs(got, want string) bool {
	if got == want || ntfsShort(got, want) {
		return true
	}
	if strings.ContainsAny(want, "*?") {
		ok, _ := doublestar.Match(want, strings.ReplaceAll(got, "\\", ""))
		return ok
	}
	return globCould(got, want)
}

// globCould reports whether a component with shell wildcards or holes could be
// name. One that starts with a wildcard says nothing about the name (and in the
// shell no wildcard matches a leading dot); one that starts with a hole is
// asked about by step 3b.
func globCould(got, name string) bool {
	return got != "" && strings.IndexByte("*?[\x00", got[0]) < 0 && couldBe(got, name)
}

// ntfsShort reports whether got is the 8.3 name NTFS gives want.
func ntfsShort(got, want string) bool {
	base := strings.TrimPrefix(want, ".")
	if len(base) > 6 {
		base = base[:6]
	}
	head, num, ok := strings.Cut(got, "~")
	return ok && want[0] == '.' && len(num) == 1 && num[0] >= '1' && num[0] <= '9' && head == base
}

func shared(s *Sensitive, last string) bool {
	for _, n := range s.Not {
		if last == n {
			return true
		}
	}
	return false
}

func exempted(parts []string) bool {
	if len(parts) < 3 {
		return false
	}
	for _, e := range exempt {
		if ok, _ := doublestar.Match(e, path.Join(parts[:3]...)); ok && (len(parts) == 3 || strings.HasSuffix(e, "**")) {
			return true
		}
	}
	return false
}

// foldPath reads a path as the most forgiving file system would: case, normal
// form and ignorable characters do not count (APFS, HFS+), nor what NTFS takes off.
func foldPath(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		if b := name[i]; b >= utf8.RuneSelf || b >= 'A' && b <= 'Z' || b == ':' || b == '.' || b == ' ' {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	parts := strings.Split(rules.FoldPath(name), "/")
	for i, p := range parts {
		parts[i] = cutComponent(p)
	}
	return strings.Join(parts, "/")
}

// cutComponent takes off one component what NTFS takes off: streams, trailing
// dots and blanks.
func cutComponent(p string) string {
	if p == "." || p == ".." {
		return p
	}
	if i := strings.IndexByte(p, ':'); i > 0 {
		p = p[:i]
	}
	return strings.TrimRight(p, " .")
}

// planFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *Case) planFile(u *unit) bool {
	if c.Policy.Mode.Value != "plan" || u.sub != nil || u.hit.Given == "" {
		return false
	}
	if c.Call.PlanFile != "" && u.hit.Given == u.hit.Real && u.hit.Given == c.toolPath(c.Call.PlanFile).Given {
		return true
	}
	for _, base := range [...]rules.Path{c.Policy.Home, c.Policy.Project} {
		for _, root := range rules.Roots {
			if base.Given != "" && path.Dir(u.hit.Given) == path.Join(base.Given, root, "plans") &&
				path.Dir(u.hit.Real) == path.Join(base.Real, root, "plans") && path.Ext(u.hit.Given) == ".md" && path.Ext(u.hit.Real) == ".md" {
				return true
			}
		}
	}
	return false
}
