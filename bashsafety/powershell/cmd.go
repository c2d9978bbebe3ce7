package powershell

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The shell of Windows. Its own commands that delete, copy and list have an alias in PowerShell, and are judged as that
// cmdlet; programs are judged by their tables. Anything that it would replace, escape or loop over is a doubt.

const (
	// cmdAliases are cmd's own commands that do what the alias of that name does.
	cmdAliases = "dir type del erase rd rmdir copy move ren rename md mkdir cd chdir pushd echo cls"
	// cmdHarmless are those that only print or are ignored, whatever their words are.
	cmdHarmless = "ver vol rem title exit setlocal endlocal break color verify"
	// cmdOwn are all others: loops, conditions, what sets variables and links, and what runs text.
	cmdOwn = "assoc call date dpath for ftype goto if keys mklink path popd prompt set shift start time"
)

// ReadCmd lists what the words after cmd run.
func ReadCmd(w Walk, t *Text, words []shell.Word) {
	p := psParser{w: w, a: t.Analysis, cwd: t.Cwd, levels: t.Levels, s: t.Source, span: t.Span, depth: 1, via: t.Via}
	p.facts.sets = map[string]int{}
	all := make([]psWord, len(words))
	for i := range words {
		all[i].Word = words[i]
	}
	p.cmdOptions(all, false)
}

// cmdText lists cmd, and what it is given.
func (p *psParser) cmdText(c *psCommand) {
	p.add(c, analysis.Subcommand{Program: psBase(c.words[0].Text), Launcher: true})
	p.via = append(p.via[:len(p.via):len(p.via)], "cmd /c")
	p.cmdOptions(c.words[1:], c.flow.piped)
	p.via = p.via[:len(p.via)-1]
}

// cmdOptions finds the text among the words after cmd: after /c, /k or /r, which Git Bash spells //c.
func (p *psParser) cmdOptions(words []psWord, piped bool) {
	for i := range words {
		w := &words[i]
		option, isOption := strings.CutPrefix(strings.TrimPrefix(w.Text, "/"), "/")
		if !isOption {
			option, isOption = strings.CutPrefix(w.Text, "/")
		}
		switch {
		case !w.Known || len(w.more) > 0 || w.block:
			p.cmdDoubt("a word of cmd", w.Span.Start)
			return
		case w.Text == "--%":
		case !isOption: // a file name, which cmd does not run
			return
		case option != "" && strings.IndexByte("cCkKrR", option[0]) >= 0:
			rest := append([]psWord{*w}, words[i+1:]...)
			rest[0].Text = option[1:]
			p.cmdLine(rest)
			return
		}
	}
	if piped {
		p.doubt(analysis.DoubtPipedProgram, shell.HidesAll, "cmd", p.i)
	}
}

func (p *psParser) cmdDoubt(what string, at int) {
	p.doubt(analysis.DoubtProgramText, shell.HidesAll, what, at)
}

// cmdLine reads the words after /c as the one line that they become.
func (p *psParser) cmdLine(words []psWord) {
	words = slices.DeleteFunc(words, func(w psWord) bool { return w.Text == "" })
	var line strings.Builder
	for i := range words {
		w := &words[i]
		spaced := strings.ContainsAny(w.Text, " \t") && len(words) > 1
		unclear := spaced && (i == 0 || strings.Contains(w.Text, `"`))
		if unclear || !w.Known || len(w.more) > 0 || w.block {
			p.cmdDoubt("a word of cmd /c", w.Span.Start)
			return
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		if spaced {
			line.WriteString(`"` + w.Text + `"`)
		} else {
			line.WriteString(w.Text)
		}
	}
	if len(words) == 0 {
		return
	}
	text := line.String()
	if !p.w.TakeText(len(text)) || p.depth >= analysis.MaxRuns {
		p.doubt(analysis.DoubtTooDeep, shell.HidesAll, "", words[0].Span.Start)
		return
	}
	if text[0] == '"' { // it and the last quote go, whatever is between them
		if last := strings.LastIndexByte(text, '"'); last > 0 {
			text = text[:last] + text[last+1:]
		}
		text = text[1:]
	}
	p.cmdCommands(text, words[0].Span)
}

// cmdCommands reads commands that & and | part.
func (p *psParser) cmdCommands(text string, span shell.Span) {
	pairs := strings.Count(text, "%") > 1 || strings.Count(text, `"`)%2 != 0 // %NAME%; one % is itself
	if pairs || strings.ContainsAny(text, "^!()<\n\r") {
		p.cmdDoubt("what cmd replaces or escapes", span.Start)
	}
	first := len(p.a.Subcommands) // of the pipeline
	c := psCommand{span: span, flow: &psFlow{open: true}}
	into := false // the next word is the target of a redirection
	end := func(piped bool) {
		p.cmdCommand(&c)
		c = psCommand{span: span, flow: &psFlow{open: true, piped: piped, first: first, mark: len(p.a.Subcommands)}}
		if !piped {
			first = len(p.a.Subcommands)
		}
	}
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case strings.IndexByte(" \t<", ch) >= 0:
			i++
		case strings.HasPrefix(text[i:], "||"):
			end(false)
			i += 2
		case ch == '&' || ch == '|':
			end(ch == '|')
			i++
		case ch == '>', strings.IndexByte("012", ch) >= 0 && strings.HasPrefix(text[i+1:], ">"):
			i += strings.IndexByte(text[i:], '>') + 1
			rest := strings.TrimPrefix(text[i:], ">")
			if into = !strings.HasPrefix(rest, "&1") && !strings.HasPrefix(rest, "&2"); !into {
				rest = rest[2:]
			}
			i = len(text) - len(rest)
		default:
			w := psWord{Word: shell.Word{Known: true, Single: true, Span: span}}
			w.Quoted = ch == '"'
			w.Text, i = cmdWord(text, i)
			switch {
			case into && !strings.EqualFold(w.Text, "nul"):
				c.outs = append(c.outs, w)
			case !into:
				c.words = append(c.words, w)
			}
			into = false
		}
	}
	end(false)
}

