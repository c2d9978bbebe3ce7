package conformance

import (
	"path"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A shellCall is one command of a text, as the host's rules see it.
type shellCall struct {
	words  []string // source of each word
	values []string // literal values; "" where not known
	known  []bool
	cwd    string // "" when a cd went somewhere unknown
	safe   bool   // nothing but harmless variables in front
}

// A shellRedirect is one redirect to or from a file.
type shellRedirect struct {
	target string
	known  bool
	write  bool
	moved  bool // after a cd
	cwd    string
}

// shellText is what the host takes a text apart into.
type shellText struct {
	calls     []shellCall
	redirects []shellRedirect
	bare      []string // variables set by themselves
	moves     bool     // holds a cd to another folder
	git       bool
	odd       string // what the host does not read
}

// bash answers a shell command.
func (h *claudeHost) bash(text string) (hostAnswer, string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(text) > 10_000 {
		return h.cannotRead("a text that is not read")
	}
	s := h.take(file)
	ask := ""
	for i := range s.calls {
		c := &s.calls[i]
		for _, r := range h.deny {
			if r.tool == "Bash" && c.matches(r.spec, true) {
				return hostDenies, "deny rule"
			}
		}
		for j, v := range c.values {
			if j > 0 && c.known[j] && c.cwd != "" && fileReaders.MatchString(c.values[0]) && h.pathRule(h.deny, h.abs(v, c.cwd), true, "Read", "Edit") {
				return hostDenies, "deny rule for a file"
			}
		}
		for _, r := range h.ask {
			if r.tool == "Bash" && c.matches(r.spec, true) {
				ask = "ask rule"
			}
		}
		if h.critical(c) {
			ask = "a critical path"
		}
	}
	for i := range s.redirects {
		if r := &s.redirects[i]; r.known && h.pathRule(h.deny, h.abs(r.target, r.cwd), true, map[bool]string{true: "Edit", false: "Read"}[r.write]) {
			return hostDenies, "deny rule for a file"
		}
	}
	switch {
	case ask != "":
		return hostPrompts, ask
	case h.mode == "bypassPermissions", h.mode == "auto", h.whole(text):
		return hostRuns, ""
	case s.odd != "":
		return hostPrompts, s.odd
	case s.moves && s.git && !h.byRules(s):
		return hostPrompts, "git behind a cd"
	case len(s.bare) > 0 && h.reading != quietest:
		for _, name := range s.bare {
			if !harmlessVars.MatchString(name) {
				return hostPrompts, "sets a variable"
			}
		}
	}
	for i := range s.calls {
		if why := h.callNeeds(&s.calls[i]); why != "" {
			return hostPrompts, why
		}
	}
	for i := range s.redirects {
		if why := h.redirectNeeds(&s.redirects[i], s); why != "" {
			return hostPrompts, why
		}
	}
	return hostRuns, ""
}

func (h *claudeHost) cannotRead(why string) (hostAnswer, string) {
	if h.mode == "bypassPermissions" || h.mode == "auto" {
		return hostRuns, ""
	}
	for _, r := range h.allow {
		if r.tool == "Bash" && r.spec == "" {
			return hostRuns, ""
		}
	}
	return hostPrompts, why
}

// whole reports whether an allow rule without a wildcard is the very text.
func (h *claudeHost) whole(text string) bool {
	for _, r := range h.allow {
		if r.tool == "Bash" && r.spec == text && !strings.Contains(text, "*") {
			return true
		}
	}
	return false
}

// byRules reports whether allow rules alone cover every command.
func (h *claudeHost) byRules(s *shellText) bool {
	for i := range s.calls {
		if !h.allowed(&s.calls[i]) {
			return false
		}
	}
	return true
}

func (h *claudeHost) allowed(c *shellCall) bool {
	for _, r := range h.allow {
		if r.tool == "Bash" && c.matches(r.spec, false) && (c.safe || r.spec == "" || h.reading == quietest) {
			return true
		}
	}
	return false
}

// callNeeds says why one command prompts, "" if it does not.
func (h *claudeHost) callNeeds(c *shellCall) string {
	program := c.values[0]
	if h.reading == observed && c.cwd != "" && fileReaders.MatchString(program) || h.reading == observed && fileEditors.MatchString(program) {
		for i, v := range c.values {
			if i > 0 && c.known[i] && (strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "../")) && v != "/dev/null" && !h.inDirs(h.abs(v, c.cwd)) {
				return "names a file outside the working directories"
			}
		}
	}
	switch {
	case h.allowed(c), h.readOnly(c):
		return ""
	case h.mode == "acceptEdits" && fileEditors.MatchString(program) && h.inScope(c):
		return ""
	}
	if program == "" {
		return "an unknown command"
	}
	return "no rule for " + program
}

