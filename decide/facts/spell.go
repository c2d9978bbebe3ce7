package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Origin says which script of the project holds a subcommand, "" when it is
// in the text of the call.
func Origin(sub *bashsafety.Subcommand) string {
	if sub == nil || sub.Script == nil {
		return ""
	}
	return " in " + hookio.Escape(sub.Script.String())
}

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

// Quoted is a path in a reason, as the system writes it.
func Quoted(p *rules.Policy, name string) string { return say.Quoted(p.OS.Native(name)) }

// SubIndex is the place of a subcommand in the script, -1 for none.
func SubIndex(script *bashsafety.Analysis, sub *bashsafety.Subcommand) int {
	for i := range script.Subcommands {
		if &script.Subcommands[i] == sub {
			return i
		}
	}
	return -1
}

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

// command is a subcommand as rules meet it; configuration that can hold code
// and lies outside the workspace is not the project's.
func (c *reading) command(sub *bashsafety.Subcommand) *rules.Command {
	cmd := command(sub)
	cmd.Means = c.means(sub)
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
		if e.Mounts && !c.World().Inside(c.World().EffectPath(e)) {
			cmd.Narrow, cmd.Spelled = "it mounts "+e.Path+" of the host", true
		}
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

// written is a subcommand as the text has it where not all of its words are known, else as Spell writes it, with ~ for
// the home.
func (c *reading) written(sub *bashsafety.Subcommand) string {
	// a program text runs it, and its words all lie in that
	made := len(sub.Argv) > 1 && sub.Argv[0].Span == sub.Argv[1].Span && sub.Argv[0].Span != sub.Span
	if spelled := Spell(sub.Argv); !made && !strings.Contains(spelled, "…") || sub.Script != nil {
		return strings.ReplaceAll(spelled, " "+cmp.Or(c.Policy().Home.Given, "~")+"/", " ~/")
	}
	text := Source(c.Script(), sub.Span)
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		text = text[1 : n-1] // the text of a trap or a shell
	}
	return cmp.Or(text, Spell(sub.Argv))
}

// redirects are what follows a command in the text up to the last file of its redirects: " > out".
func (c *reading) redirects(sub *bashsafety.Subcommand) string {
	if sub.Script != nil {
		return ""
	}
	end := sub.Span.End
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Redirect {
			end = max(end, e.Span.End)
		}
	}
	return Source(c.Script(), bashsafety.Span{Start: sub.Span.End, End: end})
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
