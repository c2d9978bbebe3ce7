package commands

import (
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// TestCommandExamples runs every example in testdata/examples. Each program and each subcommand without
// subcommands of its own has one, in the file of its table.
func TestCommandExamples(t *testing.T) {
	unknown := make(map[string]bool)
	for _, ex := range exampleTable() {
		unknown[ex.Program] = true
	}
	files := make(map[family]string)
	for _, cmd := range allCommands() {
		own := ownExamples(cmd)
		if len(own) == 0 && !cmd.HasSubs() {
			t.Errorf("%s: needs an example in testdata/examples", entryName(cmd))
		}
		delete(unknown, entryName(cmd))
		for _, ex := range own {
			at := Find(strings.Fields(ex.Program)[0]).family
			if files[at] == "" {
				files[at] = ex.Family
			}
			if files[at] != ex.Family {
				t.Errorf("%s: examples in %s.tsv and in %s.tsv", ex.Program, ex.Family, files[at])
			}
			t.Run(ex.Cmd, func(t *testing.T) {
				got := tell(Describe(split(ex.Cmd), &shell.CwdState{Dirs: []string{"/w"}}, "/home/u").Facts)
				if d := cmp.Diff(sorted(ex.Want), sorted(got)); d != "" {
					t.Errorf("%s\nwant %s\n got %s", ex.Cmd, ex.Want, got)
				}
			})
		}
	}
}

// exampleTable reads testdata/examples.
var exampleTable = sync.OnceValue(func() []examples.Example { return examples.Read("testdata/examples") })

// entryNames are the names under which examples are listed: the usual names of a program and of its subcommand,
// where several programs share one those of the first.
var entryNames = sync.OnceValue(func() map[*Command]string {
	names := make(map[*Command]string)
	var add func(c *Command, under string)
	add = func(c *Command, under string) {
		if names[c] == "" {
			names[c] = under + c.Name()
			for _, s := range subsOf(c) {
				add(s, names[c]+" ")
			}
		}
	}
	for _, c := range All() {
		add(c, "")
	}
	return names
})

func entryName(c *Command) string { return entryNames()[c] }

// subsOf returns the subcommands of a program, shared ones last.
func subsOf(c *Command) []*Command {
	var subs []*Command
	for _, list := range [...][]Command{c.Subs, c.Also} {
		for i := range list {
			subs = append(subs, &list[i])
		}
	}
	return subs
}

// ownExamples returns the examples of a program or subcommand without those of its subcommands.
func ownExamples(c *Command) []examples.Example {
	var own []examples.Example
	for _, ex := range exampleTable() {
		if ex.Program == entryName(c) {
			own = append(own, ex)
		}
	}
	return own
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
		for _, s := range subsOf(c) {
			if !slices.Contains(all, s) {
				add(s)
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

// tell writes a description in the language of examples.Example.Want.
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
		switch {
		case e.Loads:
			name = "load"
		case e.Extra:
			name = "extra"
		case e.Mounts:
			name = "mount"
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
	if in.Covered {
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
