package bashsafety

import "strings"

// cmdText reads what cmd /c is given. Plain words, and what joins commands, mean
// the same in PowerShell; a text with anything else cannot be looked into.
func (p *psParser) cmdText(c *psCommand) {
	p.add(c, Subcommand{Program: psBase(c.words[0].Text), Launcher: true})
	for i := 1; i < len(c.words); i++ {
		w := &c.words[i]
		t := strings.ToLower(w.Text)
		switch {
		case !w.Known:
			p.doubt(dProgramText, HidesAll, "", w.Span.Start)
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
			p.doubt(dProgramText, HidesAll, "", w.Span.Start)
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
