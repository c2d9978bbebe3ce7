package commands

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestCommandExamples runs every example written beside a command.
func TestCommandExamples(t *testing.T) {
	for _, cmd := range allCommands() {
		if len(cmd.Examples) == 0 && !cmd.HasSubs() {
			t.Errorf("%s: needs an example", cmd.Name())
		}
		for _, ex := range cmd.Examples {
			t.Run(ex.Cmd, func(t *testing.T) {
				got := tell(Describe(split(ex.Cmd), &shell.CwdState{Dirs: []string{"/w"}}, "/home/u").Facts)
				if d := cmp.Diff(sorted(ex.Want), sorted(got)); d != "" {
					t.Errorf("%s\nwant %s\n got %s", ex.Cmd, ex.Want, got)
				}
			})
		}
	}
}

// TestCommandTables checks the tables themselves.
func TestCommandTables(t *testing.T) {
	seen := make(map[string]bool)
	for _, cmd := range All() {
		for _, n := range strings.Fields(cmd.Names) {
			if seen[n] {
				t.Errorf("%s stands in the tables twice", n)
			}
			seen[n] = true
			if e := Find(n); e.command() != cmd {
				t.Errorf("find does not find %s", n)
			}
		}
		if cmd.Title == "" {
			t.Errorf("%s: needs a Title", cmd.Name())
		}
	}
	for _, cmd := range allCommands() {
		lists := append([]string{cmd.Flags, cmd.Values, cmd.OptValues}, optNames(cmd)...)
		where := make(map[string]int)
		for i, list := range lists {
			for f := range strings.FieldsSeq(list) {
				names := []string{f}
				if f[0] == '-' {
					names = strings.Split(f[1:], "")
				}
				for _, n := range names {
					if n == "" {
						continue
					}
					if at, ok := where[n]; ok && at != i {
						t.Errorf("%s: option %q is listed twice (%d, %d)", cmd.Name(), n, at, i)
					}
					where[n] = i
				}
			}
		}
	}
}

func optNames(cmd *Command) []string {
	var all []string
	for _, o := range cmd.Opts {
		all = append(all, o.Names)
	}
	return all
}

func allCommands() []*Command {
	var all []*Command
	var add func(*Command)
	add = func(c *Command) {
		all = append(all, c)
		for i := range c.Subs {
			add(&c.Subs[i])
		}
		for i := range c.Also {
			if !slices.Contains(all, &c.Also[i]) {
				add(&c.Also[i])
			}
		}
	}
	for _, c := range All() {
		add(c)
	}
	return all
}

// sorted makes the order of the parts of a Want irrelevant.
func sorted(s string) []string {
	f := strings.Fields(s)
	slices.Sort(f)
	return f
}

// tell writes a description in the language of Example.Want.
func tell(d Facts) string {
	var out []string
	if d.Proof.Holds() {
		out = append(out, "ro")
	}
	if d.Credential != nil {
		out = append(out, "prints-secret")
	}
	for _, x := range d.Doubts {
		out = append(out, "doubt:"+x.ID)
	}
	narrow := len(d.Narrow) > 0
	for _, e := range d.Effects {
		p := strings.NewReplacer(shell.HoleMark, "?", AnyLetter, "?").Replace(e.Path)
		if rel, ok := strings.CutPrefix(p, "/w/"); ok {
			p = rel
		} else if p == "/w" {
			p = "."
		}
		if e.Path == "" {
			p = "?"
		}
		if e.Recursive {
			p = path.Join(p, "**")
			if strings.HasPrefix(p, "**") {
				p = "./" + p
			}
		}
		name := kindName(e.Kind)
		if e.Loads {
			name = "load"
		}
		out = append(out, name+":"+p)
	}
	if narrow {
		out = append(out, "narrow")
	}
	for _, in := range d.Inner {
		out = append(out, tellInner(in))
	}
	return strings.Join(out, " ")
}

func tellInner(in Inner) string {
	mark := ">"
	if in.Remote {
		mark = ">>"
	}
	s := in.Via + mark
	switch in.Kind {
	case InnerText, InnerPowerShell:
		if in.Text.Known {
			return s + "'" + in.Text.Text + "'"
		}
		return s + strings.ReplaceAll(in.Text.Text, shell.HoleMark, "?")
	case InnerStdin:
		return s + "-"
	}
	var words []string
	for _, a := range in.Assigns {
		words = append(words, a.Name+"="+a.Value.Text)
	}
	for _, w := range in.Argv {
		words = append(words, strings.ReplaceAll(w.Text, shell.HoleMark, "?"))
	}
	if in.More {
		words = append(words, "...")
	}
	return s + strings.Join(words, " ")
}

func kindName(k shell.EffectKind) string {
	return [...]string{"none", "read", "write", "delete", "exec", "source", "net", "priv", "gitchange", "gitread", "unknown", "look"}[k]
}

// split cuts an example into words: quotes and backslashes as in the shell, $x
// for an unknown value, * for a pattern, ~ for home.
func split(s string) []shell.Word {
	var words []shell.Word
	var b strings.Builder
	in, w := false, shell.Word{}
	flush := func(end int) {
		if in {
			w.Text, w.Span.End = b.String(), end
			w.Known = !w.Glob && !strings.Contains(w.Text, shell.HoleMark)
			words = append(words, w)
		}
		in, w = false, shell.Word{}
		b.Reset()
	}
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !in && c != ' ' {
			in, w = true, shell.Word{Single: true, Span: shell.Span{Start: i}}
			if c == '~' {
				b.WriteString("/home/u")
				continue
			}
		}
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			if quote == '"' && strings.IndexByte("$`\"\\", s[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case quote == 0 && c == ' ':
			flush(i)
		case quote == 0 && (c == '\'' || c == '"'):
			quote, w.Quoted = c, true
		case c == quote && quote != 0:
			quote = 0
		case c == '$' && quote != '\'' && i+1 < len(s) && (s[i+1] >= 'a' && s[i+1] <= 'z' || s[i+1] == '{'):
			for i+1 < len(s) && strings.IndexByte("{}abcdefghijklmnopqrstuvwxyz", s[i+1]) >= 0 {
				if i++; s[i] == '}' {
					break
				}
			}
			b.WriteString(shell.HoleMark)
			w.Single = w.Single && quote != 0
		case c == '*' && quote == 0:
			w.Glob, w.Single = true, false
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	flush(len(s))
	return words
}

// TestGitInertKeys: git compares sections and names in lower case.
func TestGitInertKeys(t *testing.T) {
	for i := range gitInertKeys {
		k := &gitInertKeys[i]
		if k.section+k.names != strings.ToLower(k.section+k.names) || strings.Contains(k.names, "  ") {
			t.Errorf("%s: %s", k.section, k.names)
		}
	}
}
