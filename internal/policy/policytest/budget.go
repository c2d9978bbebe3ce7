package policytest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/rules"
)

// budgetWord begins the line of a budget.
const budgetWord = "budget:"

// budgetForm shows how such a line is written, for messages.
const budgetForm = budgetWord + " prompts <= 2 per session of FILE..., or: " + budgetWord + " prompts <= 100 in FILE..."

// A Budget is one line that bounds how often recorded sessions are interrupted:
//
//	budget: [pNN] prompts|denies <= COUNT per session of FILE...
//	budget: prompts|denies <= COUNT in FILE...
type Budget struct {
	Pos        rules.Pos
	Percentile int  // that many percent of the sessions keep to it; 0 for each of them
	Denies     bool // calls that are denied are counted, not prompts
	Most       int
	PerSession bool
	Files      []string // patterns, from the folder of the test file
	Context    Context
}

// Counts names what is counted.
func (b *Budget) Counts() string {
	if b.Denies {
		return "denies"
	}
	return "prompts"
}

// Line is the budget as a line of a file, without its end.
func (b *Budget) Line() string {
	words := []string{budgetWord}
	if b.Percentile > 0 {
		words = append(words, fmt.Sprint("p", b.Percentile))
	}
	words = append(words, b.Counts(), "<=", strconv.Itoa(b.Most))
	if b.PerSession {
		words = append(words, "per", "session", "of")
	} else {
		words = append(words, "in")
	}
	return strings.Join(append(words, b.Files...), " ")
}

// A budgetLine is read word by word.
type budgetLine struct {
	*parser
	start, end int // of the word
}

func (l *budgetLine) next() (word string) {
	l.start, l.end = l.word(l.end)
	return l.text[l.start:l.end]
}

// budget reads the words after budget:.
func (p *parser) budget(start, end int) {
	b := Budget{Pos: p.pos(start), Context: p.file.End}
	l := &budgetLine{p, start, end}
	for _, read := range [...]func(*Budget) string{l.what, l.most, l.of, l.files} {
		if msg := read(&b); msg != "" {
			p.fail(l.start, "%s", msg)
			return
		}
	}
	p.file.Budgets = append(p.file.Budgets, b)
}

// what reads [pNN] prompts|denies.
func (l *budgetLine) what(b *Budget) (fault string) {
	word := l.next()
	if digits, ok := strings.CutPrefix(word, "p"); ok && digits != "" && digits[0] <= '9' {
		n, err := strconv.ParseUint(digits, 10, 8)
		if b.Percentile = int(n); err != nil || n < 1 || n > 99 {
			return fmt.Sprintf("%q is no percentile from p1 to p99: without one every session counts", hookio.Escape(word))
		}
		word = l.next()
	}
	if b.Denies = word == "denies"; !b.Denies && word != "prompts" {
		return "a budget is about prompts or denies: " + budgetForm
	}
	return ""
}

// most reads <= COUNT.
func (l *budgetLine) most(b *Budget) (fault string) {
	if l.next() != "<=" {
		return "<= is missing: " + budgetForm
	}
	word := l.next()
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		return fmt.Sprintf("%q is no count from 0 on: %s", hookio.Escape(word), budgetForm)
	}
	b.Most = int(n)
	return ""
}

// of reads per session of, or in.
func (l *budgetLine) of(b *Budget) (fault string) {
	word := l.next()
	b.PerSession = word == "per" && l.next() == "session" && l.next() == "of"
	switch {
	case !b.PerSession && word != "in":
		return "what it is counted in is missing: " + budgetForm
	case !b.PerSession && b.Percentile > 0:
		return fmt.Sprintf("a percentile is one of sessions: %s p%d %s <= %d per session of FILE...", budgetWord,
			b.Percentile, b.Counts(), b.Most)
	}
	return ""
}

