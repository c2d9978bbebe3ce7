package native

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// A claudeModel is what Claude Code runs by itself, as it was driven: testdata/driven.tsv holds it to that. What it was
// not seen to run it does not run.
type claudeModel struct {
	allow   []string // rules of its own files
	folders []string // additional directories
	edits   bool     // acceptEdits
	judged  bool     // a classifier judges what no rule covers, commands that only read included
	dirs    int      // how many folders the text has gone to
	why     string   // it does not run a text
	parts   []part   // of a text that runs
	cuts    []cut    // wrappers in it that run the very command, the last first
}

func (m *claudeModel) no(why string) bool {
	if m.why == "" {
		m.why = why
	}
	return false
}

const (
	// commands that only read, and run without a rule
	claudeReads = " ls cat echo pwd head tail grep wc which diff stat du fmt comm cmp numfmt expr test [ printf getconf seq tsort pr lsof pgrep file true false sleep sort uniq tr cut jq rg "
	claudeGit   = " status log diff show blame rev-parse ls-files describe "
	// what acceptEdits runs on files of the project
	claudeEdits = " mkdir touch rm rmdir mv cp sed "
	// what is given to these cannot be checked, whatever rule there is
	claudeBlind = " exec eval source . trap watch script setsid ionice taskset chrt strace unshare "
	// variables that may stand in front of a command
	claudeInert = " NODE_ENV CI PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTEST_DEBUG RUST_BACKTRACE RUST_LOG LANGUAGE LC_TIME CHARSET TZ TERM COLORTERM FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE GOOS GOARCH CGO_ENABLED GO111MODULE GOEXPERIMENT GIT_TERMINAL_PROMPT DEBIAN_FRONTEND ANTHROPIC_API_KEY GREP_COLOR GREP_COLORS GCC_COLORS LS_COLORS TIME_STYLE BLOCK_SIZE "
	claudeKnown = " HOME "
)

var (
	claudeValue  = regexp.MustCompile(`^[\w./:-]+$`)
	claudeLocale = regexp.MustCompile(`^(C|POSIX|[a-z]{2}_[A-Z]{2})(\.[\w-]+)?$`)
	claudeNumber = regexp.MustCompile(`^\d+$`)
)

func has(list, word string) bool { return strings.Contains(list, " "+word+" ") && word != "" }

func printed(n syntax.Node) string {
	var b strings.Builder
	_ = syntax.NewPrinter().Print(&b, n)
	return b.String()
}

func (m *claudeModel) runs(text string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) == 0 {
		return false
	}
	if !m.judged && (slices.Contains(m.allow, "Bash") || slices.Contains(m.allow, "Bash(*)")) {
		return true
	}
	return m.all(file.Stmts)
}

func (m *claudeModel) all(list []*syntax.Stmt) bool {
	for _, s := range list {
		if !m.stmt(s) {
			return false
		}
	}
	return true
}

func (m *claudeModel) stmt(s *syntax.Stmt) bool {
	if s == nil {
		return true
	}
	if s.Background || s.Coprocess {
		return m.no("what cannot be checked")
	}
	if !checkable(s) {
		return m.no("what cannot be checked")
	}
	heredoc := false
	for _, r := range s.Redirs {
		if heredoc || !m.redirect(r) {
			return m.no("a redirect")
		}
		heredoc = r.Hdoc != nil
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return m.command(c) && !(len(s.Redirs) > 0 && len(c.Args) > 0 && s.Redirs[0].Pos().Offset() < c.Args[0].Pos().Offset())
	case *syntax.BinaryCmd:
		// a here-document into a pipe cannot be checked
		return m.stmt(c.X) && m.stmt(c.Y) && !(c.X.Redirs != nil && slices.ContainsFunc(c.X.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }))
	case *syntax.IfClause:
		return len(s.Redirs) == 0 && m.clause(c)
	case *syntax.WhileClause:
		return len(s.Redirs) == 0 && m.all(c.Cond) && m.all(c.Do)
	case *syntax.ForClause:
		_, words := c.Loop.(*syntax.WordIter)
		return words && len(s.Redirs) == 0 && m.all(c.Do)
	case *syntax.TestClause:
		return true
	case *syntax.TimeClause:
		if c.Stmt != nil {
			m.cuts = append(m.cuts, cut{c.Pos().Offset(), c.Stmt.Pos().Offset(), ""})
		}
		return slices.Contains(m.allow, "Bash("+printed(c)+")") || m.stmt(c.Stmt)
	}
	return m.no("what cannot be checked")
}

