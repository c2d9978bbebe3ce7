package propose

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// ofServer is what a rule by the name of an MCP tool covers.
const ofServer = "every call of that tool"

// exact is the rule for one part of a call and nothing but it.
func exact(c *decide.Input, part *facts.Part, into Into) (Proposal, *Refusal) {
	s := part.Subject
	p := Proposal{Part: part.Label}
	var r *Refusal
	switch {
	case c.Call.Server != "" && s.Alias != "" && into.List == rules.Allow: // Claude Code reads no pattern after such a name
		p.Rule, r = tool(s.Alias)
		p.Note = ofServer
	case s.Command != nil:
		p.Rule, r = command(part, into)
		p.Note = redirected(c, part)
	case s.Path != nil:
		p.Rule, r = file(c, s, into)
	case s.URL != nil:
		p.Rule, r = web(s)
		p.Note = "every address of that host"
	case s.Tool == rules.Sandbox:
		r = refuse("permgate rules add "+into.List.String()+" 'Sandbox(escape)' if you want that",
			"%s: a rule for it is one for every command", part.Label)
	case part.Sub != nil || c.Call.Command != "":
		r = refuse("", "it has no command a rule could name")
	case s.HasName && s.Name != "" && !strings.HasPrefix(s.Tool, "mcp__"):
		p.Rule, r = named(s)
	default:
		p.Rule, r = tool(s.Tool)
		p.Note = "every call of " + s.Tool
		if strings.HasPrefix(s.Tool, "mcp__") {
			p.Note = ofServer
		}
	}
	if s.Alias != "" && into.List == rules.Allow && c.Call.Server == "" { // the only name under which a rule allows it
		p.Rule = s.Alias + strings.TrimPrefix(p.Rule, s.Tool)
	}
	if into.Claude {
		p.Rule = rules.Escape(p.Rule)
	}
	if r == nil {
		r = legible(c, p.Rule, into)
	}
	return p, r
}

// command spells a subcommand as rules match it, quoted where a word could be taken for a wildcard.
func command(part *facts.Part, into Into) (string, *Refusal) {
	text := part.Subject.Command.Allow[0]
	if len(text) != 1 || text[0].Hole != grammar.NoHole {
		if w := unquotedGlob(part); w != "" {
			return "", refuse("name the files in the call",
				"%s: the value of %s is only known at run time, and a rule would need a wildcard", part.Label, w)
		}
		return "", refuse("write the words out in the call",
			"%s: one of its words is only known at run time, and no exact rule covers that", part.Label)
	}
	lit := text[0].Lit
	switch {
	case into.List != rules.Allow && strings.ContainsAny(lit, "*?"):
		return "", refuse("permgate rules add "+into.List.String()+" RULE takes one you write",
			"%s: * and ? are wildcards in %s even in quotes, so no rule matches only this text", lit, into.List)
	case into.Claude && strings.Contains(lit, "*"):
		return "", refuse("permgate rules add allow RULE takes one you write",
			"%s: Claude Code also reads .claude and treats * as a wildcard even in quotes", lit)
	}
	if n := part.Subject.Command.Narrow; n != "" && !part.Subject.Command.Spelled && into.List == rules.Allow {
		return "", refuse("", "%s: no rule with a pattern covers it: %s", part.Label, n)
	}
	return part.Subject.Tool + "(" + lit + ")", nil
}

func unquotedGlob(part *facts.Part) string {
	for i := range part.Sub.Argv {
		if w := &part.Sub.Argv[i]; !w.Known && w.Glob {
			return quote(w.Text)
		}
	}
	return ""
}

// redirected says that the rule covers the command with other redirections too, where it does.
func redirected(c *decide.Input, part *facts.Part) string {
	redirects := func(f bashsafety.Effect) bool { return f.Redirect }
	if slices.ContainsFunc(part.Sub.Effects, redirects) && c.Facts().CoversRedirects() {
		return "the command with any redirection inside the workspace"
	}
	return ""
}

// file names a path from what stays where it is: the project in its own settings, else home, else the root.
func file(c *decide.Input, s *rules.Subject, into Into) (string, *Refusal) {
	if s.Glob != "" || s.Path.Given == "" {
		return "", refuse("name the file in the call", "the value of %s is only known at run time", quote(s.Path.Given))
	}
	if into.Claude && into.List != rules.Allow && strings.ContainsAny(s.Path.Given, "*?") {
		return "", refuse("permgate rules add "+into.List.String()+" RULE takes one you write",
			"%s: * and ? are always wildcards in %s of a .claude file, so no rule matches only this path", quote(s.Path.Given), into.List)
	}
	tool := "Read"
	if rules.EditTool(s.Tool) {
		tool = "Edit"
	}
	return tool + "(" + anchored(c.Policy, s.Path.Given, into.Scope) + ")", nil
}

func anchored(p *rules.Policy, name string, scope rules.Scope) string {
	if rest, ok := below(name, p.Project.Given); ok && scope != rules.User {
		return "/" + literal(rest)
	}
	if rest, ok := below(name, p.Home.Given); ok {
		return "~/" + literal(rest)
	}
	return "//" + literal(strings.TrimPrefix(name, "/"))
}

func below(name, dir string) (string, bool) {
	if dir == "" || dir == "/" || !rules.Within(name, dir) || name == dir {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, path.Clean(dir)), "/"), true
}

// literal escapes what a path pattern takes for a wildcard or class.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

func web(s *rules.Subject) (string, *Refusal) {
	switch {
	case !s.URL.Sure || s.URL.Host == "":
		return "", refuse("", "%s: its host is uncertain", quote(s.URL.Text))
	case strings.ContainsAny(s.URL.Host, "*?"):
		return "", refuse("", "%s: no rule can name a host with a wildcard in it", s.URL.Host)
	}
	return "WebFetch(domain:" + s.URL.Host + ")", nil
}