// files reads FILE...
func (l *budgetLine) files(b *Budget) (fault string) {
	for name := l.next(); name != ""; name = l.next() {
		if strings.HasPrefix(name, "~") {
			return fmt.Sprintf("%q means something else on every machine: name files from the folder of the test file",
				hookio.Escape(name))
		}
		if !doublestar.ValidatePathPattern(name) {
			return fmt.Sprintf("%q is an incomplete pattern", hookio.Escape(name))
		}
		b.Files = append(b.Files, name)
	}
	if len(b.Files) == 0 {
		return "the files of recorded calls are missing: " + budgetForm
	}
	return ""
}

// here is a recorded call as if made in the tests' folder, with the context lines'
// word on it. Paths below another checkout become ours.
func (s *spending) here(recorded *hookio.Call, in *session) *hookio.Call {
	call, dir, context := *recorded, s.runner.Dir, &s.Budget.Context
	if in.root == "" {
		in.root = cmp.Or(call.Project, call.Cwd)
	}
	if len(in.root) > 1 && !rules.Within(in.root, dir) {
		call.Cwd, call.Dir = moved(call.Cwd, in.root, dir), moved(call.Dir, in.root, dir)
		call = *call.Again(moved(call.Input.Raw, quoted(in.root), quoted(dir)))
	}
	call.Cwd, call.Project, call.SessionID = cmp.Or(call.Cwd, dir), s.project, ""
	host := hookio.Lookup(context.Host)
	if host == nil && !call.Named {
		host = hookio.Lookup(s.runner.Flags.Host)
	}
	if host != nil {
		call.Host, call.Named = host, true
	}
	if context.Mode != "" {
		call.Mode = context.Mode
	}
	if context.Event != "" {
		call.Event, call.RawEvent = hookio.Event(context.Event), context.Event
	}
	return &call
}

// quoted is a text as it is spelled within a JSON string.
func quoted(s string) string {
	b := hookio.AppendJSON(nil, s)
	return string(b[1 : len(b)-1])
}

// moved replaces a folder wherever a text names it or something in it.
func moved(text, from, to string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, from)
		if i < 0 {
			return b.String() + text
		}
		end := i + len(from)
		b.WriteString(text[:i])
		if i > 0 && inPath(text[i-1]) || end < len(text) && inName(text[end]) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		text = text[end:]
	}
}

// inName reports whether a byte may be part of the name of a file.
func inName(c byte) bool {
	const marks = "_-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return c >= 0x80 || strings.IndexByte(marks, c) >= 0
}

// inPath reports whether a path may go on before a byte.
func inPath(c byte) bool { return c == '/' || inName(c) }