func (m *claudeModel) clause(c *syntax.IfClause) bool {
	return m.all(c.Cond) && m.all(c.Then) && (c.Else == nil || m.clause(c.Else))
}

// checkable reports whether nothing in a statement is only known at run time.
func checkable(s *syntax.Stmt) (ok bool) {
	ok = true
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ExtGlob, *syntax.FuncDecl, *syntax.Block, *syntax.Subshell:
			ok = false
		case *syntax.ParamExp:
			ok = ok && has(claudeKnown, n.Param.Value) && n.Short
		case *syntax.Redirect:
			if n.Hdoc != nil && !strings.ContainsAny(printed(n.Word), `'"\`) {
				ok = false
			}
		case *syntax.Lit:
			ok = ok && !(strings.Contains(n.Value, "{") && strings.ContainsAny(n.Value, ",.") && strings.Contains(n.Value, "}") && n.Value != "{}")
		}
		return ok
	})
	return ok
}

// inside reports whether a word names a file of the project or of an additional directory, and is no pattern.
func (m *claudeModel) inside(word string) bool {
	word = strings.Trim(word, `'"`)
	if slices.ContainsFunc(m.folders, func(f string) bool {
		return word == f || strings.HasPrefix(word, f+"/") && !strings.Contains(word, "..")
	}) {
		return true
	}
	return word != "" && !strings.ContainsAny(word, "~$*?[") && (!strings.HasPrefix(word, "/") || strings.HasPrefix(word, project+"/")) &&
		!strings.HasPrefix(word, "..") && !strings.Contains(word, "/..")
}

// protected reports whether Claude Code asks about a file of the project in acceptEdits, too.
func protected(word string) bool {
	for part := range strings.SplitSeq(strings.Trim(word, `'"`), "/") {
		if has(" .git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .gitconfig .gitmodules .bashrc .zshrc .profile .envrc .npmrc .mcp.json ", part) {
			return true
		}
	}
	return false
}

func (m *claudeModel) redirect(r *syntax.Redirect) bool {
	target := printed(r.Word)
	switch {
	case r.Hdoc != nil, r.Op == syntax.WordHdoc, target == "/dev/null":
		return true
	case r.Op == syntax.DplOut || r.Op == syntax.DplIn:
		if claudeNumber.MatchString(target) || target == "-" {
			return true
		}
	case r.Op == syntax.RdrInOut:
		return false
	case r.Op == syntax.RdrIn:
		m.parts = append(m.parts, part{"< " + target, true})
		return m.inside(target)
	}
	m.parts = append(m.parts, part{"> " + target, true})
	return m.inside(target) && !protected(target) && (m.edits || m.mayEdit(target))
}

// mayEdit reports whether a rule of Edit covers a file of the project. Edit alone and Edit(/**) of the user's file do
// not, as far as redirects go.
func (m *claudeModel) mayEdit(target string) bool {
	target = strings.TrimPrefix(strings.TrimPrefix(strings.Trim(target, `'"`), project+"/"), "./")
	return slices.ContainsFunc(m.allow, func(r string) bool {
		p, is := strings.CutPrefix(strings.TrimSuffix(r, ")"), "Edit(")
		if p = strings.TrimPrefix(p, "./"); !is || strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "/"+project+"/") {
			return false
		}
		p = strings.TrimPrefix(p, "/"+project+"/")
		p = regexp.QuoteMeta(p)
		p = strings.NewReplacer(`\*\*/`, `(.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`).Replace(p)
		return regexp.MustCompile("^" + p + "$").MatchString(target)
	})
}

func inertAssign(a *syntax.Assign) bool {
	if a.Name == nil || a.Value == nil || a.Append || a.Array != nil || a.Index != nil {
		return false
	}
	value := printed(a.Value)
	switch name := a.Name.Value; name {
	case "LANG", "LC_ALL", "LC_CTYPE":
		return claudeLocale.MatchString(value)
	case "COLUMNS", "LINES":
		return claudeNumber.MatchString(value)
	default:
		return has(claudeInert, name) && claudeValue.MatchString(value)
	}
}