// cmdWord is the word at a place of a line without its quotes, and where it ends.
func cmdWord(text string, at int) (word string, end int) {
	var b strings.Builder
	quoted := false
	for ; at < len(text) && (quoted || strings.IndexByte(" \t&|<>", text[at]) < 0); at++ {
		if text[at] == '"' {
			quoted = !quoted
			continue
		}
		b.WriteByte(text[at])
	}
	return b.String(), at
}

// cmdCommand lists one command.
func (p *psParser) cmdCommand(c *psCommand) {
	if len(c.words) == 0 {
		p.onlyOuts(c)
		return
	}
	first := &c.words[0]
	first.Text = strings.TrimLeft(first.Text, "@")
	n := 0
	for n < len(first.Text) && plainLetters(first.Text[n:n+1]) {
		n++
	}
	name, rest := strings.ToLower(first.Text[:n]), first.Text[n:]
	own := shell.Listed(cmdOwn+" "+cmdAliases+" "+cmdHarmless, name)
	if own && strings.HasPrefix(rest, "/") { // rd/s
		option := *first
		first.Text, option.Text, rest = name, rest, ""
		c.words = slices.Insert(c.words, 1, option)
	}
	if then := cmdThen(name, c.words); then != nil && rest == "" {
		if name != "if" { // rules may name it
			p.add(c, analysis.Subcommand{Program: name, Launcher: name != "set"})
		}
		if name == "set" {
			p.setEnv(then[0].Text)
			then = then[1:]
		}
		c.words = then
		p.cmdCommand(c)
		return
	}
	odd := rest != "" && !(name == "echo" && shell.Among(". :", rest)) || shell.Listed(cmdOwn, name)
	switch from := len(p.a.Subcommands); {
	case !own:
		p.native(c)
		if from < len(p.a.Subcommands) {
			sub := &p.a.Subcommands[from]
			sub.Effects = append(sub.Effects[:len(sub.Effects):len(sub.Effects)], p.written(c.outs)...)
		}
	case odd || name != "echo" && slices.ContainsFunc(c.words[1:], func(w psWord) bool { return strings.ContainsAny(w.Text, ",;=+") }):
		p.cmdDoubt("cmd's own "+name, c.span.Start)
		p.add(c, analysis.Subcommand{Program: name, Effects: p.written(c.outs)})
	case shell.Listed(cmdHarmless, name):
		p.add(c, analysis.Subcommand{Program: name, Effects: p.written(c.outs)})
	default:
		c.words[0].Text = strings.Replace(name, "rename", "ren", 1)
		c.words = cmdWords(c.words)
		p.run(c)
	}
}

// cmdThen is the command that call, start or if runs, or of set the name that is assigned; nil for what is not read.
func cmdThen(name string, words []psWord) []psWord {
	words = words[1:]
	skip := "/i not" // of if
	if name == "start" {
		skip = "/b /min /max /wait /i"
		if len(words) > 0 && words[0].Quoted { // the title
			words = words[1:]
		}
	}
	for len(words) > 0 && shell.Among(skip, strings.ToLower(words[0].Text)) {
		words = words[1:]
	}
	if len(words) == 0 || strings.HasPrefix(words[0].Text, "/") {
		return nil
	}
	first := words[0]
	before, after, equal := strings.Cut(first.Text, "=")
	switch name {
	case "start":
		return words
	case "call":
		if !strings.HasPrefix(first.Text, ":") {
			return words
		}
	case "set":
		first.Text = strings.ToUpper(before)
		name = first.Text
		steers := commands.Steers(name) || commands.ProgramVar(name) || shell.Among("PATHEXT COMSPEC", name)
		if equal && (!steers || commands.Inert(name)) {
			return []psWord{first}
		}
	case "if":
		n := 0 // words of the condition
		if shell.Among("exist errorlevel defined", strings.ToLower(first.Text)) {
			n = 2
		} else if before != "" && strings.HasPrefix(after, "=") && after != "=" {
			n = 1
		}
		if n > 0 && n < len(words) {
			return words[n:]
		}
	}
	return nil
}

// cmdWords takes the options off the words of cmd's own commands; /s is -Recurse of those that delete.
func cmdWords(words []psWord) []psWord {
	deletes := shell.Listed("del erase rd rmdir", words[0].Text)
	var out []psWord
	for i := range words {
		w := words[i]
		option := i > 0 && strings.HasPrefix(w.Text, "/")
		if option && deletes && strings.Contains(strings.ToLower(w.Text), "/s") {
			w.Text, w.bare = "-Recurse", true
		} else if option && words[0].Text != "echo" {
			continue
		}
		out = append(out, w)
	}
	return out
}
