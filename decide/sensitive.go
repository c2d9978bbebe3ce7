package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/permgate--owner/permgate/hookio"
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
	{Path: ".gen", Dir: true, Why: "agent and permgate settings"},
	{Path: ".san", Dir: true, Why: "agent and permgate settings"},
	{Path: ".claude", Dir: true, Why: "agent and permgate settings"},
	{Path: ".vscode", Dir: true, Why: "editor tasks run commands"},
	{Path: ".idea", Dir: true, Why: "run configurations run commands"},
	{Path: ".ssh", Dir: true, Why: "SSH keys and login settings"},
	{Path: ".aws", Dir: true, Why: "cloud credentials"},
	{Path: ".gnupg", Dir: true, Why: "private keys"},
	{Path: ".kube", Dir: true, Why: "cluster credentials run plugins"},
	{Path: ".husky", Dir: true, Why: "git hooks run commands"},
	{Path: ".cursor", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".devcontainer", Dir: true, Why: "container start-up commands"},
	{Path: ".core-agent", Dir: true, Why: "an agent's settings and grants"},
	{Path: ".exathena", Dir: true, Why: "an agent's skills and settings"},
	{Path: ".caliban", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".config/caliban", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: "application support/caliban", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".agents/*.json", Why: "an agent's hook and control files"},
	{Path: ".agents/plugins", Dir: true, Why: "an agent's hooks"},
	{Path: ".codex", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".gemini", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".qwen", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".copilot", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".factory", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".grok", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".windsurf", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".devin", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".augment", Dir: true, Why: "an agent's hook, MCP and settings files"},
	{Path: ".kiro/hooks", Dir: true, Why: "an agent's hooks"},
	{Path: ".kiro/settings", Dir: true, Why: "an agent's MCP and settings files"},
	{Path: ".clinerules/hooks", Dir: true, Why: "an agent's hooks"},
	{Path: ".github/hooks", Dir: true, Why: "an agent's hooks"},
	{Path: ".github/copilot/*.json", Why: "an agent's hook and settings files"},
	{Path: ".config/goose", Dir: true, Why: "an agent's extensions and permission mode"},
	{Path: "block/goose", Dir: true, Why: "an agent's extensions and permission mode"},
	{Path: "code/user/*.json", Why: "what the editor's agent may do without asking"},
	{Path: "code - insiders/user/*.json", Why: "what the editor's agent may do without asking"},
	{Path: ".opencode", Dir: true, Why: "an agent's plugins and settings"},
	{Path: "opencode/plugins", Dir: true, Why: "an agent's plugins"},
	{Path: "opencode.json", Why: "an agent's MCP, permission and settings file"},
	{Path: "opencode.jsonc", Why: "an agent's MCP, permission and settings file"},
	{Path: ".pi/extensions", Dir: true, Why: "an agent's plugins"},
	{Path: ".amp", Dir: true, Why: "an agent's plugins"},
	{Path: "amp/plugins", Dir: true, Why: "an agent's plugins"},
	{Path: "crush.json", Why: "an agent's hook and settings file"},
	{Path: ".crush.json", Why: "an agent's hook and settings file"},
	{Path: "permgate.json", Why: "permgate settings"},
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
	{Path: ".npmrc", Why: "package registry and its tokens"},
	{Path: ".yarnrc", Why: "names programs to run"},
	{Path: ".yarnrc.yml", Why: "names programs to run"},
	{Path: ".pypirc", Why: "package registry and its tokens"},
	{Path: ".netrc", Why: "passwords"},
	{Path: ".git-credentials", Why: "passwords"},
	{Path: ".pgpass", Why: "passwords"},
	{Path: ".mcp.json", Why: "the next session starts the servers listed in it"},
	{Path: ".docker/config.json", Why: "names credential helpers that run"},
	{Path: "crontab", Why: "runs commands on a schedule"},
	{Path: "cron.d", Dir: true, Why: "runs commands on a schedule"},
	{Path: "spool/cron", Dir: true, Why: "runs commands on a schedule"},
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
		if why := c.guardedAt(p); why != "" {
			return why
		}
		switch {
		case !c.Policy.OS.SystemDir(p):
		case u.effect == nil && !c.inside(u.hit):
			return "a file of the system, outside working directory"
		default:
			return "a file of the system"
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
		start := startOf(parts[i])
		for j := range Sensitives {
			s := &Sensitives[j]
			if !mayStart(s.Path, start) {
				continue
			}
			n, ok := matchParts(s.Path, parts[i:])
			meant := ok && (s.Dir || i+n == len(parts))
			if meant && !shared(s, parts[i+n-1]) && !exempted(parts[i:]) {
				return s.Why
			}
		}
	}
	return ""
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
		if ok, _ := doublestar.Match(e, path.Join(parts[:3]...)); ok &&
			(len(parts) == 3 || strings.HasSuffix(e, "**")) {
			return true
		}
	}
	return false
}

// An AskedPath is a pattern, as rules have it, of paths that edits are asked about
// whatever the rules say.
type AskedPath struct {
	Pattern string
	Answer  byte // Asked, AskedUnless, Exempt
}

// What an edit of a path is answered in step 2.
const (
	Asked       = iota
	AskedUnless // where no other pattern makes it
	Exempt      // perhaps; as deny rules are read
)

// AskedPaths are most paths that an edit of is asked about in step 2, as they are usually
// spelled, and all that are exempt or kept by the program that calls.
func (c *Case) AskedPaths() (out []AskedPath) {
	kept := c.keptPaths()
	for i := range Sensitives {
		s := &Sensitives[i]
		p := AskedPath{Pattern: "//**/" + s.Path}
		if s.Dir {
			p.Pattern += "/**"
		}
		within := func(e string) bool { return strings.HasPrefix(e, s.Path+"/") }
		if len(s.Not) > 0 || len(kept) > 0 || slices.ContainsFunc(exempt[:], within) {
			p.Answer = AskedUnless
		}
		out = append(out, p)
		for _, name := range s.Not {
			out = append(out, AskedPath{"//**/" + name + "*", Exempt})
		}
	}
	for _, e := range exempt { // the last component in every spelling of it
		out = append(out, AskedPath{"//**/" + strings.TrimRight(e, "/*") + "*/**", Exempt})
	}
	for _, pattern := range kept {
		out = append(out, AskedPath{pattern, Exempt})
	}
	return out
}

// keptPaths match what the program that calls keeps, see OwnFiles, and more.
func (c *Case) keptPaths() (out []string) {
	if c.Call.Host == nil {
		return nil
	}
	for _, o := range c.Call.Host.Alone.Own {
		switch o.Base {
		case hookio.BaseHome:
			out = append(out, "~/"+strings.ReplaceAll(o.Dir, "{session}", "*")+"/**")
		case hookio.BaseSession:
			out = append(out, "//**/"+o.Dir+"/*"+o.Ext)
		default:
			out = append(out, "//tmp/**", "//var/tmp/**", "//var/folders/**", "//private/**")
		}
	}
	return out
}
