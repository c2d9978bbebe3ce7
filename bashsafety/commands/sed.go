package commands

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// refineSed reads the scripts of sed, and its files.
func refineSed(c *Invocation) {
	ops, understood := c.Operands, true
	var files []lang.SedFile
	read := func(w *shell.Word) {
		fs, ok := lang.SedScript(w)
		if files = append(files, fs...); !ok {
			c.mayDoAnything(w)
		}
		understood = understood && ok
	}
	for i := range c.Opts {
		switch c.Opts[i].does {
		case GivesPattern:
			read(&c.Opts[i].Value)
		case ReadsPattern:
			understood = false
		}
	}
	if o := c.Option("l"); o != nil && (!o.Value.Known || !shell.Number(o.Value.Text)) {
		c.Narrow("-l has no value in sed of BSD")
	}
	if o := c.Option("i"); o != nil && !o.Given && len(ops) > 0 {
		if first := &c.Argv[ops[0]]; first.Known && first.Text == "" {
			ops = ops[1:] // BSD: the suffix is a word of its own
		}
	}
	if !c.NoPattern && len(ops) > 0 {
		read(&c.Argv[ops[0]])
		ops = ops[1:]
	}
	for i := range files {
		f := &files[i]
		switch {
		case f.Exec:
			c.Narrow("the sed script runs a command")
			c.scan("e", f.Name.Text, &f.Name)
		case f.Write:
			if !f.Name.Known || !shell.NotFile(f.Name.Text) {
				c.writeFile(&f.Name)
				c.Narrow("the sed script writes a file")
			}
		default:
			c.read(&f.Name)
		}
	}
	if !understood && len(c.Facts.Narrow) == 0 {
		c.Narrow("the sed script is not understood; use only s, p, d and the like")
	}
	c.readOperands(ops)
	for i := range c.Opts {
		if u := &c.Opts[i]; u.does == WritesInPlace && u.Given {
			for _, k := range ops {
				c.sedBackup(&c.Argv[k], &u.Value)
			}
		}
	}
}

// sedBackup writes what -i with a suffix keeps: * in it is the name of the file,
// and a slash leads to another directory.
func (c *Invocation) sedBackup(file, suffix *shell.Word) {
	switch {
	case !suffix.Known || file.Glob:
		c.writeUnknown()
	case !strings.ContainsAny(suffix.Text, "*/"):
		old := *file
		old.Text += suffix.Text
		c.write(&old)
	default:
		dir, base := path.Split(file.Text)
		old := *file
		if old.Text = strings.ReplaceAll(suffix.Text, "*", base); !strings.Contains(suffix.Text, "*") {
			old.Text = base + suffix.Text
		}
		c.write(&old)
		if dir != "" {
			old.Text = dir + old.Text
			c.write(&old)
		}
	}
}
