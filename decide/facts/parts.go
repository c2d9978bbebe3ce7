package facts

import (
	"iter"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// findParts lists the parts of the call.
func (c *matcher) findParts() {
	switch call := c.Call(); {
	case call.Malformed != "":
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: call.Tool, Also: call.AlsoTool, Bare: true},
			text: call.Tool, needsAllow: true})
	case c.Script() != nil:
		c.shellUnits()
		c.urlUnits("WebFetch", nil)
		if call.OfServer() {
			c.fieldURLs()
		}
	case len(call.Args) > 0:
		c.pathUnits()
		c.urlUnits("WebFetch", nil) // a download is a request as well
	default:
		c.toolUnits()
		if call.URL == "" {
			c.urlUnits("WebFetch", nil)
			c.fieldURLs()
		}
	}
	for u := range c.Units() {
		if s := &u.subject; c.Call().Alias && s.Tool == c.Call().Tool {
			s.Alias, s.Also, s.Name, s.HasName = c.Call().Grantee(), c.Call().AlsoTool, c.Call().Name, c.Call().HasName
		}
	}
	if c.Call().Escape != "" {
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: rules.Sandbox, Name: rules.Leaves, HasName: true}, text: leaves,
			quote: leaves + " (Sandbox(escape), asked for by " + c.Call().Escape + ")", needsAllow: true})
	}
	if c.Call().Malformed == "" && c.takesAnyText() {
		c.accessUnits()
	}
	for i := range c.units {
		c.units[i].number = i
	}
	if len(c.units) > fewParts || c.Policy().Many {
		c.in.Policy = c.in.Policy.AsIndexed(rules.Long)
	}
}

// Units are the parts of the call.
func (c *reading) Units() iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for i := range c.units {
			if !yield(&c.units[i]) {
				return
			}
		}
	}
}

// Count is how many parts the call has.
func (c *reading) Count() int { return len(c.units) }

// First is the first part of the call.
func (c *reading) First() *Unit { return &c.units[0] }

// Only is the call's one part, nil where it has more.
func (c *reading) Only() *Unit {
	if len(c.units) != 1 {
		return nil
	}
	return &c.units[0]
}

// Crowded reports whether the input of a tool names more files than were looked at.
func (c *reading) Crowded() bool { return c.crowded }

// Overrun is the first rule that was not compared any more, nil where all were.
func (c *matcher) Overrun() *rules.Rule { return c.overrun }

// Parts lists the parts of a call with the rules that match them. It decides
// nothing: it is what explain shows with the verdict.
func (c Facts) Parts() []Part {
	p := c.Policy()
	lists := [][]rules.Rule{p.Deny, nil, p.Ask, c.Grants().Rules, p.Allow, nil}
	if a := p.Agent; a != nil {
		lists[1], lists[5] = a.Deny, a.Allow
	}
	parts := make([]Part, 0, c.Count())
	for u := range c.Units() {
		part := u.Part()
		for _, list := range lists {
			part.Hits = append(part.Hits, p.Match(list, &u.subject)...)
		}
		parts = append(parts, part)
	}
	return parts
}

// Missing lists the parts of the call that need an allow and have none in a
// list of allow rules: one list has to cover them all.
func (c Facts) Missing(list []rules.Rule) []Part {
	var out []Part
	for u := range c.Units() {
		if !u.needsAllow {
			continue
		}
		if _, ok := c.Allows(list, u); !ok {
			out = append(out, u.Part())
		}
	}
	return out
}

// leaves is how reasons name the part of a call that asks to run outside of the host's sandbox.
const leaves = "leaving the sandbox"

// toolUnits are the subjects of a call that is neither shell text nor a path:
// one, but one for each URL of a call that fetches several.
func (c *reading) toolUnits() {
	call := c.Call()
	s := rules.Subject{Tool: call.Tool, Also: call.AlsoTool, Name: call.Name, HasName: call.HasName, Label: call.Label,
		Fields: c.fields()}
	if call.Called != "" && call.Called != call.Tool {
		s.Tool, s.Alias = call.Called, call.Tool
	}
	text := call.Tool
	switch {
	case call.URL != "":
		c.urlUnits(call.Tool, s.Fields)
		return
	case call.Tool == "Glob" || call.Tool == "Grep" || call.Tool == "LS":
		c.searchUnits(s.Fields)
		return
	case call.HasName:
		text = call.Tool + " " + call.Name
	}
	c.units = append(c.units, Unit{subject: s, text: text, needsAllow: true})
}

// urlUnits adds every address the call reaches.
func (c *reading) urlUnits(tool string, fields []rules.Field) {
	add := func(url string) {
		u := rules.ParseURL(url)
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: tool, URL: &u, Fields: fields}, text: url,
			needsAllow: true})
	}
	if c.Call().URL != "" {
		add(c.Call().URL)
	}
	for _, url := range c.Call().AlsoURL {
		add(url)
	}
}

