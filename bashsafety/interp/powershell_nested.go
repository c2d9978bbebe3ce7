package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// nested reads the text that powershell -Command is given.
func (p *psParser) nested(c *psCommand) bool {
	switch strings.TrimSuffix(strings.ToLower(psBase(c.words[0].Text)), ".exe") {
	case "powershell", "pwsh":
	case "cmd":
		p.cmdText(c)
		return true
	default:
		return false
	}
	p.add(c, analysis.Subcommand{Program: psBase(c.words[0].Text), Launcher: true})
	for i := 1; i < len(c.words); i++ {
		w := &c.words[i]
		t := strings.ToLower(w.Text)
		switch {
		case w.block:
			return true
		case !w.bare || !strings.HasPrefix(t, "-"):
			if t != "" && len(c.words) == i+1 || !w.bare {
				p.text(w, "powershell -Command")
			}
			return true
		case strings.HasPrefix("-command", t) && len(t) > 1:
			if i+1 < len(c.words) && !c.words[i+1].block {
				p.text(&c.words[i+1], "powershell -Command")
			}
			return true
		case strings.HasPrefix("-file", t) && len(t) > 1, strings.HasPrefix("-encodedcommand", t):
			return true
		case t == "-ep", shell.PrefixOfAny(t, "-executionpolicy", "-workingdirectory", "-windowstyle", "-version",
			"-configurationname", "-inputformat", "-outputformat"):
			i++
		}
	}
	return true
}

// text reads a PowerShell text inside this one; via is what runs it.
func (p *psParser) text(w *psWord, via string) {
	if !w.Known {
		p.doubt(analysis.DoubtProgramText, shell.HidesAll, "", w.Span.Start)
		return
	}
	if p.depth >= analysis.MaxRuns || len(w.Text) > p.w.textLeft {
		p.doubt(analysis.DoubtTooDeep, shell.HidesAll, "", w.Span.Start)
		return
	}
	p.w.textLeft -= len(w.Text)
	span := p.place(w.Span)
	inner := psParser{w: p.w, st: p.st, s: w.Text, span: &span, depth: p.depth + 1, via: append(slices.Clip(p.via), via)}
	inner.read()
}

// cmdText reads what cmd /c is given. Plain words, and what joins commands, mean
// the same in PowerShell; a text with anything else cannot be looked into.
func (p *psParser) cmdText(c *psCommand) {
	p.add(c, analysis.Subcommand{Program: psBase(c.words[0].Text), Launcher: true})
	for i := 1; i < len(c.words); i++ {
		w := &c.words[i]
		t := strings.ToLower(w.Text)
		switch {
		case !w.Known:
			p.doubt(analysis.DoubtProgramText, shell.HidesAll, "", w.Span.Start)
			return
		case !strings.HasPrefix(t, "/"):
			if t != "--%" {
				return // a file name, which cmd does not run
			}
		case strings.HasPrefix(t, "/c"), strings.HasPrefix(t, "/k"), strings.HasPrefix(t, "/r"):
			p.cmdRest(c.words[i:])
			return
		}
	}
}

// cmdRest reads the words from /c on; the first command may follow it without a
// blank.
func (p *psParser) cmdRest(words []psWord) {
	text := psWord{Word: words[0].Word}
	var all []string
	for i := range words {
		w := &words[i]
		if !w.Known || len(w.more) > 0 || w.block || strings.ContainsAny(w.Text, "^%!\"'`$(){}@#\n\r") {
			p.doubt(analysis.DoubtProgramText, shell.HidesAll, "", w.Span.Start)
			return
		}
		all = append(all, w.Text)
	}
	all[0] = all[0][2:]
	text.Text = ""
	for word := range strings.FieldsSeq(strings.Join(all, " ")) {
		if len(word) != 2 || word[0] != '/' { // an option of cmd's own commands, which PowerShell takes for a path
			text.Text += " " + word
		}
	}
	text.Text = strings.TrimSpace(text.Text)
	p.text(&text, "cmd /c")
}
