package facts

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// FirstFinding returns the first finding of a severity, nil for none.
func (c *scene) FirstFinding(s bashsafety.Severity) *bashsafety.Finding {
	for i := 0; c.Script() != nil && i < len(c.Script().Findings); i++ {
		if f := &c.Script().Findings[i]; f.Check.Severity == s {
			return f
		}
	}
	return nil
}

// SubIndex is the place of a subcommand in the script, -1 for none.
func SubIndex(script *bashsafety.Analysis, sub *bashsafety.Subcommand) int {
	for i := range script.Subcommands {
		if &script.Subcommands[i] == sub {
			return i
		}
	}
	return -1
}

// IsCommand reports whether a unit is a subcommand itself, and no operand of it.
func (u *Unit) IsCommand(sub *bashsafety.Subcommand) bool { return u.sub == sub && u.effect == nil }

// IsOperand reports whether a unit is a file or address that a command names by
// itself, and not by a redirect of the shell.
func (u *Unit) IsOperand() bool { return u.sub != nil && u.effect != nil && !u.effect.Redirect }

// Launched reports whether another command runs this one.
func Launched(sub *bashsafety.Subcommand) bool {
	for _, via := range sub.Via {
		switch {
		case via == "$()", via == "<()", via == ">()", via == "coproc", strings.HasPrefix(via, "function "):
		default:
			return true
		}
	}
	return false
}

// unclear narrows the commands of a PowerShell text that holds a doubt: no rule
// with a pattern covers a part of it.
func (c *scene) unclear(cmd *rules.Command) {
	if c.Call().Tool == "PowerShell" && len(c.Script().Doubts) > 0 && cmd.Narrow == "" {
		cmd.Narrow, cmd.Spelled = "part of the text is not understood", false
	}
}

// A unit is one part of a call that rules are matched against. Only this file,
// effects.go and accesses.go make a rules.Subject.
type Unit struct {
	subject rules.Subject
	text    string                 // how reasons name it
	quote   string                 // text as quoted returned it; "" until asked, see named
	sub     *bashsafety.Subcommand // nil for anything but a subcommand
	// needsAllow marks the parts an allow has to cover: the subcommands or the
	// tool's own paths. The others (file operands, URLs in a shell text) are
	// looked at by deny and ask only.
	needsAllow bool
	write      bool // a path that is written
	// access marks a path that a tool of which nothing is known may read or write: a rule
	// about all files does not speak of it.
	access bool
	word   bool // a word of a command that may name a file, see wordUnits
	effect *bashsafety.Effect
	hit    rules.Path
	number int // among the parts of the call
}

// Subject is what rules are matched against.
func (u *Unit) Subject() rules.Subject { return u.subject }

// Text is how reasons name the part.
func (u *Unit) Text() string { return u.text }

// Sub is the subcommand the part belongs to, nil for anything else.
func (u *Unit) Sub() *bashsafety.Subcommand { return u.sub }

// NeedsAllow reports whether an allow has to cover the part.
func (u *Unit) NeedsAllow() bool { return u.needsAllow }

// Write reports whether the part is a path that is written.
func (u *Unit) Write() bool { return u.write }

// Access reports whether the part is a path that a tool of which nothing is known may read or write.
func (u *Unit) Access() bool { return u.access }

// Word reports whether the part is a word of a command that may name a file.
func (u *Unit) Word() bool { return u.word }

// Effect is what the part is of its subcommand, nil for the subcommand itself and outside shell texts.
func (u *Unit) Effect() *bashsafety.Effect { return u.effect }

// Hit is the path of the part, the zero Path where it is not known.
func (u *Unit) Hit() rules.Path { return u.hit }

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

// leaves is how reasons name the part of a call that asks to run outside of the host's sandbox.
const leaves = "leaving the sandbox"