// fileEditors are the file commands acceptEdits runs.
var fileEditors = regexp.MustCompile(`^(mkdir|touch|rm|rmdir|mv|cp|sed)$`)

// fileReaders are commands whose operands the host takes for files.
var fileReaders = regexp.MustCompile(`^(cat|head|tail|sed|tac|egrep|grep|fmt|column|ls|find|wc|diff|stat|du|cmp|file|sort)$`)

// inScope reports whether every operand lies in the working directories.
func (h *claudeHost) inScope(c *shellCall) bool {
	for i, v := range c.values {
		if i == 0 || strings.HasPrefix(v, "-") || c.values[0] == "sed" && i < len(c.values)-1 {
			continue
		}
		name := h.abs(v, c.cwd)
		if !c.known[i] || c.cwd == "" || !h.inDirs(name) || protected(name) {
			return false
		}
	}
	return true
}

// onlyRead are commands that need no permission with any options.
var onlyRead = regexp.MustCompile(`^(ls|cat|echo|pwd|head|tail|grep|wc|which|diff|stat|du|comm|cmp|numfmt|fmt|expr|test|\[|printf|getconf|seq|tsort|pr|lsof|pgrep|tput|ss|help|man|true|false|:)$`)

// gitReads are the forms of git that only read.
var gitReads = regexp.MustCompile(`^(status|log|diff|show|blame|rev-parse|ls-files|describe|shortlog|cat-file|rev-list|merge-base|name-rev|grep|ls-tree|for-each-ref|reflog|ls-remote)$`)

var dockerReads = regexp.MustCompile(`^(ps|images|logs|inspect|version|info)$`)

// readOnly reports whether a command is on the read-only list.
func (h *claudeHost) readOnly(c *shellCall) bool {
	program := c.values[0]
	has := func(flags ...string) bool {
		for i, v := range c.values[1:] {
			for _, f := range flags {
				if !c.known[i+1] && !strings.HasPrefix(c.words[i+1], `"`) || strings.HasPrefix(v, f) {
					return true
				}
			}
		}
		return false
	}
	glob := false
	for i, w := range c.words {
		glob = glob || i > 0 && !c.known[i] && strings.ContainsAny(w, "*?[")
	}
	switch {
	case !c.safe && h.reading != quietest:
		return false
	case h.reading == quietest && h.readsOnly(strings.Join(c.words, " ")):
		return true
	case onlyRead.MatchString(program):
		return true
	case program == "cd":
		return len(c.values) < 2 || c.known[1] && h.inDirs(h.abs(c.values[1], c.cwd))
	case program == "find":
		return !glob && !has("-exec", "-ok", "-delete", "-fprint", "-fls")
	case program == "sort":
		return !glob && !has("-o", "--output", "--compress-program", "-T")
	case program == "file":
		return !has("-m", "-f", "-C", "--magic", "--files-from")
	case program == "sed":
		return !glob && has("-n") && !has("-i", "--in-place", "-f", "w")
	case program == "fd", program == "fdfind":
		return !has("-x", "-X", "--exec")
	case program == "git":
		sub := gitSub(c)
		if sub > 1 { // behind options of git's own
			return false
		}
		return !glob && sub > 0 && gitReads.MatchString(c.values[sub]) && !has("--output", "--ext-diff", "-c", "--upload-pack", "-O", "--open-files-in-pager") ||
			!glob && sub > 0 && sub == len(c.values)-1 && (c.values[sub] == "branch" || c.values[sub] == "remote" || c.values[sub] == "tag" || c.values[sub] == "stash")
	case program == "docker":
		return len(c.values) > 1 && dockerReads.MatchString(c.values[1]) && !has("-H", "--context")
	}
	return false
}