func (m *claudeModel) command(n *syntax.CallExpr) bool {
	words, inert := []string(nil), true
	for _, a := range n.Assigns {
		inert = inert && inertAssign(a)
		words = append(words, printed(a))
	}
	if len(n.Args) == 0 {
		m.parts = append(m.parts, part{strings.Join(words, " "), true})
		return true
	}
	if whole := strings.Join(append(words, spelled(n.Args)...), " "); len(words) > 0 && m.covers(whole, false) || slices.Contains(m.allow, "Bash("+whole+")") {
		m.parts = append(m.parts, part{whole, false})
		return !has(claudeBlind, n.Args[0].Lit()) || m.no("what cannot be checked")
	}
	if !inert {
		return m.no("a variable in front")
	}
	words = spelled(n.Args)
	words = m.unwrapped(words, n.Args)
	if len(words) == 0 || has(claudeBlind, words[0]) {
		return m.no("what cannot be checked")
	}
	if words[0] == "cd" {
		m.dirs, m.parts = m.dirs+1, append(m.parts, part{strings.Join(words, " "), true})
		return len(words) == 2 && m.inside(words[1]) || m.no("what cannot be checked")
	}
	if words[0] == "git" && m.dirs > 0 || blind(words) {
		return m.no("what cannot be checked")
	}
	if m.simple(words, n.Args[len(n.Args)-len(words):]) {
		return true
	}
	return m.no("a part without a rule")
}

// simple reports whether a command without variables and wrappers runs.
func (m *claudeModel) simple(words []string, args []*syntax.Word) bool {
	text := strings.Join(words, " ")
	rule := m.covers(text, false)
	m.parts = append(m.parts, part{text, !rule})
	switch {
	case has(claudeEdits, words[0]) || has(" tee ", words[0]): // it looks at the paths of these
		place := !slices.ContainsFunc(words[1:], func(w string) bool { return !strings.HasPrefix(w, "-") && !m.inside(w) || protected(w) })
		if words[0] == "sed" && !slices.Contains(words, "-i") && !rule {
			return place && !m.judged && len(words) > 2 && words[1] == "-n" && words[2] == "p"
		}
		return place && (rule || m.edits && has(claudeEdits, words[0]) && !slices.Contains(words, "-i"))
	case rule:
		return true
	case words[0] == "xargs" && len(words) > 1:
		inner := strings.Join(words[1:], " ")
		if !m.covers(inner, true) {
			return !m.judged && has(claudeReads, words[1])
		}
		m.parts[len(m.parts)-1].own = false
		m.cuts = append(m.cuts, cut{args[0].Pos().Offset(), args[1].Pos().Offset(), ""}, cut{args[len(args)-1].End().Offset(), args[len(args)-1].End().Offset(), " a"})
		return true
	case m.judged:
		return false
	case words[0] == "git" && len(words) > 1:
		return has(claudeGit, words[1]) && !slices.ContainsFunc(words, func(w string) bool {
			return strings.HasPrefix(w, "--ou") || strings.HasPrefix(w, "--ext") || strings.HasPrefix(w, "-O") || !m.inside(w)
		})
	case words[0] == "uniq" && len(words) > 2:
		return false
	case words[0] == "find":
		return !slices.ContainsFunc(words[1:], func(w string) bool { return !m.inside(strings.ReplaceAll(w, "*", "")) })
	}
	return has(claudeReads, words[0]) && !slices.ContainsFunc(words[1:], func(w string) bool {
		return words[0] != "echo" && words[0] != "printf" && words[0] != "grep" && (strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "..")) ||
			strings.HasPrefix(w, "-o") || strings.HasPrefix(w, "--o") || strings.HasPrefix(w, "--pre") || strings.Contains(strings.ReplaceAll(w, "$((", ""), "$")
	})
}

// blind are options whose commands cannot be checked, whatever rule there is.
func blind(words []string) bool {
	switch words[0] {
	case "find":
		return slices.ContainsFunc(words, func(w string) bool {
			return w == "-delete" || strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-fprint") || strings.HasPrefix(w, "-ok")
		})
	case "awk":
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "system(") })
	}
	return false
}

// spelled are words as rules are compared with them: the name of the command without quotes.
func spelled(args []*syntax.Word) (words []string) {
	for i, w := range args {
		text := printed(w)
		if i == 0 {
			text = strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(text)
		}
		words = append(words, text)
	}
	return words
}

// A cut is a part of a text that another takes the place of.
type cut struct {
	from, to uint
	by       string
}

