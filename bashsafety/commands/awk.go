package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineAwk reads awk's program and files.
func refineAwk(c *Invocation) {
	ops, understood := c.Operands, true
	look := func(w *shell.Word) {
		if !w.Known {
			understood = false
			c.mayDoAnything(w)
			return
		}
		awkProgram(c, w)
	}
	for i := range c.Opts {
		switch u := &c.Opts[i]; u.does {
		case GivesPattern:
			look(&u.Value)
		case ReadsPattern:
			if u.Name == "i" || u.Name == "include" {
				c.NoPattern = c.Has("f", "file", "E", "exec", "e", "source")
				c.inPlace = c.inPlace || u.Value.Text == "inplace"
				c.dropRead(&u.Value)
			}
			if !c.inPlace {
				understood = false
			}
		}
	}
	if !c.NoPattern && len(ops) > 0 {
		look(&c.Argv[ops[0]])
		ops = ops[1:]
	}
	if !understood || c.inPlace {
		c.Narrow("the awk program is not literal, or changes its files")
	}
	for _, i := range ops {
		w := &c.Argv[i]
		if name, _, ok := strings.Cut(w.Text, "="); ok && w.Known && shell.ValidName(name) {
			continue
		}
		c.readOperands([]int{i})
	}
}

// awkProgram finds what a program runs, reads and writes. It goes through the
// tokens only: a redirect is a > or >> or | outside parentheses in a statement
// that prints, or any | that is not ||.
func awkProgram(c *Invocation, w *shell.Word) {
	t := lang.AwkTokens{S: w.Text}
	str := "" // the string before a pipe
	for t.Next() {
		if t.Kind == '"' {
			str = t.Text
			continue
		}
		before := str
		str = ""
		switch t.Kind {
		case 'i':
			awkName(c, w, &t)
		case '|':
			c.Narrow("awk's | runs a command")
			c.Facts.Code = true
			c.scan("|", before, w)
			awkCommand(c, w, &t)
		case '@':
			c.Narrow("awk's @ loads code or calls by name")
		case 0:
			c.Narrow("the awk program is not understood")
			c.mayDoAnything(w)
			return
		case '<':
			if t.AfterGetline {
				awkFile(c, w, &t, false)
			}
		case '>':
			if t.Printing && t.Depth == 0 {
				awkFile(c, w, &t, true)
			}
		}
	}
}

// awkName looks at the names that run, read or tell something.
func awkName(c *Invocation, w *shell.Word, t *lang.AwkTokens) {
	switch t.Text {
	case "system":
		c.Narrow("awk's system() runs a command")
		c.Facts.Code = true
		awkCommand(c, w, t)
	case "ENVIRON":
		if saved := *t; !t.Next() || t.Kind != '[' || !t.Next() || t.Kind != '"' {
			c.Disprove(printsEnvironment)
			*t = saved
		}
	case "ARGV":
		c.Facts.Code = true // what is set there is read
		c.Disprove("sets or prints what it reads")
	case "getline":
		t.AfterGetline = true
	}
}

// awkCommand shows the string after system( or |.
func awkCommand(c *Invocation, w *shell.Word, t *lang.AwkTokens) {
	saved := *t
	ok := t.Next()
	if ok && t.Kind == '(' {
		ok = t.Next()
	}
	if ok && (t.Kind == '"' || t.Kind == 's') {
		c.scan("system", strings.ReplaceAll(t.Text, `\"`, `"`), w)
	}
	*t = saved
}

// awkFile takes the file of a redirect: a string that nothing is joined to is
// known, everything else is not.
func awkFile(c *Invocation, w *shell.Word, t *lang.AwkTokens, writes bool) {
	name := shell.Hole("", w)
	if t.Next() && t.Kind == '"' {
		text := t.Text
		saved := *t
		if !t.Next() || t.Kind == ';' || t.Kind == '}' || t.Kind == ')' {
			name = shell.Literal(text, w)
		}
		*t = saved
	}
	if strings.HasPrefix(name.Text, "/inet") {
		c.Narrow("awk opens a network connection")
		return
	}
	if !writes {
		c.read(&name)
		c.disproveIf(!name.Known)
		return
	}
	if name.Known && shell.NotFile(name.Text) {
		return
	}
	c.writeFile(&name)
	c.Narrow("awk's > writes a file")
}