// workspace returns the directories writes may go to: cwd, project root and
// additional directories, those of the session's state among them. The latter
// are grants, which a strict subagent does not inherit.
func (c *scene) workspace() []rules.Path {
	roots := append(make([]rules.Path, 0, 2+len(c.Policy().Dirs)), c.Policy().Cwd, c.Policy().Project)
	if c.Strict() {
		return roots
	}
	for _, d := range c.Policy().Dirs {
		roots = append(roots, d.Path)
	}
	return roots
}

// Incomparable reports whether not all rules could be compared, or the call runs or writes
// under a name that only other systems have: what rules the host reads is not about it.
func (c *matcher) Incomparable() bool {
	elsewhere := c.Call().Alias && !c.Call().OnlyServers()
	return c.overrun != nil || elsewhere && (c.Script() != nil || rules.EditTool(c.Call().Tool))
}

// toolUnits are the subjects of a call that is neither shell text nor a path:
// one, but one for each URL of a call that fetches several.
func (c *reading) toolUnits() {
	call := c.Call()
	s := rules.Subject{Tool: call.Tool, Also: call.AlsoTool, Name: call.Name, HasName: call.HasName, Label: call.Label, Fields: c.fields()}
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
		c.wordUnits(sub)
	}
	if len(c.units) == 0 {
		c.units = append(c.units, Unit{subject: rules.Subject{Tool: tool, Fields: fields, Whole: c.Call().Command},
			text: c.Call().Command, needsAllow: true})
	}
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

// Quoted is a path in a reason, as the system writes it.
func Quoted(p *rules.Policy, name string) string { return say.Quoted(p.OS.Native(name)) }

// Shown names the path of an effect in a reason.
func Shown(p *rules.Policy, e *bashsafety.Effect) string {
	if e.Patch != nil {
		return "what a patch names"
	}
	if e.Path == "" {
		return "a path that cannot be known"
	}
	name := e.Path
	if windows := p.OS == rules.Windows; windows && e.Kind != bashsafety.Network {
		if e.Known {
			name, _ = p.OS.Effect(name, e.Raw, p.Cwd.Given, false)
		}
		name = p.OS.Native(name)
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, bashsafety.HoleMark, "…"), bashsafety.AnyLetter, "?")
}

// Below reports whether a path that is not known surely lies in the workspace.
func (c *scene) Below(u *Unit) bool { return u.effect != nil && c.BelowInside(u.effect) }

