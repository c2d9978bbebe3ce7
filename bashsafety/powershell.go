package bashsafety

import "strings"

// powershellChecks are the checks of AnalyzePowerShell.
var powershellChecks = []Check{
	{
		ID:       "powershell-remove",
		Title:    "removes files with everything in them",
		Why:      "files that are in no repository cannot be brought back",
		Instead:  "name the files: `Remove-Item notes.tmp`",
		Severity: Destructive,
		About:    AboutFiles,
		Fails:    []string{"Remove-Item -Recurse -Force build", "rm -r build", "ri build -rec", "del /s /q build", "rd /s build", "Get-ChildItem | Remove-Item -Recurse", "REMOVE-ITEM build -Recurse", "rmdir build -Recurse", "if ($x) { Remove-Item -Recurse build }", "Remove-Item -Rec:$true x", "erase -Recurse x", "rm -rf x", `cmd /c "rd /s /q x"`, "& 'Remove-Item' -Recurse x"},
		Passes:   []string{"Remove-Item notes.tmp", "Get-ChildItem -Recurse", "echo 'Remove-Item -Recurse'", "Copy-Item -Recurse a b", "git commit -m 'rm -r x'"},
		Find:     func(s *Script) []Finding { return cmdlets(s, removesTree) },
	},
	{
		ID:       "powershell-disk",
		Title:    "erases a disk or stops the machine",
		Why:      "the data on the disk, or the work of whoever is logged in, is lost",
		Instead:  "look first: `Get-Volume`",
		Severity: Destructive,
		Fails:    []string{"Format-Volume -DriveLetter D", "Clear-Disk -Number 1", "Initialize-Disk 1", "Remove-Partition -DiskNumber 1", "stop-computer", "Restart-Computer -Force", "Clear-RecycleBin -Force", "vssadmin delete shadows /all"},
		Passes:   []string{"Get-Volume", "Get-Disk", "echo Format-Volume"},
		Find: func(s *Script) []Finding {
			return cmdlets(s, func(name string, argv []Word) bool {
				switch name {
				case "format-volume", "clear-disk", "initialize-disk", "remove-partition", "stop-computer", "restart-computer", "clear-recyclebin", "reset-physicaldisk", "clear-content-volume", "format.com", "diskpart":
					return true
				case "vssadmin":
					return anyWord(argv, "delete")
				}
				return false
			})
		},
	},
	{
		ID:       "powershell-expression",
		Title:    "runs text as a command",
		Why:      "what is run cannot be read before it runs",
		Instead:  "write the command out: `Get-ChildItem`",
		Severity: Suspicious,
		Fails:    []string{"Invoke-Expression $x", "iex 'Get-ChildItem'", "irm https://example.com | iex", "(New-Object Net.WebClient).DownloadString('https://example.com') | IEX", "powershell -EncodedCommand AAAA", "pwsh -e AAAA", "Invoke-Command -ScriptBlock { x }", "Add-Type -TypeDefinition x", "Start-Process x -Verb RunAs", "Set-ExecutionPolicy Bypass"},
		Passes:   []string{"Get-ChildItem", "echo iex", "Invoke-WebRequest https://example.com -OutFile x"},
		Find: func(s *Script) []Finding {
			return cmdlets(s, func(name string, argv []Word) bool {
				switch name {
				case "invoke-expression", "invoke-command", "add-type", "set-executionpolicy", "invoke-cimmethod", "invoke-wmimethod":
					return true
				case "start-process":
					return anyWord(argv, "RunAs")
				case "powershell", "pwsh":
					for i := range argv[1:] {
						if t := strings.ToLower(argv[i+1].Text); len(t) > 1 && (t[0] == '-' || t[0] == '/') && strings.HasPrefix("encodedcommand", t[1:]) {
							return true
						}
					}
				}
				return false
			})
		},
	},
}

