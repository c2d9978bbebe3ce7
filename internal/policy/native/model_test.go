package native

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// A model is what the documentation of a program says of its rules, and no more: it splits a text, takes off what the
// program takes off, and compares. What the documentation does not name is not allowed by a rule.
type model struct {
	h     *Host
	rules []string
	edits bool // in a mode in which the program writes the project's files by itself
}

// A part is one command of a text, and how the model has it allowed.
type part struct {
	command string
	own     bool // by the program itself
}

// claude says whether Claude Code runs a text unasked, and what its parts are. Plain is the text without wrappers that
// run the very command: permgate has rules of their own for those.
func (m *model) claude(text string) (parts []part, plain string, ok bool) {
	c := &claudeModel{allow: m.rules, edits: m.edits}
	ok = c.runs(text)
	// what xargs gives to a command of the program's own is not said by the rules of the test
	given := slices.ContainsFunc(c.parts, func(p part) bool { return p.own && strings.HasPrefix(p.command, "xargs ") })
	return c.parts, c.plain(text), ok && !given && len(c.parts) > 0
}

// commands are the rules on commands.
func (m *model) commands() (out []string) {
	for _, r := range m.rules {
		if m.h == &codex || strings.HasPrefix(r, "Bash(") {
			out = append(out, r)
		}
	}
	return out
}

// isShell reports whether a text is one for bash.
func isShell(text string) bool {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	return err == nil
}

// codex says whether Codex runs a text unasked: plain commands, each with a rule.
func (m *model) codex(text string) bool {
	if !isShell(text) || strings.ContainsAny(text, "(){}`$<>\\#!") || regexp.MustCompile(`[^&]&( |$)`).MatchString(text) {
		return false
	}
	for _, p := range regexp.MustCompile(`\|\||&&|[;|]`).Split(text, -1) {
		words, covered := strings.Fields(strings.ReplaceAll(p, "'", "")), false
		for _, r := range m.rules {
			pattern := strings.Fields(r)
			covered = covered || len(words) >= len(pattern) && strings.Join(words[:len(pattern)], " ") == r
		}
		if !covered {
			return false
		}
	}
	return true
}

// TestReadings holds the models to the examples, which internal/test/hosttest tries with Claude Code.
func TestReadings(t *testing.T) {
	text, err := os.ReadFile("testdata/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	for row := range strings.SplitSeq(rows, "\n") {
		f := strings.Split(row, "\t")
		m := &model{h: Lookup(f[0]), rules: []string{f[1]}}
		got := m.codex(f[2])
		if m.h == &claude {
			_, _, got = m.claude(f[2])
		}
		if got != (f[3] == "covered") {
			t.Errorf("%s: %v", row, got)
		}
	}
}
