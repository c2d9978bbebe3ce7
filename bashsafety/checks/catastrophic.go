package checks

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// catastrophicChecks find what destroys the machine or hands it over.
var catastrophicChecks = []analysis.Check{
	{
		ID:       "remove-root",
		Title:    "removes the root, a system directory or a home directory",
		Of:       "deletes FILE",
		Why:      "everything below it is lost at once",
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			swept := append(matching(s, "rm", removesRoot), sweeps(s, "rm unlink shred rmdir srm truncate", findsAll)...)
			return append(swept, matching(s, "find", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
				return !filtered(c) && ruins(c, sub, shell.Delete)
			})...)
		},
	},
	{
		ID:       "overwrite-device",
		Title:    "overwrites a disk",
		Of:       "overwrites FILE",
		Why:      "the file systems on the device are lost",
		Instead:  []analysis.Hint{{Text: "`lsblk` to look first"}},
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find:     overwritesDevice,
	},
	{
		ID:       "overwrite-outside",
		Title:    "overwrites what is no plain file of the project",
		Of:       "overwrites FILE, which is no plain file of the project",
		Why:      "nothing can be recovered, and it may be a disk or a file others need",
		Instead:  []analysis.Hint{{Text: "naming one file below the working directory"}},
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find:     overwritesOutside,
	},
	{
		ID:       "move-root",
		Title:    "moves the root, a system directory or a home away",
		Of:       "moves FILE away",
		Why:      "programs no longer find their files",
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return matching(s, "mv", movesAway) },
	},
	{
		ID:    "replace-root",
		Title: "replaces the root, a system directory or a home",
		Of:    "replaces or fills FILE",
		Says: []analysis.Said{
			{For: "tar|unzip", Title: "unpacks into FILE", Why: "files there with the same names are overwritten, those of other programs too"},
		},
		Why:      "its current contents are deleted or overwritten",
		Instead:  []analysis.Hint{{Text: "a folder of the project instead"}},
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(matching(s, "rsync", mirrorsOnto), unpacksOver(s)...)
		},
	},
	{
		ID:       "kernel-key",
		Title:    "makes the kernel restart or stop at once",
		Why:      "nothing is saved and no program shuts down cleanly",
		Severity: analysis.Catastrophic,
		Find:     writesKernelKey,
	},
	{
		ID:       "chmod-root",
		Title:    "changes modes or owners of the whole system",
		Of:       "changes the owner of everything below FILE",
		Says:     []analysis.Said{{For: "chmod", Title: "changes the mode of everything below FILE"}},
		Why:      "programs and logins stop working, and the old modes cannot be restored",
		Severity: analysis.Catastrophic,
		About:    analysis.AboutFiles,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			fits := func(c *commands.Invocation, sub *analysis.Subcommand) bool {
				return c.Recursive && slices.ContainsFunc(targets(c, sub, shell.Write, shell.Write), func(e shell.Effect) bool {
					return e.Path == "/" || e.Glob && strings.Count(e.Path, "/") == 1
				})
			}
			swept := sweeps(s, "chmod chown chgrp", findsAll)
			return slices.Concat(matching(s, "chmod", fits), matching(s, "chgrp", fits), swept)
		},
	},
	{
		ID:       "download-to-shell",
		Title:    "runs downloaded code without review",
		Of:       "runs what URL sends, without review",
		Why:      "the server decides what runs on your machine",
		Instead:  []analysis.Hint{{Text: "saving it to a file and reading it first"}},
		Severity: analysis.Catastrophic,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(downloadToShell(s), remote.CodeFinds(s, remote.CodeRunsDownload)...)
		},
	},
	{
		ID:       "fork-bomb",
		Title:    "spawns itself endlessly (fork bomb)",
		Why:      "the machine runs out of processes and has to be restarted",
		Severity: analysis.Catastrophic,
		Find:     forkBombs,
	},
}

// forkBombs finds functions that multiply, and loops and programs that only start others.
func forkBombs(s *analysis.Analysis) []analysis.Finding {
	loops := func(file *syntax.File) []syntax.Node { return nodesOf(file, endlessLoop) }
	all := append(append(syntaxFinds(s, bombsOf), syntaxFinds(s, loops)...), forksForever(s)...)
	for _, span := range s.Endless {
		all = append(all, analysis.Finding{Sub: -1, Span: span})
	}
	return all
}

// syntaxFinds reports nodes of the texts; in a text inside the text, the place is the whole.
func syntaxFinds(s *analysis.Analysis, find func(*syntax.File) []syntax.Node) []analysis.Finding {
	var all []analysis.Finding
	for n, file := range s.Files {
		if file == nil {
			continue
		}
		for _, node := range find(file) {
			span := shell.Span{Start: 0, End: len(s.Text)}
			if n == 0 {
				span = shell.Span{Start: int(node.Pos().Offset()), End: int(node.End().Offset())}
			}
			all = append(all, analysis.Finding{Sub: -1, Span: span})
		}
	}
	return all
}

func nodesOf(file *syntax.File, fits func(syntax.Node) bool) (all []syntax.Node) {
	syntax.Walk(file, func(node syntax.Node) bool {
		if node != nil && fits(node) {
			all = append(all, node)
		}
		return true
	})
	return all
}

// A funcCalls is what the body of a function calls.
type funcCalls struct {
	decl  *syntax.FuncDecl
	calls map[string]callCount
	pipes bool // it pipes itself into itself: both ends of a pipe run at once
}

type callCount struct{ all, background int }

