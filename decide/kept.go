package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// hostsFile reports whether a unit writes a file that the host tells its agent to
// keep: its literal names the place (hookio.OwnFiles). Such a file is neither
// sensitive nor outside, and it is never allowed by us.
func (c *scene) hostsFile(u *unit) bool {
	return u.write && (u.sub != nil || rules.EditTool(c.Call.Tool)) && c.hostsPlace(u)
}

// hostsPlace is hostsFile for a unit that may only read.
func (c *scene) hostsPlace(u *unit) bool {
	h := c.Call.Host
	if h == nil || u.hit.Given == "" || c.Call.Alias {
		return false
	}
	for i := range h.Alone.Own {
		o := &h.Alone.Own[i]
		if u.sub != nil && !o.Shell {
			continue
		}
		if slices.ContainsFunc(c.hostsFolders(o), func(dir string) bool { return c.inHostsFolder(o, dir, u) }) {
			return true
		}
	}
	return false
}

// writesOwn reports whether the call writes a file of the host's own that does
// not lie in the workspace.
func (c *reading) writesOwn() bool {
	for u := range c.Units() {
		if c.hostsFile(u) && !c.World.Inside(u.hit) {
			return true
		}
	}
	return false
}

// hostsFolders lists the folders that one entry of the host's literal means for this call.
func (c *scene) hostsFolders(o *hookio.OwnFiles) []string {
	home, call := c.Policy.Home.Given, c.Call
	if strings.Contains(o.Dir, "{session}") && !plainComponent(call.SessionID) {
		return nil
	}
	switch o.Base {
	case hookio.BaseHome:
		if home != "" {
			return []string{path.Join(home, strings.ReplaceAll(o.Dir, "{session}", call.SessionID))}
		}
	case hookio.BaseProject:
		if project := c.Policy.Project.Given; project != "" {
			return []string{path.Join(project, o.Dir)}
		}
	case hookio.BaseScratch:
		if dir := c.Policy.OS.Canon(call.Scratch); path.IsAbs(dir) && c.World.Temporary(c.World.Path(path.Clean(dir)+"/x")) {
			return []string{path.Clean(dir)}
		}
	case hookio.BaseSession:
		if call.Transcript != "" {
			return []string{path.Join(path.Dir(c.Policy.OS.Canon(call.Transcript)), o.Dir)}
		}
		if home != "" && o.Projects != "" {
			in := func(project string) string { return path.Join(home, o.Projects, projectName(project), o.Dir) }
			return []string{in(c.Policy.Project.Given), in(c.Policy.Cwd.Given)}
		}
	}
	return nil
}