// BelowInside reports whether an effect whose path is not known surely lies in the
// workspace: as the disk is now, and no symlink that the text makes leads elsewhere.
func (c *scene) BelowInside(e *bashsafety.Effect) bool {
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

// Target is what package guard looks at of a unit.
func (u *Unit) Target() *guard.Target {
	return &guard.Target{Hit: u.hit, Sub: u.sub, Effect: u.effect, Access: u.access}
}

// starAlone reports whether a command of text in another language is nothing but
// a star: COUNT(*) is SQL, and no one means the first file that is there.
func starAlone(sub *bashsafety.Subcommand) bool {
	return sub.Guess && len(sub.Argv) == 1 && sub.Argv[0].Glob && sub.Argv[0].Text == "*"
}

// command is a subcommand as rules meet it; configuration that can hold code
// and lies outside the workspace is not the project's.
func (c *reading) command(sub *bashsafety.Subcommand) *rules.Command {
	cmd := command(sub)
	for _, name := range c.windowsNames(sub) {
		plain := slices.Clone(sub.Argv)
		plain[0].Text = name
		cmd.Deny = append(cmd.Deny, text(plain))
	}
	if cmd.Narrow == bashsafety.MayFindOption && c.findsNoOption(sub) {
		cmd.Narrow = ""
		for _, why := range sub.PatternBlockers {
			if why != bashsafety.MayFindOption {
				cmd.Narrow = why
				break
			}
		}
	}
	if c.unclear(cmd); cmd.Narrow != "" {
		return cmd
	}
	for i := range sub.Effects {
		e := &sub.Effects[i]
		if !e.Loads {
			continue
		}
		if !e.Known || e.Glob {
			cmd.Spelled = true
			cmd.Narrow = "it loads configuration, which can contain code, from an unknown file"
		} else if !c.World().Inside(c.World().EffectPath(e)) {
			cmd.Spelled = true
			cmd.Narrow = "it loads " + e.Path + ", which can contain code, from outside the working directory"
		}
	}
	return cmd
}

// windowsNames are further names by which a deny or ask rule may speak of a program: what Windows finds for its name,
// and its place.
func (c *reading) windowsNames(sub *bashsafety.Subcommand) (names []string) {
	if c.Policy().OS != rules.Windows || sub.Program == "" {
		return nil
	}
	if stem := rules.ProgramStem(sub.Program); stem != "" {
		names = append(names, stem+".exe", stem+".cmd")
	}
	dir := ""
	if len(sub.Dirs) == 1 {
		dir = sub.Dirs[0]
	}
	return append(names, c.Policy().OS.ProgramPaths(sub.Argv[0].Text, dir, c.Policy().Home.Given)...)
}

// command spells a subcommand the ways rules may meet it.
func command(sub *bashsafety.Subcommand) *rules.Command {
	cmd := &rules.Command{Allow: []grammar.Text{text(sub.Argv)}}
	base, system := basename(sub)
	if base != nil {
		if system {
			cmd.Allow = append(cmd.Allow, text(base))
		} else {
			cmd.Deny = append(cmd.Deny, text(base))
		}
	}
	if name := rules.ProgramStem(sub.Program); name != sub.Program {
		plain := append([]bashsafety.Word(nil), sub.Argv...)
		plain[0].Text = name
		cmd.Deny = append(cmd.Deny, text(plain))
	}
	if sub.Outer != nil {
		cmd.Exact = append(cmd.Exact, text(sub.Outer))
		cmd.Deny = append(cmd.Deny, text(sub.Outer))
	}
	for _, same := range sub.Same {
		cmd.Allow = append(cmd.Allow, text(same))
	}
	for _, alt := range sub.Alt {
		cmd.Deny = append(cmd.Deny, text(alt))
	}
	if spelled, ok := literalGlobs(sub.Argv); ok {
		cmd.Deny = append(cmd.Deny, spelled)
	}
	if len(sub.PatternBlockers) > 0 {
		cmd.Narrow, cmd.Spelled = sub.PatternBlockers[0], !sub.Hidden
	}
	return cmd
}

// basename returns argv with the program by its base name, nil when it is
// spelled that way already, and whether the directory is a system one.
func basename(sub *bashsafety.Subcommand) ([]bashsafety.Word, bool) {
	if sub.Program == "" || len(sub.Argv) == 0 || sub.Argv[0].Text == sub.Program {
		return nil, false
	}
	out := append([]bashsafety.Word(nil), sub.Argv...)
	out[0].Text = sub.Program
	return out, slices.Contains(rules.SystemFolders[:], strings.TrimSuffix(sub.Argv[0].Text, "/"+sub.Program))
}

// text joins words by single blanks in canonical quoting, holes in their places.
func text(argv []bashsafety.Word) grammar.Text {
	t := make(grammar.Text, 0, 1)
	var room [256]byte
	lit := room[:0]
	hole := func(h grammar.Hole) {
		if len(lit) > 0 {
			t = append(t, grammar.Piece{Lit: string(lit)})
		}
		t, lit = append(t, grammar.Piece{Hole: h}), lit[:0]
	}
	for i := range argv {
		if i > 0 {
			lit = append(lit, ' ')
		}
		switch w := &argv[i]; {
		case w.Known:
			lit = append(lit, grammar.Quote(w.Text)...)
		case w.Glob:
			// whatever it expands to starts and ends like this; it never vanishes
			head, tail := globEnds(w.Text)
			lit = append(lit, head...)
			hole(grammar.Single)
			lit = append(lit, tail...)
		default:
			h, parts := grammar.Any, strings.Split(w.Text, bashsafety.HoleMark)
			if w.Single {
				h = grammar.Single
			}
			quote := quotedParts(parts)
			lit = append(lit, quote...)
			for j, part := range parts {
				if j > 0 {
					hole(h)
				}
				lit = append(lit, part...)
			}
			lit = append(lit, quote...)
		}
	}
	if len(lit) > 0 {
		t = append(t, grammar.Piece{Lit: string(lit)})
	}
	return t
}

// quotedParts prepares the literal parts of a word with holes: one that needs
// quoting puts the whole word in quotes, which are returned.
func quotedParts(parts []string) string {
	quote := ""
	for _, part := range parts {
		if part != "" && grammar.Quote(part) != part {
			quote = "'"
		}
	}
	if quote != "" {
		for i := range parts {
			parts[i] = strings.ReplaceAll(parts[i], "'", `'\''`)
		}
	}
	return quote
}

// globEnds returns what every expansion of a pattern starts and ends with. Bash makes one slash of several after a
// wildcard, dash and zsh leave them.
func globEnds(pattern string) (head, tail string) {
	first := strings.IndexAny(pattern, "*?[\\"+bashsafety.HoleMark)
	last := strings.LastIndexAny(pattern, "*?]\\"+bashsafety.HoleMark)
	if first < 0 {
		return pattern, ""
	}
	tail = pattern[last+1:]
	return pattern[:first], tail[strings.LastIndex(tail, "//")+1:]
}

// literalGlobs spells unquoted patterns as written, so that a deny of the very
// text still matches for certain.
func literalGlobs(argv []bashsafety.Word) (grammar.Text, bool) {
	var out []bashsafety.Word
	for i := range argv {
		if argv[i].Glob && !strings.Contains(argv[i].Text, bashsafety.HoleMark) {
			if out == nil {
				out = append(out, argv...)
			}
			out[i].Known, out[i].Glob = true, false
		}
	}
	if out == nil {
		return nil, false
	}
	var parts []string
	for i := range out {
		if !out[i].Known {
			return nil, false
		}
		if argv[i].Glob {
			parts = append(parts, out[i].Text)
		} else {
			parts = append(parts, grammar.Quote(out[i].Text))
		}
	}
	return grammar.Text{{Lit: strings.Join(parts, " ")}}, true
}

// label is Spell of a subcommand, which is what rules meet where all of its words are known.
func label(sub *bashsafety.Subcommand, cmd *rules.Command) string {
	for i := range sub.Argv {
		if !sub.Argv[i].Known {
			return Spell(sub.Argv)
		}
	}
	if met := cmd.Allow[0]; len(met) == 1 {
		return met[0].Lit
	}
	return Spell(sub.Argv)
}

// Written is a subcommand as the text has it where not all of its words are known, else as Spell writes it.
func Written(script *bashsafety.Analysis, sub *bashsafety.Subcommand) string {
	if spelled := Spell(sub.Argv); !strings.Contains(spelled, "…") || sub.Script != nil {
		return spelled
	}
	text := Source(script, sub.Span)
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		text = text[1 : n-1] // the text of a trap or a shell
	}
	return cmp.Or(text, Spell(sub.Argv))
}

// Source is what the text has at a place, "" where that is nothing, or more than a line.
func Source(script *bashsafety.Analysis, at bashsafety.Span) string {
	if text := script.Text; at.Start < at.End && at.End <= len(text) && !strings.Contains(text[at.Start:at.End], "\n") {
		return text[at.Start:at.End]
	}
	return ""
}

// Spell writes argv the way reasons show it: canonical quoting, … for what is
// not known.
func Spell(argv []bashsafety.Word) string {
	var b strings.Builder
	for i := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if argv[i].Known {
			b.WriteString(grammar.Quote(argv[i].Text))
		} else {
			b.WriteString(strings.ReplaceAll(argv[i].Text, bashsafety.HoleMark, "…"))
		}
	}
	return b.String()
}
