// Package lint looks for mistakes in settings files: rules that are not what
// their author meant, that can never match, or that let through more than they
// seem to. A check is one literal, with its examples in examples.txt; help,
// docs, SARIF and the tests read both.
//
// Nothing here matches rules by itself: what a rule does is asked of package
// rules and of decide, by way of gate.
package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A Severity says how bad a finding is.
type Severity uint8

const (
	Note    Severity = iota // works, and allows more than it seems to
	Warning                 // has no effect, or another one than it seems
	Error                   // leaves open what it seems to close, or makes the gate ask or refuse more than it should
)

// String returns the word that is printed, which is SARIF's level too.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// A Check is one kind of mistake.
type Check struct {
	ID       string // stable, lower case with dashes
	Severity Severity
	Title    string // what is wrong, one line, no full stop
	Why      string // what it leads to, whole sentences
	Fix      string // what to write instead, one line, no full stop
	Run      func(in *Input, report func(Finding))
}

// A Finding is one mistake in one place.
type Finding struct {
	Check   *Check
	File    *File
	Pos     rules.Pos // Line 0: the file as a whole
	End     int       // column after the last character that is meant; 0: one character
	Text    string    // what is wrong here, one line
	Instead string    // what to write, one line; "" to say Check.Fix
	Exploit string    // a command this lets through
	Edit    *Edit     // what puts it right; nil where that takes a person
}

// Checks returns every check, in the order of the documentation.
func Checks() []*Check {
	return append([]*Check{
		&malformedRule, &unknownTool, &unheardTool, &duplicateRule, &shadowedRule,
		&operatorInPattern, &bareCommand, &onlyBare, &colonInside, &notAGlob, &neverMatches, &alwaysAsked,
		&pathAnchor, &pathText, &shallowDirectory, &narrowTool, &readByCommand,
		&domainForm, &parameterRule,
		&settingsFault, &misplacedKey, &ignoredGrant, &unknownMode, &committedBypass, &silencedAsk,
		&trackedLocal, &missingDirectory, &wideDirectory, &foreignManaged, &unusableProgram, &failingExample,
	}, exploitChecks()...)
}

// Find returns the check of an id, or nil if none.
func Find(id string) *Check {
	for _, c := range Checks() {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Run runs all checks and returns their findings in the files of in, by file and place.
func Run(in *Input) []Finding {
	var out []Finding
	add := func(f Finding) {
		if f.File = in.File(f.Pos.File); f.File != nil {
			f.Text, f.Instead = in.named(f.Text), in.named(cmp.Or(f.Instead, f.Check.Fix))
			if f.Edit != nil && in.writesIdle(&f) {
				f.Edit = nil
			}
			out = append(out, f)
		}
	}
	for _, c := range Checks() {
		c.Run(in, func(f Finding) {
			f.Check = c
			add(f)
		})
	}
	if in.untried.Line > 0 {
		add(Finding{Check: &settingsFault, Pos: in.untried, End: in.tokenEnd(in.untried),
			Text:    "too many rules begin alike: from here on not every rule was tried",
			Instead: "write fewer rules, or name more of each command"})
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(in.index(a.Pos.File), in.index(b.Pos.File)),
			cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return out
}

// idleRules are the checks about rules that match no call.
func idleRules() []*Check {
	return []*Check{&unknownTool, &unheardTool, &colonInside, &notAGlob, &domainForm, &parameterRule, &pathText}
}

// StopNothing returns the findings about deny and ask rules that match no call, about keys that no program reads,
// and about names in tools that no tool has.
func StopNothing(in *Input) (out []Finding) {
	for _, c := range append(idleRules(), &misplacedKey) {
		c.Run(in, func(f Finding) {
			if r := in.inFile[f.Pos]; r == nil || r.List != rules.Allow {
				f.Check = c
				out = append(out, f)
			}
		})
	}
	return out
}

// writesIdle reports whether what an edit writes would be a rule that matches nothing, and is not mended further.
func (in *Input) writesIdle(f *Finding) (idle bool) {
	r := in.inFile[f.Pos]
	if r == nil || f.Edit.New == "" {
		return false
	}
	now, one, text := *r, *in, f.Edit.New
	if r.Excluded {
		text = "Read(" + text + ")"
	}
	now.Rule, now.Err = rules.ParseRule(text, r.List, r.Scope, r.Pos, r.Claude)
	now.Name, _, _ = strings.Cut(text, "(")
	one.Rules = []*Rule{&now}
	for _, c := range append(idleRules(), &malformedRule, &operatorInPattern) {
		c.Run(&one, func(f Finding) { idle = idle || f.Edit == nil })
	}
	return idle
}

// Advice is what a finding says in one line, with what to write instead.
func (f *Finding) Advice() string { return f.Text + "; instead: " + cmp.Or(f.Instead, f.Check.Fix) }

// ParseSeverity reads the word of a severity.
func ParseSeverity(word string) (Severity, bool) {
	for s := Note; s <= Error; s++ {
		if s.String() == word {
			return s, true
		}
	}
	return Note, false
}