// bombsOf are the functions that call themselves, or others that call them back, at least twice and
// once in the background.
func bombsOf(file *syntax.File) (bombs []syntax.Node) {
	var funcs []funcCalls
	back := map[[2]string]int{} // how many functions of the first name call the second
	for _, node := range nodesOf(file, func(n syntax.Node) bool { _, ok := n.(*syntax.FuncDecl); return ok }) {
		if f := node.(*syntax.FuncDecl); f.Name != nil && f.Body != nil {
			of := callsOf(f)
			for name := range of.calls {
				back[[2]string{f.Name.Value, name}]++
			}
			funcs = append(funcs, of)
		}
	}
	for _, f := range funcs {
		own := f.decl.Name.Value
		sum := f.calls[own]
		if f.pipes {
			sum.background++
		}
		for name, n := range f.calls {
			if name != own {
				pairs := back[[2]string{name, own}]
				sum.all, sum.background = sum.all+pairs*n.all, sum.background+pairs*n.background
			}
		}
		if sum.all > 1 && sum.background > 0 {
			bombs = append(bombs, f.decl)
		}
	}
	return bombs
}

// callsOf counts the calls in the body of a function, and those of them in the background.
func callsOf(f *syntax.FuncDecl) funcCalls {
	type frame struct {
		node  syntax.Node
		apart bool // it runs in the background
		begin int  // calls of the function itself before it
		left  bool // of a pipe: its left end calls the function itself
	}
	out, own := funcCalls{decl: f, calls: map[string]callCount{}}, f.Name.Value
	var path []frame
	syntax.Walk(f.Body, func(node syntax.Node) bool {
		if node == nil {
			top := path[len(path)-1]
			if path = path[:len(path)-1]; len(path) == 0 {
				return false
			}
			up, calls := &path[len(path)-1], out.calls[own].all > top.begin
			if b, ok := up.node.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
				out.pipes = out.pipes || up.left && calls && top.node == b.Y
				up.left = up.left || calls && top.node == b.X
			}
			return false
		}
		apart := len(path) > 0 && path[len(path)-1].apart
		switch x := node.(type) {
		case *syntax.Stmt:
			apart = apart || x.Background
		case *syntax.CallExpr:
			if len(x.Args) > 0 && x.Args[0].Lit() != "" {
				n := out.calls[x.Args[0].Lit()]
				if n.all++; apart {
					n.background++
				}
				out.calls[x.Args[0].Lit()] = n
			}
		}
		path = append(path, frame{node: node, apart: apart, begin: out.calls[own].all})
		return true
	})
	return out
}

// endlessLoop reports a loop that never ends, and every round starts a job and waits for nothing.
func endlessLoop(node syntax.Node) bool {
	switch x := node.(type) {
	case *syntax.WhileClause:
		return endless(x.Cond, x.Until) && startsOnly(x.Do)
	case *syntax.ForClause:
		c, ok := x.Loop.(*syntax.CStyleLoop)
		return ok && c.Cond == nil && startsOnly(x.Do)
	}
	return false
}

// endless reports whether the condition of a loop never ends it.
func endless(cond []*syntax.Stmt, until bool) bool {
	if len(cond) == 0 {
		return false
	}
	last := cond[len(cond)-1]
	success := !until != last.Negated // what lets the loop go on
	if x, ok := last.Cmd.(*syntax.CallExpr); ok {
		return len(x.Args) > 0 && endlessCall(x.Args, success)
	}
	return success && alwaysTrue(last.Cmd)
}

// alwaysTrue reports the arithmetic and tests of one literal that is true.
func alwaysTrue(cmd syntax.Command) bool {
	switch x := cmd.(type) {
	case *syntax.ArithmCmd:
		w, ok := x.X.(*syntax.Word)
		return ok && shell.Number(w.Lit()) && strings.Trim(w.Lit(), "0") != ""
	case *syntax.TestClause:
		w, ok := x.X.(*syntax.Word)
		return ok && w.Lit() != ""
	}
	return false
}

// endlessCall is endless for a loop that goes on while a command succeeds, or,
// where success is not set, while it fails.
func endlessCall(args []*syntax.Word, success bool) bool {
	switch args[0].Lit() {
	case ":", "true", "/bin/true", "/usr/bin/true":
		return success
	case "false", "/bin/false":
		return !success
	case "[", "test":
		return success && len(args) >= 2 && len(args) <= 3 && shell.Number(args[1].Lit())
	}
	return false
}

// startsOnly reports whether a body starts a job, and nothing in the foreground waits or ends the
// loop.
func startsOnly(body []*syntax.Stmt) bool {
	const pauses = "wait sleep usleep break exit return read kill inotifywait fswatch flock sem timeout"
	starts, waits := false, false
	for _, s := range body {
		syntax.Walk(s, func(node syntax.Node) bool {
			switch x := node.(type) {
			case *syntax.FuncDecl:
				return false
			case *syntax.Stmt:
				if x.Background {
					starts = true
					return false
				}
			case *syntax.CallExpr:
				if len(x.Args) > 0 { // start of Windows waits for nothing
					starts = starts || shell.Listed("start cygstart", x.Args[0].Lit())
					waits = waits || shell.Listed(pauses, x.Args[0].Lit())
				}
			}
			return true
		})
	}
	return starts && !waits
}

// forksForever finds the programs of other languages that do nothing but fork.
func forksForever(s *analysis.Analysis) []analysis.Finding {
	return remote.CodeFinds(s, func(t *code.Text) bool {
		return strings.Contains(t.Source, "fork") &&
			onlyForks(t.Source)
	})
}

// onlyForks reports whether a program text forks in a loop without an end.
func onlyForks(source string) bool {
	source = shell.Without(" \n\t;()", source)
	return shell.ContainsAny(source, "forkwhilefork", "forkwhile1", "forkwhiletrue", "while1os.fork", "while1:os.fork",
		"whileTrue:os.fork", "while1{fork", "whiletrue{fork", "loop{fork", "for{fork", "while1fork", "pcntl_forkwhile")
}
