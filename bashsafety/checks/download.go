package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// downloadToShell looks for interpreters whose program is a download, from a pipe or a
// substitution.
func downloadToShell(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		c := sub.Call
		if (interprets(sub) || c != nil && readsProgram(c)) && pipedDownload(s, sub) {
			return true
		}
		return c != nil && runsWords(c) && substituted(s, i, func(k int) bool { return downloads(s, k) })
	})
}

// onShare reports whether a program of Windows is on another machine: \\server\share\x.exe.
func onShare(program string) bool {
	rest, ok := strings.CutPrefix(program, `\\`)
	machine, rest, _ := strings.Cut(rest, `\`)
	share, file, _ := strings.Cut(rest, `\`)
	whole := machine != "" && share != "" && file != ""
	return ok && whole && !shell.Among("? . localhost 127.0.0.1 wsl$ wsl.localhost", strings.ToLower(machine))
}

func pipedDownload(s *analysis.Analysis, sub *analysis.Subcommand) bool {
	return slices.ContainsFunc(sub.From, func(from int) bool { return from < len(s.Subcommands) && downloads(s, from) })
}

// substituted reports whether a command that fits is in a word of another one.
func substituted(s *analysis.Analysis, i int, fits func(k int) bool) bool {
	for k := range s.Subcommands {
		if k != i && fits(k) && insideWord(&s.Subcommands[i], &s.Subcommands[k]) {
			return true
		}
	}
	return false
}

// readsProgram reports whether a command runs what it reads on standard input.
func readsProgram(c *commands.Invocation) bool {
	if slices.ContainsFunc(c.Facts.Inner, func(in commands.Inner) bool { return fromStdin(&in) && in.Here() }) {
		return true
	}
	return c.Cmd.Name() == "." && len(c.Operands) > 0 && c.LiteralOperand(0) == "/dev/stdin"
}

// fromStdin reports whether what is run comes, or may come, from standard input.
func fromStdin(in *commands.Inner) bool {
	return in.Kind == commands.InnerStdin || in.Kind == commands.InnerText && !in.Text.Known && in.Via == "eval"
}

func runsWords(c *commands.Invocation) bool {
	return shell.Listed("eval . bash python node perl ruby php lua osascript pwsh deno", c.Cmd.Name())
}

// downloaders are the programs that fetch what a URL names.
const downloaders = "curl wget wget2 fetch aria2c http https xh lynx w3m lwp-request axel lwp-download " +
	"invoke-webrequest invoke-restmethod start-bitstransfer"

func downloads(s *analysis.Analysis, i int) bool {
	sub := &s.Subcommands[i]
	return sub.Tables&ofDownloaders != 0 && shell.Among(downloaders, sub.As) && !ownFiles(sub)
}

// ownFiles reports whether all that a client is told to fetch are files of this machine.
func ownFiles(sub *analysis.Subcommand) bool {
	return talksOnlyTo(sub, func(url string) bool { return strings.HasPrefix(strings.ToLower(url), "file:/") })
}

// insideWord reports whether inner is in a substitution of one of outer's words, or in its parentheses in PowerShell.
func insideWord(outer, inner *analysis.Subcommand) bool {
	n := 0
	for n < min(len(outer.Via), len(inner.Via)) && outer.Via[n] == inner.Via[n] {
		n++
	}
	here := n == len(outer.Via)
	if len(outer.Argv) == 0 || !here && !strings.HasPrefix(outer.Via[n], "function ") { // which has the words of its call
		return false
	}
	if len(inner.Via) > n && !shell.Among("$() <()", inner.Via[n]) || len(inner.Via) == n && !here {
		return false
	}
	return slices.ContainsFunc(outer.Argv[1:], func(w shell.Word) bool {
		return !w.Known && w.Span.Contains(inner.Span) && w.Span != inner.Span
	})
}

// interpreters are programs of other languages and shells that run what they are fed.
const interpreters = "pwsh powershell osascript fish csh tcsh yash nu elvish xonsh tclsh wish expect julia Rscript " +
	"R groovy irb swift lua luajit guile racket scala ghci runghc deno bun tsx ts-node elixir iex erl clojure bb " +
	"raku php ruby perl python python3 node"

// interprets reports whether an interpreter is given no script, and so runs what it is fed.
func interprets(sub *analysis.Subcommand) bool {
	if sub.Tables&ofInterpreters == 0 || !shell.Listed(interpreters, sub.Program) {
		return false
	}
	args := sub.Argv[1:]
	for i := range args {
		t := args[i].Text
		stdin := t == "-" || t == "/dev/stdin" || t == "run" && shell.Listed("deno bun", sub.Program)
		switch stdinNext := i+1 < len(args) && args[i+1].Text == "-"; {
		case stdin:
		case !strings.HasPrefix(t, "-"), !stdinNext && shell.Among("-m -c -e -r -f -Command -File -EncodedCommand", t):
			return false
		}
	}
	return true
}

// downloadThenRun reports what runs a file that the same text downloaded, a copy of it, or what was
// unpacked from it.
func downloadThenRun(s *analysis.Analysis) []analysis.Finding {
	t := downloadTrace{s: s}
	t.fetch()
	for n := 0; n < 3 && len(t.files) > 0 && t.spread(); n++ {
	}
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		shared := len(sub.Argv) > 0 && onShare(sub.Argv[0].Text)
		return shared || len(t.files) > 0 && t.runs(i, sub)
	})
}

// runFiles are the files a subcommand runs: as a script, and as the program it is.
func runFiles(sub *analysis.Subcommand) []shell.Effect {
	var all []shell.Effect
	if !sub.Here() || len(sub.Argv) == 0 {
		return nil
	}
	opens := shell.Among("start explorer invoke-item", strings.ToLower(sub.As))
	for _, e := range sub.Effects {
		if (e.Kind == shell.Execute || e.Kind == shell.Source) && (!opens || launched(e.Path)) {
			all = append(all, e)
		}
	}
	at := &shell.CwdState{Dirs: sub.Dirs}
	program := sub.Argv[0]
	program.Text = strings.ReplaceAll(program.Text, `\`, "/")
	if strings.Contains(program.Text, "/") || looksHere(sub) {
		all = append(all, shell.EffectsOf(shell.Execute, &program, at)...)
	}
	for i := 1; opens && i < len(sub.Argv); i++ {
		if w := &sub.Argv[i]; launched(w.Text) {
			all = append(all, shell.EffectsOf(shell.Execute, w, at)...)
		}
	}
	return all
}

// looksHere reports whether what starts a program looks for its name in the working directory first, as cmd and
// Start-Process do.
func looksHere(sub *analysis.Subcommand) bool {
	return len(sub.Via) > 0 && shell.StartsWithAny(sub.Via[len(sub.Via)-1], "cmd", "Start-Process")
}

// launched reports whether Windows runs a file that is opened, by its name.
func launched(name string) bool {
	const runs = ".exe .com .bat .cmd .msi .msc .cpl .scr .pif .vbs .vbe .js .jse .wsf .wsh .hta .lnk .reg .jar .ps1"
	return shell.Among(runs, strings.ToLower(path.Ext(name)))
}

// sameOnWindows reports whether Windows may take a path that is run for a file: either slash, any case, an ending that
// is left out.
func sameOnWindows(run, file string) bool {
	run, file = onDrive(run), onDrive(file)
	if len(file) < len(run) || !strings.EqualFold(run, file[:len(run)]) {
		return false
	}
	rest := file[len(run):]
	return rest == "" || rest[0] == '.' && launched(rest)
}

// onDrive is a path that bash or PowerShell joined to a folder, as permgate spells it: /c/dir.
func onDrive(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	for at := len(name) - 1; at > 0; at-- {
		if name[at] == ':' && powershell.DriveLetter(name[at-1:]) && (at == 1 || name[at-2] == '/') {
			name = "/" + strings.ToLower(name[at-1:at]) + "/" + name[at+1:]
			break
		}
	}
	return path.Clean(name)
}

// A downloadTrace follows the files that a text downloads to what runs them.
type downloadTrace struct {
	s     *analysis.Analysis
	loads []bool // by subcommand: it is a client that downloads
	files []fetched
}

type fetched struct {
	by   int
	file *shell.Effect
}

// fetch notes the files that a client, or what reads its output, writes.
func (t *downloadTrace) fetch() {
	t.loads = make([]bool, len(t.s.Subcommands))
	for i := range t.loads {
		t.loads[i] = downloads(t.s, i)
	}
	if !slices.Contains(t.loads, true) {
		return
	}
	fetches := func(k int) bool { return t.loads[k] }
	for i := range t.s.Subcommands {
		sub := &t.s.Subcommands[i]
		if t.loads[i] {
			t.add(i, false)
		}
		if sub.Here() && slices.ContainsFunc(sub.From, fetches) {
			t.add(i, true)
		}
		if sub.Structural && slices.ContainsFunc(commandsIn(t.s, i), fetches) {
			t.add(i, true) // (irm URL) > x.ps1
		}
	}
	if !t.s.HasPowerShell {
		return
	}
	f := &flow{s: t.s, carries: slices.Clone(t.loads), signs: make([]string, len(t.loads))}
	f.spread() // through variables and words
	for i := range f.carries {
		if f.carries[i] {
			t.add(i, true)
		}
	}
}

// spread notes what is copied, moved or unpacked: it is still the download.
func (t *downloadTrace) spread() (grown bool) {
	for i := range t.s.Subcommands {
		keeps := shell.Listed("rm chmod chown", t.s.Subcommands[i].Program)
		if !keeps && !t.loads[i] && t.takes(i) {
			grown = t.add(i, true) || grown
		}
	}
	return grown
}

// add notes the files a subcommand writes; what it unpacks into the project may be the project's
// own.
func (t *downloadTrace) add(i int, packed bool) (grown bool) {
	sub := &t.s.Subcommands[i]
	for e := range sub.Puts {
		toDevice := e.Known && shell.NotFile(e.Path)
		overProject := packed && e.Recursive && (e.Path == t.s.Env.Cwd || slices.Contains(sub.Dirs, e.Path))
		had := slices.ContainsFunc(t.files, func(f fetched) bool { return f.file == e })
		if !toDevice && !overProject && !had {
			t.files, grown = append(t.files, fetched{i, e}), true
		}
	}
	return grown
}

// from reports whether an effect of a subcommand is on a file downloaded before.
func (t *downloadTrace) from(i int, e *shell.Effect) bool {
	return slices.ContainsFunc(t.files, func(f fetched) bool {
		known := e.Known && f.file.Known
		same := samePlace(t.s, e, f.file) || known && sameOnWindows(e.Path, f.file.Path)
		return same && f.by != i && t.s.MayPrecede(f.by, i)
	})
}

func (t *downloadTrace) takes(i int) bool {
	return slices.ContainsFunc(t.s.Subcommands[i].Effects, func(e shell.Effect) bool {
		return (e.Kind == shell.Read || e.Kind == shell.Delete) && t.from(i, &e)
	})
}

// runs reports whether a subcommand runs a download: as a file, from a pipe, in a word, by its
// name.
func (t *downloadTrace) runs(i int, sub *analysis.Subcommand) bool {
	if slices.ContainsFunc(runFiles(sub), func(e shell.Effect) bool { return t.from(i, &e) }) {
		return true
	}
	if c := sub.Call; c != nil {
		if readsProgram(c) && slices.ContainsFunc(sub.From, t.takes) || runsWords(c) && substituted(t.s, i, t.takes) {
			return true
		}
	}
	return t.onPath(i)
}

// onPath reports whether a program was downloaded into a folder of programs and is called by name.
func (t *downloadTrace) onPath(i int) bool {
	sub := &t.s.Subcommands[i]
	if !sub.Here() || len(sub.Argv) == 0 || strings.Contains(sub.Argv[0].Text, "/") {
		return false
	}
	return slices.ContainsFunc(t.files, func(f fetched) bool {
		dir, name := path.Split(f.file.Path)
		return f.file.Known && strings.HasSuffix(dir, "bin/") && name == sub.Program && t.s.MayPrecede(f.by, i)
	})
}