func (s *spending) judge(err error) {
	b, most := s.Budget, 0
	s.Sessions = len(s.sessions)
	var counts []int
	for _, in := range s.sessions {
		counts = append(counts, in.N)
		if in.N > b.Most || !b.PerSession && in.N > 0 {
			s.Over = append(s.Over, in.Count)
		}
	}
	slices.Sort(counts)
	if len(counts) > 0 {
		most = replay.Percentile(counts, cmp.Or(b.Percentile, 100))
	}
	byCount := func(a, b Count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(s.Over, byCount)
	for _, name := range slices.Sorted(maps.Keys(s.top)) {
		s.Top = append(s.Top, Count{Name: name, N: s.top[name]})
	}
	slices.SortFunc(s.Top, byCount)
	s.Top = s.Top[:min(len(s.Top), topOf)]
	switch {
	case err != nil:
		s.Wrong, s.Over = err.Error(), nil
	case !b.PerSession && s.Total > b.Most:
		s.Wrong = fmt.Sprintf("expected %s <= %d, got %d", b.Counts(), b.Most, s.Total)
	case !b.PerSession || most <= b.Most:
		s.Over = nil
	case b.Percentile > 0:
		s.Wrong = fmt.Sprintf("expected %s <= %d in %d%% of the sessions, got up to %d; over it: %d of %d", b.Counts(), b.Most,
			b.Percentile, most, len(s.Over), s.Sessions)
	default:
		s.Wrong = fmt.Sprintf("expected %s <= %d in each session, got up to %d; over it: %d of %d", b.Counts(), b.Most,
			most, len(s.Over), s.Sessions)
	}
}

// A Spent is how much of a budget was used.
type Spent struct {
	Budget   *Budget
	Wrong    string // why it does not hold, "" when it does
	Calls    int    // that were decided
	Skipped  int    // that cannot be decided again
	Total    int    // prompts, or denies
	Sessions int
	Over     []Count // sessions over the budget, the worst first; in a total, the files
	Top      []Count // what was asked about or denied most, at most topOf
}

// A Count is how often something was met.
type Count struct {
	Name, File string // File is that of a session
	N          int
}

const (
	topOf      = 3
	budgetRoom = 8 << 20 // bytes of settings and files that are kept
)

// A spending is a budget that is being counted.
type spending struct {
	*Spent
	runner   *Runner
	batch    *gate.Batch
	project  string
	fixedCwd bool
	sessions map[string]*session
	top      map[string]int
}

type session struct {
	Count
	root string // its first working directory, or the project it names
}

// Hold decides the calls of a budget's files under the settings of now. What a context
// line says holds for each of them; what none says is as recorded, except for the grants
// of a session. Calls of another checkout are made in this one. An error is one
// of the test file.
func (r *Runner) Hold(b *Budget) (*Spent, error) {
	f, err := r.flags(&b.Context)
	if err != nil {
		return nil, err
	}
	s := &spending{
		Spent: &Spent{Budget: b}, runner: r, fixedCwd: b.Context.Cwd != "",
		sessions: map[string]*session{}, top: map[string]int{},
	}
	s.project = gate.Policy(hookio.Unread(hookio.Options{Host: f.Host}), f, r.World).Project.Given
	if !s.fixedCwd {
		f.Cwd = ""
	}
	s.batch = gate.NewBatch(f, r.World, budgetRoom)
	names, err := b.files()
	if err == nil {
		err = s.read(names)
	}
	s.judge(err)
	return s.Spent, nil
}

// files are the files that are meant. A pattern without one is an error: it would hold of nothing.
func (b *Budget) files() (names []string, err error) {
	for _, pattern := range b.Files {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(filepath.Dir(b.Pos.File), pattern)
		}
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
		found = slices.DeleteFunc(found, noFile)
		switch {
		case err != nil:
			return nil, err
		case len(found) == 0:
			return nil, fmt.Errorf("no file %s", hookio.Escape(pattern))
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// noFile reports whether a name is a pipe or a device, which might never end.
func noFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// read decides every call of the files; one with no call that can be decided is an error.
func (s *spending) read(names []string) error {
	var seen sessions.Seen
	var counts sessions.Counts
	for _, name := range names {
		before := s.Calls + counts.Duplicates
		err := sessions.Read([]string{name}, nil, nil, &counts, &seen, time.Time{}, func(c *sessions.Call) error {
			s.add(name, c)
			return nil
		})
		switch {
		case err != nil:
			return err
		case s.Calls+counts.Duplicates == before:
			return fmt.Errorf("%s holds no call that can be decided", hookio.Escape(name))
		}
	}
	return nil
}

// add decides a call and counts it.
func (s *spending) add(file string, c *sessions.Call) {
	if c.Call == nil {
		s.Skipped++
		return
	}
	key := c.Session
	if key == "" || !s.Budget.PerSession {
		key = file
	}
	in := s.sessions[key]
	if in == nil {
		in = &session{Count: Count{Name: key, File: file}}
		s.sessions[key] = in
	}
	call := s.here(c.Call, in)
	of := s.batch.Case(call)
	if len(s.runner.Extra) > 0 {
		of = of.Under(of.Policy.With(s.runner.Extra...))
	}
	v := decide.Decide(of)
	if s.Calls++; s.runner.Told != nil {
		s.runner.Told(s.Calls)
	}
	want := hookio.Ask.String()
	if s.Budget.Denies {
		want = hookio.Deny.String()
	}
	if log.Told(call, v.HostAnswer()) == want {
		s.Total++
		in.N++
		s.top[replay.Group(call.Tool, call.Input, call.Cwd, v.Reason())]++
	}
}