// gitSub is the index of git's subcommand after the global options, or 0 if none.
func gitSub(c *shellCall) int {
	for i := 1; i < len(c.values); i++ {
		switch v := c.values[i]; {
		case v == "-C" || v == "-c" || v == "--git-dir" || v == "--work-tree":
			i++
		case !strings.HasPrefix(v, "-"):
			return i
		}
	}
	return 0
}

// matches matches a specifier: exact, * anywhere, a trailing " *" or ":*" with the bare command.
func (c *shellCall) matches(spec string, deny bool) bool {
	if spec == "" {
		return true
	}
	texts := []string{strings.Join(c.words, " ")}
	if c.values[0] == "git" && deny { // allow rules are compared with the words as they are, since 2.1.332 at the latest
		if sub := gitSub(c); sub > 1 {
			texts = append(texts, "git "+strings.Join(c.words[sub:], " "))
		}
	}
	if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = prefix + " *"
	}
	for _, text := range texts {
		switch {
		case !strings.Contains(spec, "*"):
			if text == spec {
				return true
			}
			continue
		case !deny && uncoverable(c):
			continue
		case strings.Count(spec, "*") == 1 && strings.HasSuffix(spec, " *") && text == strings.TrimSuffix(spec, " *"):
			return true
		}
		if glob(spec, text) {
			return true
		}
	}
	return false
}

// uncoverable reports a command no wildcard covers: 2.1.332 was driven.
func uncoverable(c *shellCall) bool {
	switch c.values[0] {
	case "watch", "setsid", "ionice", "flock", "exec", "eval", "trap", "script", "taskset", "chrt", "strace":
		return true
	case "find":
		for _, v := range c.values {
			if strings.HasPrefix(v, "-exec") || strings.HasPrefix(v, "-ok") || v == "-delete" {
				return true
			}
		}
	}
	return false
}

// critical is rm or rmdir of a critical path, which prompts in every mode.
func (h *claudeHost) critical(c *shellCall) bool {
	if c.values[0] != "rm" && c.values[0] != "rmdir" {
		return false
	}
	for i, v := range c.values {
		w := c.words[i]
		if i == 0 || strings.HasPrefix(v, "-") {
			continue
		}
		if !c.known[i] {
			if strings.HasPrefix(strings.TrimLeft(w, `"`), "$") && (strings.HasSuffix(w, "/*") || strings.HasSuffix(w, "/") || strings.HasSuffix(w, `/"`)) {
				return true
			}
			v = strings.TrimSuffix(w, "/*")
			if strings.ContainsAny(v, "$*`") {
				continue
			}
		}
		name := h.abs(v, c.cwd)
		if path.Dir(name) == "/" || name == h.home || within(h.cwd, name) {
			return true
		}
	}
	return false
}