// plainComponent reports whether a text is one component of a path, without wildcards.
func plainComponent(text string) bool {
	return rules.Component(text) && !strings.ContainsAny(text, `*?[\`)
}

// projectName is the name of a project's folder among the transcripts: its path
// with a dash for every character that is neither letter nor digit.
func projectName(dir string) string {
	return strings.Map(func(r rune) rune {
		if plainLetter(r) || isDigit(r) {
			return r
		}
		return '-'
	}, dir)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func plainLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// inHostsFolder reports whether a unit lies in one such folder, and no symlink on the
// way from the folder leads elsewhere.
func (c *scene) inHostsFolder(o *hookio.OwnFiles, dir string, u *unit) bool {
	if at := path.Dir(u.hit.Given); strings.Contains(o.Dir, "*") {
		if ok, _ := path.Match(dir, at); !ok {
			return false
		}
		dir = at
	}
	rest, ok := strings.CutPrefix(u.hit.Given, dir+"/")
	if !ok || u.effect != nil && u.effect.Glob || !keptAs(o, rest) {
		return false
	}
	folder := path.Base(dir) + "/" + rest
	return u.hit.Real == c.World.Path(dir).Real+"/"+rest && strings.HasSuffix(u.hit.Real, "/"+folder)
}

// keptAs reports whether a host keeps such a file in a folder of its own.
func keptAs(o *hookio.OwnFiles, name string) bool {
	if name == "" || !o.Deep && strings.Contains(name, "/") {
		return false
	}
	return strings.HasSuffix(name, o.Ext) && guard.SensitivePath(name) == ""
}

// planFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *scene) planFile(u *unit) bool {
	if c.Policy.Mode.Value != "plan" || u.sub != nil || u.hit.Given == "" {
		return false
	}
	return !c.Call.Alias && (c.namedByHost(u.hit) || c.inPlans(u))
}

// inPlans reports whether a unit is a plan in a settings folder of the home or the project.
func (in *Input) inPlans(u *unit) bool {
	for _, base := range [...]rules.Path{in.Policy.Home, in.Policy.Project} {
		for _, root := range load.Roots {
			if base.Given != "" && isPlan(u.hit.Given, base.Given, root) && isPlan(u.hit.Real, base.Real, root) {
				return true
			}
		}
	}
	return false
}

// plans reports whether mode plan lets a tool of the main session pass that is not safe: one that
// begins a plan, or an agent, whose calls are decided in the mode too. One whose input picks a
// mode is not let through, for the host may run it in that.
func (in *Input) plans() bool {
	if !slices.Contains(in.Call.Host.PlanPasses, in.Call.Grantee()) || in.Call.Subagent() || in.asAgent() {
		return false
	}
	for key := range hookio.Members(in.Call.Input.Raw) {
		if strings.Contains(strings.ToLower(key), "mode") && key != "model" {
			return false
		}
	}
	return true
}

// namedByHost reports whether a path is the plan file that the host names.
func (c *scene) namedByHost(p rules.Path) bool {
	return c.Call.PlanFile != "" && p.Given == p.Real && p.Given == c.World.ToolPath(c.Call.PlanFile).Given
}

// isPlan reports whether a path is one of a plan in the settings folder of a base.
func isPlan(name, base, root string) bool {
	return path.Dir(name) == path.Join(base, root, "plans") && path.Ext(name) == ".md"
}

// An AskedPath is a pattern, as rules have it, of paths that edits are asked about
// whatever the rules say.
type AskedPath struct {
	Pattern string
	Answer  byte // Asked, AskedUnless, Unasked
}

// What an edit of a path is answered in step 2.
const (
	Asked       = iota
	AskedUnless // where no other pattern makes it
	Unasked     // perhaps; as deny rules are read
)

// AskedPaths are most paths that an edit of is asked about in step 2, as they are usually
// spelled, and all that are exempt or kept by the program that calls.
func (c *scene) AskedPaths() (out []AskedPath) {
	kept := c.keptPaths()
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		for _, name := range s.Paths {
			pattern, within := "//**/"+strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/")
			switch {
			case name[0] == '~', name[0] == '$', s.Class == guard.Content:
				continue
			case s.Class != guard.Control: // the last component in every spelling of it
				out = append(out, AskedPath{strings.TrimRight(pattern, "/*") + "*/**", Unasked})
				continue
			case within:
				pattern += "/**"
			}
			p := AskedPath{Pattern: pattern}
			below := func(o AskedPath) bool { return o.Answer == Unasked && strings.HasPrefix(o.Pattern+"/", "//**/"+name) }
			if len(s.Not) > 0 || len(kept) > 0 || within && slices.ContainsFunc(out, below) { // those rows come first
				p.Answer = AskedUnless
			}
			out = append(out, p)
		}
		for n := 0; s.Class == guard.Control && n < len(s.Not); n++ {
			out = append(out, AskedPath{"//**/" + s.Not[n] + "*", Unasked})
		}
	}
	for _, pattern := range kept {
		out = append(out, AskedPath{pattern, Unasked})
	}
	return out
}

// keptPaths match what the program that calls keeps, see OwnFiles, and more.
func (c *scene) keptPaths() (out []string) {
	if c.Call.Host == nil {
		return nil
	}
	for _, o := range c.Call.Host.Alone.Own {
		switch o.Base {
		case hookio.BaseHome:
			out = append(out, "~/"+strings.ReplaceAll(o.Dir, "{session}", "*")+"/**")
		case hookio.BaseSession:
			out = append(out, "//**/"+strings.TrimPrefix(o.Dir, "../")+"/*"+o.Ext)
		case hookio.BaseProject:
			out = append(out, "/"+o.Dir+"/*"+o.Ext)
		default:
			out = append(out, "//tmp/**", "//var/tmp/**", "//var/folders/**", "//private/**")
		}
	}
	return out
}

// immuneSecrets asks about reading a secret outside the project, where the
// posture says so, unless an exact rule of the user or managed settings names it.
func immuneSecrets(c *Case) []verdict.Question {
	if c.Policy.Posture.Secrets.Value != "ask" {
		return nil
	}
	return append(secretReads(c), immuneNamedSecret(c)...)
}

// secretReads are the questions about the parts of the call.
func secretReads(c *Case) (all []verdict.Question) {
	for u := range c.Units() {
		if !c.readsContent(u) {
			continue
		}
		if name, why := c.secretRead(u); why != "" {
			all = append(all, readsSecret(u, u.text, c.doer(u)+"reads "+quoted(c.Policy, name)+", which contains "+why,
				"To allow it, add Read("+ruleName(name, c.World.Home.Given)+") to the allow list of your own settings"))
		}
	}
	return all
}

// readsSecret asks about a read of a secret.
func readsSecret(u *unit, part, text, hint string) verdict.Question {
	return verdict.Ask(verdict.Secret, secretRead{u}, func() verdict.Reason { return immune("secret-file", part, text, hint) })
}

// ruleName is how a Read rule names an absolute path.
func ruleName(name, home string) string {
	if rest, ok := strings.CutPrefix(name, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return "/" + name
}

// readsContent reports whether a unit shows what a file holds.
func (c *scene) readsContent(u *unit) bool {
	switch e := u.effect; {
	case u.write:
		return false
	case e != nil:
		return (e.Kind == bashsafety.Read || e.Kind == bashsafety.Source) && !e.Key && !e.Silent
	case u.sub != nil || u.subject.Path == nil:
		return false
	}
	return c.Call.Tool != "Glob" && c.Call.Tool != "LS"
}

// secretRead returns the secret outside the project that a unit reads, and what
// it holds; "" where it reads none.
func (c *scene) secretRead(u *unit) (name, why string) {
	place := u.hit
	if place.Given == "" && u.subject.Path != nil {
		place = *u.subject.Path
	}
	if place.Given == "" {
		return c.guard.SecretUnknown(u.target())
	}
	if name, why = c.guard.SecretOutside(place); why != "" {
		return name, why
	}
	if u.effect != nil && u.effect.Recursive || u.effect == nil && c.Call.Tool == "Grep" {
		return c.guard.SecretBelow(place)
	}
	return "", ""
}

// allowedByName reports whether an exact allow rule of the user or managed
// settings names what a unit reads, or the command that reads it.
func (c *reading) allowedByName(u *unit) bool {
	list := c.Policy.Allow
	for i := range list {
		if c.Call.Alias || !NamesOne(&list[i]) {
			continue
		}
		one := list[i : i+1]
		if len(c.Policy.Match(one, &u.subject)) > 0 {
			return true
		}
		for o := range c.Units() {
			if u.sub != nil && o.isCommand(u.sub) && len(c.Policy.Match(one, &o.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// NamesOne reports whether a rule of the user or managed settings names one thing.
func NamesOne(r *rules.Rule) bool {
	trusted := r.Scope == rules.User || r.Scope == rules.Managed
	return trusted && !r.Bare && !strings.ContainsAny(r.Pattern, "*?[")
}

// Secret reports whether what an effect reads holds keys or tokens, wherever it
// lies: the analysis asks so that it can follow them to the network.
func (c *scene) Secret(e *bashsafety.Effect) bool {
	c.settle()
	return c.guard.ReadsSecret(e)
}

// SecretReads are the parts that step 2 asks about as reads of a secret outside
// the project. An exact Read rule in the user's own settings allows each.
func SecretReads(c *Case) []Part {
	c.prepare()
	if c.Policy.Posture.Secrets.Value != "ask" {
		return nil
	}
	var parts []Part
	for _, q := range c.allStanding(secretReads) {
		if r, ok := verdict.Evidence[secretRead](q); ok {
			parts = append(parts, r.part())
		}
	}
	return parts
}

// immuneNamedSecret asks where a text reads a file that is only known when it
// runs, and spells out a secret, or looks through a folder with one.
func immuneNamedSecret(c *Case) (all []verdict.Question) {
	open := slices.DeleteFunc(c.openings(), func(o opening) bool { return o.writes })
	if len(open) == 0 {
		return nil
	}
	asks := func(o *opening, name, why string) {
		p, part := c.World.Path(name), Spell(o.sub.Argv)
		all = append(all, readsSecret(&unit{subject: rules.Subject{Tool: "Read", Path: &p}}, part,
			say.Quoted(part)+origin(o.sub)+" may read "+quoted(c.Policy, name)+", which contains "+why,
			"Try naming the files it reads"))
	}
	for m := range c.mentions() {
		if m.text[0] != '/' && m.text[0] != '~' && !strings.HasPrefix(m.text, "..") {
			continue // a relative name leads into the project
		}
		name, why := c.guard.SecretOrStore(m.path.Given)
		if why == "" || usedKey(c.Script, m.path.Given) {
			continue
		}
		if at := slices.IndexFunc(open, func(o opening) bool { return c.mayBe(&o, m) }); at >= 0 {
			asks(&open[at], name, why)
		}
	}
	if name, why := c.searchedStore(); why != "" {
		asks(&open[0], name, why)
	}
	return all
}

// searchedStore returns a credential store of the home in a folder whose names a command
// of the text looks through, such as find's: what reads a file that is not known may be handed it.
func (c *reading) searchedStore() (name, why string) {
	for i := range c.Script.Subcommands {
		effects := c.Script.Subcommands[i].Effects
		for j := range effects {
			e := &effects[j]
			if e.Kind != bashsafety.Read || !e.Recursive || !e.Silent {
				continue
			}
			if name, why = c.guard.SecretBelow(c.World.EffectPath(e)); why != "" {
				return name, why
			}
		}
	}
	return "", ""
}

// usedKey reports whether a command of the text uses a file as its key.
func usedKey(script *bashsafety.Analysis, name string) bool {
	for i := range script.Subcommands {
		for j := range script.Subcommands[i].Effects {
			if e := &script.Subcommands[i].Effects[j]; e.Key && e.Path == name {
				return true
			}
		}
	}
	return false
}

// namesSecret returns the first word of a text that names a secret, or a folder of them, wherever it lies, or what a
// search of the text finds: what reads a file that is not known may read that one.
func (c *reading) namesSecret() string {
	if c.secretWord == nil {
		name := c.findSecretWord()
		c.secretWord = &name
	}
	return *c.secretWord
}

func (c *reading) findSecretWord() string {
	for m := range c.mentions() {
		if guard.IsSecretPlace(m.path.Given) {
			return m.text
		}
	}
	for i := range c.Script.Subcommands {
		effects := c.Script.Subcommands[i].Effects
		for j := range effects {
			if e := &effects[j]; e.Kind == bashsafety.Looks && e.Dots && guard.FindsSecret(path.Base(e.Path)) {
				return path.Base(e.Path)
			}
		}
	}
	name, _ := c.searchedStore()
	return name
}

// contained says why a command in a container, or the one that brings it there, may
// show what is secret: the files of a container are not looked at one by one.
func contained(sub *bashsafety.Subcommand) (why string) {
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if sub.Contained() && !w.Known {
			return "it reads an unknown file in a container"
		}
		spellings(w.Text, func(name string) {
			at := strings.TrimPrefix(path.Clean("/"+name), "/var")
			if guard.IsSecretPlace(at) || tellsOfProcesses(at) {
				why = "it reads a file in a container that may contain keys or tokens"
			}
			if sub.Contained() && name[0] == '/' && holdsSecrets(at) && !listsNames(sub.Program) {
				why = "it reads a folder in a container that may contain keys or tokens"
			}
		})
	}
	return why
}

// tellsOfProcesses reports whether a file of /proc may show the environment or the
// memory of a process: all but the plain facts about the machine.
func tellsOfProcesses(at string) bool {
	return strings.HasPrefix(at, "/proc/") && at != "/proc/cpuinfo" && at != "/proc/meminfo"
}

// holdsSecrets reports whether the places of keys in a container lie below a folder.
func holdsSecrets(folder string) bool {
	return slices.Contains([]string{"", "/", "/etc", "/home", "/proc", "/root", "/run"}, folder)
}

// listsNames reports whether a program shows no more of a folder than its names.
func listsNames(program string) bool {
	return slices.Contains([]string{"ls", "stat", "find", "du", "df", "tree", "test", "[", "file"}, program)
}