// tool is the rule for a tool by name. The names of servers and patterns would cover others too.
func tool(name string) (string, *Refusal) {
	rest, mcp := strings.CutPrefix(name, "mcp__")
	if strings.ContainsAny(name, "*?()") || mcp && !strings.Contains(rest, "__") {
		return "", refuse("", "no rule can name only the tool %s", quote(name))
	}
	return name, nil
}

// named is the rule for an agent type, a skill, or the primary field of any other tool.
func named(s *rules.Subject) (string, *Refusal) {
	if strings.ContainsAny(s.Name, "*?") || strings.TrimSpace(s.Name) != s.Name {
		return "", refuse("", "no rule for %s can match only %s: * and ? are wildcards there, and leading and trailing spaces are ignored", s.Tool, quote(s.Name))
	}
	return s.Tool + "(" + s.Name + ")", nil
}

// stems adds the wider rule of a part, if works says that it does what it should.
func stems(c *decide.Input, p *Proposal, parts []facts.Part, into Into, works func(string) bool) {
	for i := range parts {
		if e, r := exact(c, &parts[i], into); r != nil || e.Rule != p.Rule {
			continue
		}
		stem, why := wider(&parts[i], p.Rule, into)
		switch {
		case why == "" && stem != "" && works(stem):
			p.Stem = stem
		case why == "" && stem != "":
			p.NoStem = stem + " would not cover the call"
			if cmd := parts[i].Subject.Command; cmd != nil && cmd.Narrow != "" {
				p.NoStem += ": " + cmd.Narrow
			}
		default:
			p.NoStem = why
		}
		return
	}
}

func wider(part *facts.Part, rule string, into Into) (stem, why string) {
	s := part.Subject
	switch {
	case !strings.Contains(rule, "("): // it covers every call of the tool
	case s.Command != nil && s.Tool == "Bash":
		n := part.Sub.Stem()
		if n == 0 {
			return "", "options or unknown words separate the words that say what it does"
		}
		if into.List == rules.Allow {
			if why := part.Sub.Open(); why != "" {
				return "", why
			}
		}
		words := make([]string, n)
		for i := range words {
			words[i] = part.Sub.Argv[i].Text
		}
		return "Bash(" + strings.Join(words, " ") + ":*)", ""
	case s.Path != nil && s.Glob == "":
		return folder(rule)
	case s.Tool == "Skill" && s.HasName:
		if ns, _, ok := strings.Cut(s.Name, ":"); ok && ns != "" {
			return "Skill(" + ns + ":*)", ""
		}
	}
	return "", ""
}

// folder is the rule for a file's folder and all below, never for a whole project, home, disk or system folder.
func folder(rule string) (stem, why string) {
	tool, pattern, _ := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	rest := strings.TrimLeft(pattern, "~/")
	anchor := strings.TrimSuffix(pattern, rest)
	dir := path.Dir(rest)
	if dir == "." || anchor == "//" && !strings.Contains(dir, "/") {
		return "", "the file's folder is too broad for one rule"
	}
	return tool + "(" + anchor + dir + "/**)", ""
}

// Parent is the rule for the folder above that of a folder's rule, or why none exists.
func Parent(rule string) (wider, why string) {
	at, ok := strings.CutSuffix(rule, "/**)")
	if !ok {
		return "", ""
	}
	return folder(at + ")")
}

func destructive(v decide.Verdict) bool {
	return v.Origin() == "2" && v.Why().Check != nil && v.Why().Check.Severity == bashsafety.Destructive
}

// asksAboutSecret reports whether step 2 asks only about reading secrets.
func asksAboutSecret(v decide.Verdict, secrets []facts.Part) bool {
	return v.Origin() == "2" && v.Why().Check == nil && len(secrets) > 0
}

func isSecret(secrets []facts.Part, part *facts.Part) bool {
	return slices.ContainsFunc(secrets, func(p facts.Part) bool { return p.Subject == part.Subject })
}

// withoutSecrets are the proposals but those for reads of secrets, which have no stem from the start.
func withoutSecrets(list []Proposal) []Proposal {
	return slices.DeleteFunc(slices.Clone(list), func(p Proposal) bool { return p.NoStem != "" })
}

// elsewhere names the scope whose rule could allow what step 2 asks about, "" for none.
func elsewhere(c *decide.Input, v decide.Verdict, secrets []facts.Part) string {
	if _, local := v.Lifts(rules.Local); local && destructive(v) {
		return "a rule for this project only can: --scope local"
	}
	if asksAboutSecret(v, secrets) {
		return "a rule in your own settings can: --scope user"
	}
	return ""
}

func has(parts []facts.Part, sub *bashsafety.Subcommand) bool {
	return sub != nil && slices.ContainsFunc(parts, func(p facts.Part) bool { return p.Sub == sub })
}

// forgone says what is given up with an exact rule that lifts what is asked about.
func forgone(c *decide.Input, sub *bashsafety.Subcommand) string {
	var does []string
	for i := range c.Script.Findings {
		f := &c.Script.Findings[i]
		if f.Sub >= 0 && &c.Script.Subcommands[f.Sub] == sub && f.Check.Severity == bashsafety.Destructive {
			does = append(does, f.Check.Title+" ("+f.Check.ID+")")
		}
	}
	if len(does) == 0 {
		does = append(does, "writes outside "+c.Policy.Project.Given)
	}
	return "you are no longer asked before this command " + strings.Join(does, " and ")
}