// redirectNeeds says why a redirect prompts, "" if it does not.
func (h *claudeHost) redirectNeeds(r *shellRedirect, s *shellText) string {
	name := h.abs(r.target, r.cwd)
	switch {
	case r.target == "/dev/null":
		return ""
	case !r.known || r.cwd == "" || strings.HasPrefix(r.target, "~"):
		return "a redirect to a place that is not known"
	case !r.write && (h.inDirs(name) && !r.moved || h.pathRule(h.allow, name, false, "Read", "Edit")):
		return ""
	case !r.write:
		return "reads from a file outside the working directories"
	case r.moved && !path.IsAbs(r.target):
		return "a redirect behind a cd"
	case protected(name):
		return "a protected path"
	case h.mode == "acceptEdits" && h.inDirs(name), h.pathRule(h.allow, name, false, "Edit"):
		return ""
	case h.reading == quietest && h.inDirs(name) && h.byRules(s):
		return ""
	}
	return "a redirect writes a file"
}

// harmlessVars are the variables a rule looks past, as far as they are documented.
var harmlessVars = regexp.MustCompile(`^(NODE_ENV|LANG|NO_COLOR)$`)

// take takes a text apart.
func (h *claudeHost) take(file *syntax.File) *shellText {
	s := &shellText{}
	cwd, moved := h.cwd, false
	printer := syntax.NewPrinter()
	source := func(n syntax.Node) string {
		var b strings.Builder
		printer.Print(&b, n)
		return b.String()
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			op := n.Op
			if n.Word == nil || n.Hdoc != nil || op == syntax.WordHdoc || op == syntax.DplIn || op == syntax.DplOut {
				return true
			}
			target, known := literal(n.Word)
			if !known {
				target = source(n.Word)
			}
			s.redirects = append(s.redirects, shellRedirect{target, known && !strings.ContainsAny(target, "*?["), op != syntax.RdrIn, moved, cwd})
		case *syntax.FuncDecl:
			s.odd = "declares a function"
		case *syntax.DeclClause:
			s.bare = append(s.bare, "declared")
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				for _, a := range n.Assigns {
					s.bare = append(s.bare, a.Name.Value)
				}
				return true
			}
			c := shellCall{cwd: cwd, safe: true}
			for _, a := range n.Assigns {
				c.safe = c.safe && harmlessVars.MatchString(a.Name.Value)
			}
			for _, w := range n.Args {
				v, known := literal(w)
				c.words, c.values, c.known = append(c.words, source(w)), append(c.values, v), append(c.known, known)
			}
			c.unwrap()
			s.git = s.git || c.values[0] == "git"
			if c.values[0] == "cd" && len(c.values) > 1 {
				if to := h.abs(c.values[1], cwd); !c.known[1] || cwd == "" {
					cwd, moved, s.moves = "", true, true
				} else if to != cwd {
					cwd, moved, s.moves = to, true, true
				}
			}
			s.calls = append(s.calls, c)
		}
		return true
	})
	return s
}

// unwrap takes off the wrappers the host looks through.
func (c *shellCall) unwrap() {
	for len(c.values) > 1 {
		skip := 0
		switch c.values[0] {
		case "timeout":
			for skip = 1; skip < len(c.values) && strings.HasPrefix(c.values[skip], "-"); skip++ {
				if c.values[skip] == "-s" || c.values[skip] == "-k" {
					skip++
				}
			}
			skip++
		case "nice":
			if skip = 1; c.values[1] == "-n" {
				skip = 3
			}
		case "time", "nohup", "builtin", "noglob":
			skip = 1
		case "stdbuf":
			for skip = 1; skip < len(c.values) && strings.HasPrefix(c.values[skip], "-"); skip++ {
			}
		case "command":
			if skip = 1; strings.HasPrefix(c.values[1], "-") {
				return
			}
		case "xargs":
			if skip = 1; strings.HasPrefix(c.values[1], "-") {
				return
			}
		}
		if skip == 0 || skip >= len(c.values) {
			return
		}
		c.words, c.values, c.known = c.words[skip:], c.values[skip:], c.known[skip:]
	}
}

// literal returns the value of a word without expansions.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
			if strings.ContainsAny(p.Value, "*?[{") {
				return "", false
			}
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}