// cmdlets reports the subcommands whose canonical name and words fit.
func cmdlets(s *Script, fits func(name string, argv []Word) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if fits(cmdletName(sub.Program), sub.Argv) {
			all = append(all, Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// removesTree is Remove-Item with -Recurse or an abbreviation of it, and the
// spellings of cmd and Unix.
func removesTree(name string, argv []Word) bool {
	if name == "cmd" {
		for i := range argv[1:] {
			low := " " + strings.ToLower(argv[i+1].Text) + " "
			if (strings.Contains(low, "rd ") || strings.Contains(low, "rmdir ") || strings.Contains(low, "del ") || strings.Contains(low, "erase ")) && strings.Contains(low, " /s ") {
				return true
			}
		}
		return anyWord(argv, "rd", "rmdir", "del", "erase") && anyWord(argv, "/s")
	}
	if name != "remove-item" {
		return false
	}
	for i := range argv[1:] {
		t, _, _ := strings.Cut(strings.ToLower(argv[i+1].Text), ":")
		if t == "/s" || len(t) > 1 && t[0] == '-' && strings.HasPrefix("-recurse", t) || t == "-rf" || t == "-fr" {
			return true
		}
	}
	return false
}

// cmdletName is the canonical name of a command in lower case.
func cmdletName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	switch name {
	case "rm", "ri", "rd", "del", "erase", "rmdir":
		return "remove-item"
	case "iex":
		return "invoke-expression"
	case "icm":
		return "invoke-command"
	case "saps", "start":
		return "start-process"
	case "iwr", "wget", "curl":
		return "invoke-webrequest"
	case "irm":
		return "invoke-restmethod"
	case "ls", "dir", "gci":
		return "get-childitem"
	case "cat", "type", "gc":
		return "get-content"
	case "cp", "copy", "cpi":
		return "copy-item"
	case "mv", "move", "mi":
		return "move-item"
	case "echo", "write":
		return "write-output"
	case "cd", "chdir", "sl":
		return "set-location"
	case "pwd", "gl":
		return "get-location"
	case "ni":
		return "new-item"
	case "sc":
		return "set-content"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "kill", "spps":
		return "stop-process"
	case "ps", "gps":
		return "get-process"
	}
	return name
}

// AnalyzePowerShell says what a PowerShell text would run, as far as that is
// simple: one plain command with literal words is one Subcommand. Everything
// else is split where commands may start, so that deny rules and checks see the
// pieces, and carries the Doubt powershell-complex. Alt holds the command by
// its canonical name.
func AnalyzePowerShell(text string) *Script {
	s := &Script{Text: text}
	if len(text) > MaxBytes {
		s.doubtPowerShell("too-long", "the text is over 64 KiB; put it into a script file")
		text = completeLines(text[:MaxBytes])
	}
	p := psLexer{s: text}
	for p.command() && len(s.Subcommands) < MaxSubcommands {
		if len(p.argv) == 0 {
			continue
		}
		name := p.argv[0].Text
		if i := strings.LastIndexAny(name, `/\`); i >= 0 && p.argv[0].Known {
			name = name[i+1:]
		}
		sub := Subcommand{Span: Span{p.argv[0].Span.Start, p.argv[len(p.argv)-1].Span.End}, Argv: p.argv, Program: name}
		if !p.argv[0].Known {
			sub.Program = ""
		}
		if canon := cmdletName(name); canon != name {
			alt := append([]Word(nil), p.argv...)
			alt[0].Text = canon
			sub.Alt = append(sub.Alt, alt)
		}
		s.Subcommands = append(s.Subcommands, sub)
	}
	switch {
	case len(s.Subcommands) >= MaxSubcommands:
		s.doubtPowerShell("too-many-commands", "the text runs over 500 commands; split it")
	case p.complex || len(s.Subcommands) != 1:
		s.doubtPowerShell("powershell-complex", "only one plain PowerShell command with literal words can be analysed; run the commands one by one")
	}
	takeApart(s)
	for _, family := range [...][]Check{powershellChecks, gitChecks, suspiciousChecks} {
		runFamily(s, family)
	}
	return s
}

func (s *Script) doubtPowerShell(id, msg string) {
	s.Doubts = append(s.Doubts, Doubt{ID: id, Msg: msg, Span: Span{0, len(s.Text)}})
}

// psLexer cuts PowerShell text into commands and words. What it does not know
// makes the text complex and ends a word.
type psLexer struct {
	s       string
	i       int
	argv    []Word
	complex bool
}

// command reads the words up to the next place where a command may start;
// false at the end of the text.
func (p *psLexer) command() bool {
	if p.argv = nil; p.i >= len(p.s) {
		return false
	}
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t':
			p.i++
		case c == ';' || c == '|' || c == '\n' || c == '\r' || c == '{' || c == '}' || c == '(' || c == ')' || c == '&':
			p.i++
			p.complex = p.complex || c != '\n' && c != '\r'
			if len(p.argv) > 0 {
				return true
			}
		case c == '#' || c == '<' || c == '>':
			p.complex = true
			p.i++
		default:
			p.word()
		}
	}
	return true
}

// word reads one word; quotes are taken off, an expansion is a hole.
func (p *psLexer) word() {
	w := Word{Known: true, Single: true, Span: Span{Start: p.i}}
	var b strings.Builder
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n;|{}()&<>", p.s[p.i]) < 0 {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '\'' || c == '"':
			w.Quoted = true
			p.quoted(c, &w, &b)
		case c == '$' || c == '@' || c == '`' || c >= 0x80 || c < 0x20:
			p.complex, w.Known = true, false
			b.WriteString(HoleMark)
			if c == '`' && p.i < len(p.s) {
				p.i++
			}
		case c == '*' || c == '?' || c == '[' || c == ',' || c == '%' || c == '~':
			p.complex = p.complex || c == ',' || len(p.argv) == 0
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	w.Text, w.Span.End = b.String(), p.i
	if before, _, ok := strings.Cut(w.Text, HoleMark); ok {
		w.Text = before + HoleMark // where an expansion ends is not followed
	}
	if w.Text == "--%" || w.Text == "." && len(p.argv) == 0 {
		p.complex = true
	}
	p.argv = append(p.argv, w)
}

// quoted reads up to the closing quote; a doubled one stands for itself.
func (p *psLexer) quoted(q byte, w *Word, b *strings.Builder) {
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == q && p.i < len(p.s) && p.s[p.i] == q:
			b.WriteByte(q)
			p.i++
		case c == q:
			return
		case q == '"' && (c == '$' || c == '`'):
			w.Known, p.complex = false, true
			b.WriteString(HoleMark)
		default:
			b.WriteByte(c)
		}
	}
	p.complex = true // the quote is not closed
}
