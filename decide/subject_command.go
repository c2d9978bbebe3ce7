package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// starAlone reports whether a command of text in another language is nothing but
// a star: COUNT(*) is SQL, and no one means the first file that is there.
func starAlone(sub *bashsafety.Subcommand) bool {
	return sub.Remote && len(sub.Argv) == 1 && sub.Argv[0].Glob && sub.Argv[0].Text == "*"
}

// command is a subcommand as rules meet it; configuration that can hold code
// and lies outside the workspace is none of the project's.
func (c *reading) command(sub *bashsafety.Subcommand) *rules.Command {
	cmd := command(sub)
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
		} else if !c.World.Inside(c.World.EffectPath(e)) {
			cmd.Spelled = true
			cmd.Narrow = "it loads " + e.Path + ", which can contain code, from outside the working directory"
		}
	}
	return cmd
}

// command spells a subcommand the ways rules may meet it.
func command(sub *bashsafety.Subcommand) *rules.Command {
	cmd := &rules.Command{Allow: []rules.Text{text(sub.Argv)}}
	base, system := basename(sub)
	if base != nil {
		if system {
			cmd.Allow = append(cmd.Allow, text(base))
		} else {
			cmd.Deny = append(cmd.Deny, text(base))
		}
	}
	if name := strings.TrimSuffix(strings.ToLower(sub.Program), ".exe"); name != sub.Program {
		plain := append([]bashsafety.Word(nil), sub.Argv...)
		plain[0].Text = name
		// Windows and WSL run git.exe for git, file systems that fold case for Git
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
func text(argv []bashsafety.Word) rules.Text {
	t := make(rules.Text, 0, len(argv)+1)
	var lit []byte
	hole := func(h rules.Hole) {
		if len(lit) > 0 {
			t = append(t, rules.Piece{Lit: string(lit)})
		}
		t, lit = append(t, rules.Piece{Hole: h}), lit[:0]
	}
	for i := range argv {
		if i > 0 {
			lit = append(lit, ' ')
		}
		switch w := &argv[i]; {
		case w.Known:
			lit = append(lit, rules.Quote(w.Text)...)
		case w.Glob:
			// whatever it expands to starts and ends like this; it never vanishes
			head, tail := globEnds(w.Text)
			lit = append(lit, head...)
			hole(rules.Single)
			lit = append(lit, tail...)
		default:
			h, parts := rules.Any, strings.Split(w.Text, bashsafety.HoleMark)
			if w.Single {
				h = rules.Single
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
		t = append(t, rules.Piece{Lit: string(lit)})
	}
	return t
}

// quotedParts prepares the literal parts of a word with holes: one that needs
// quoting puts the whole word in quotes, which are returned.
func quotedParts(parts []string) string {
	quote := ""
	for _, part := range parts {
		if part != "" && rules.Quote(part) != part {
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

// globEnds returns what every expansion of a pattern starts and ends with. Bash makes one slash of several behind a
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
func literalGlobs(argv []bashsafety.Word) (rules.Text, bool) {
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
			parts = append(parts, rules.Quote(out[i].Text))
		}
	}
	return rules.Text{{Lit: strings.Join(parts, " ")}}, true
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
			b.WriteString(rules.Quote(argv[i].Text))
		} else {
			b.WriteString(strings.ReplaceAll(argv[i].Text, bashsafety.HoleMark, "…"))
		}
	}
	return b.String()
}