// searchUnits are the folders a search without a path looks at: those its
// patterns name before their first wildcard, relative to cwd, else cwd.
func (c *reading) searchUnits(fields []rules.Field) {
	c.filterUnits(c.World().Dir, fields)
	filters := len(c.units)
	for _, pattern := range c.Call().Under {
		if dir := world.StaticDir(c.Policy().OS.Slashes(pattern)); dir != "" {
			p := c.World().ToolPath(dir)
			c.units = append(c.units, Unit{subject: rules.Subject{Tool: c.Call().Tool, Path: &p, Fields: fields},
				text: c.Call().Tool, needsAllow: true})
		}
	}
	if len(c.units) == filters {
		p := c.Policy().Cwd
		if c.Call().Dir != "" {
			p = c.World().Path(c.World().Dir)
		}
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: c.Call().Tool, Path: &p, Fields: fields},
			text: c.Call().Tool, needsAllow: true})
	}
}

// pathUnits are the paths of the call, and what the patterns of a search name
// below the first of them.
func (c *reading) pathUnits() {
	fields := c.fields()
	add := func(p rules.Path, glob, text string, write bool) {
		c.units = append(c.units, Unit{
			subject:    rules.Subject{Tool: c.Call().Tool, Path: &p, Glob: glob, Dots: glob != "", Fields: fields},
			text:       text,
			needsAllow: true,
			write:      write,
			hit:        p,
		})
	}
	for _, a := range c.Call().Args {
		p, glob := c.World().ToolPath(a.Path), ""
		if a.Pattern {
			glob = p.Given
		}
		add(p, glob, a.Path, a.Access == hookio.AccessWrite)
	}
	base := c.World().ToolPath(c.Call().Args[0].Path).Given
	for _, pattern := range c.Call().Under {
		if dir := world.StaticDir(c.Policy().OS.Slashes(pattern)); dir != "" {
			add(c.World().PathIn(dir, base), "", dir, false)
		}
	}
	c.filterUnits(base, fields)
}

// shellUnits lists, for each subcommand, the command itself and every file and
// URL it touches.
func (c *matcher) shellUnits() {
	tool, fields := c.Call().Tool, c.fields()
	n := 0
	for i := range c.Script().Subcommands {
		n += 1 + len(c.Script().Subcommands[i].Effects)
	}
	c.units = make([]Unit, 0, n)
	for i := range c.Script().Subcommands {
		sub := &c.Script().Subcommands[i]
		if !sub.Structural && !starAlone(sub) {
			cmd := c.command(sub)
			c.units = append(c.units, Unit{
				subject:    rules.Subject{Tool: tool, Command: cmd, Fields: fields, Whole: c.Call().Command},
				text:       label(sub, cmd),
				sub:        sub,
				needsAllow: sub.NeedsRule() && sub.Script == nil,
			})
		}
		for j := range sub.Effects {
			c.effectUnits(i, &sub.Effects[j])
		}
		c.nameUnits(sub)
	}
	if len(c.units) == 0 {
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: tool, Fields: fields, Whole: c.Call().Command},
			text: c.Call().Command, needsAllow: true})
	}
}

// starAlone reports whether a command of text in another language is nothing but
// a star: COUNT(*) is SQL, and no one means the first file that is there.
func starAlone(sub *bashsafety.Subcommand) bool {
	return sub.Guess && len(sub.Argv) == 1 && sub.Argv[0].Glob && sub.Argv[0].Text == "*"
}

// fields lists the scalar input fields that Tool(param:value) rules may name.
func (c *scene) fields() []rules.Field {
	fs := make([]rules.Field, 0, 4)
	for key, value := range hookio.Members(c.Call().Input.Raw) {
		if value != "null" && value[0] != '{' && value[0] != '[' {
			fs = append(fs, rules.Field{Name: key, JSON: value})
		}
	}
	return fs
}

// Below reports whether a path that is not known surely lies in the workspace.
func (c *scene) Below(u *Unit) bool { return u.effect != nil && c.BelowInside(u.effect) }

// BelowInside reports whether an effect whose path is not known surely lies in the
// workspace: as the disk is now, and no symlink that the text makes leads elsewhere.
func (c *scene) BelowInside(e *bashsafety.Effect) bool {
	if write := e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete; write && e.List != nil && c.Script() != nil {
		return c.listedInside(e)
	}
	if e.Below == "" || c.Script() == nil {
		return false
	}
	for i := range c.Script().Subcommands {
		if c.Script().Subcommands[i].MakesSymlinks() {
			return false
		}
	}
	return c.World().BelowRoots(e)
}

// unclear narrows the commands of a PowerShell text that holds a doubt: no rule
// with a pattern covers a part of it.
func (c *scene) unclear(cmd *rules.Command) {
	if c.Call().Tool == "PowerShell" && len(c.Script().Doubts) > 0 && cmd.Narrow == "" {
		cmd.Narrow, cmd.Spelled = "part of the text is not understood", false
	}
}