func (m *claudeModel) plain(text string) string {
	slices.SortFunc(m.cuts, func(a, b cut) int { return int(b.from) - int(a.from) })
	for _, c := range m.cuts {
		text = text[:c.from] + c.by + text[c.to:]
	}
	return text
}

// unwrapped is a command without what runs it.
func (m *claudeModel) unwrapped(words []string, args []*syntax.Word) []string {
	for len(words) > 1 {
		rest := words[1:]
		switch words[0] {
		case "nohup":
		case "command", "builtin", "noglob", "time": // these run the very command, or nothing
			if !strings.HasPrefix(rest[0], "-") {
				at := len(args) - len(words)
				m.cuts = append(m.cuts, cut{args[at].Pos().Offset(), args[at+1].Pos().Offset(), ""})
			}
		case "timeout":
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				rest = rest[min(len(rest), 2):]
			}
			rest = rest[min(len(rest), 1):]
		case "nice":
			if rest[0] == "-n" {
				rest = rest[min(len(rest), 2):]
			} else if strings.HasPrefix(rest[0], "-") {
				rest = rest[1:]
			}
		case "stdbuf":
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				rest = rest[1:]
			}
		default:
			return words
		}
		if words[0] == "command" && len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			return words
		}
		words = rest
	}
	return words
}

func (m *claudeModel) covers(command string, prefixes bool) bool {
	for _, r := range m.allow {
		r, is := strings.CutPrefix(strings.TrimSuffix(r, ")"), "Bash(")
		if !is || r == "*" { // a rule about all commands is looked at before, and suspended in auto
			continue
		}
		if stem, more := strings.CutSuffix(r, ":*"); more {
			r = stem + " *"
		}
		stem, more := strings.CutSuffix(r, " *")
		if !strings.Contains(stem, "*") {
			if command == stem && (more || !prefixes) || more && strings.HasPrefix(command, stem+" ") {
				return true
			}
			continue
		}
		if regexp.MustCompile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(r), `\*`, `.*`) + `$`).MatchString(command) {
			return true
		}
	}
	return false
}

// runsTool is runs for a call of another tool than Bash.
func (m *claudeModel) runsTool(mode, tool, text string) bool {
	here := !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~")
	switch tool {
	case "Read":
		return here || m.judged || m.path(tool, text)
	case "Edit", "Write":
		return mode != "plan" && (here && m.edits && !protected(text) || m.path("Edit", text))
	}
	server, _, mcp := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	return m.path(tool, text) || m.no("a part without a rule") || mcp && slices.Contains(m.allow, "mcp__"+server)
}

// path reports whether a rule covers the operand of a tool, among those that the tests have.
func (m *claudeModel) path(tool, text string) bool {
	folder, _, _ := strings.Cut(text, "/")
	second, _, _ := strings.Cut(strings.TrimPrefix(text, folder+"/"), "/")
	first, _, more := strings.Cut(text, " ")
	anchored := strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~")
	return slices.ContainsFunc(m.allow, func(r string) bool {
		if anchored && r == tool+"(/**)" || !more && strings.HasSuffix(r, ":*)") || strings.Contains(r, "(http") || strings.HasPrefix(text, "/") && r == tool+"("+text+")" {
			return false // another anchor, or no form of the tool
		}
		return slices.Contains([]string{tool, tool + "(/**)", tool + "(" + first + ":*)", tool + "(" + text + ")", tool + "(//**)", tool + "(/" + text + ")", tool + "(" + folder + "/" + second + "/**)",
			tool + "(/" + folder + "/" + second + "/**)", tool + "(domain:a.example)"}, r)
	})
}

// TestDriven holds the model to what Claude Code was seen to run.
func TestDriven(t *testing.T) {
	data, err := os.ReadFile("testdata/driven.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 6 {
			continue
		}
		unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t", "{temp}", "/tmp/x", "{home}", "/home/u", "{project}", project)
		text := unescape.Replace(f[0])
		rules := strings.Split(unescape.Replace(f[1]), " & ")
		for i, m := range []claudeModel{{}, {allow: rules}, {allow: rules, edits: true}, {allow: rules}} {
			rows++
			if got := m.runs(text); got != (f[2+i] == "ran") {
				t.Errorf("%s under %s, column %d: %t, driven %s", f[0], f[1], i, got, f[2+i])
			}
		}
	}
	t.Logf("%d", rows)
}
