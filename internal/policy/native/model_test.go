package native

import (
	"os"
	"regexp"
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

// Commands that Claude Code runs by itself, as far as the calls of the tests have them.
var ownCommand = regexp.MustCompile(`^(cat|echo|ls|grep|head|wc|pwd|cd|true|sleep)( |$)|^\[ |^x=1$|^git log$`)

var (
	claudeSeparator = regexp.MustCompile(`\|\||&&|\|&|[;|\n]`)
	claudeKeyword   = regexp.MustCompile(`^(for \w+ in [\w ]+$|do |then |if |until |while |else |! |done$|fi$|do$|then$)`)
	claudeWrapper   = regexp.MustCompile(`^(timeout( -s \w+)? \d+|nice( -n \d+|-\d+| -\d+)?|nohup|stdbuf( -\w+)+) `)
	claudeSame      = regexp.MustCompile("^(command|builtin|noglob|time) ") // wrappers that run the very command, or nothing
	claudeVariable  = regexp.MustCompile(`^(NODE_ENV|LANG|NO_COLOR|RUST_LOG|CI)=\w* `)
	claudeQuiet     = regexp.MustCompile(` (\d?>&\d|[&\d]?> ?/dev/null|< ?(/dev/null|[\w./-]+))`)
	claudeFile      = regexp.MustCompile(` < ?[\w.]`)
	claudeWrite     = regexp.MustCompile(` >>? ?(out\.txt|sub/run\.sh)`)
	claudeComment   = regexp.MustCompile(` #.*`)
)

// A part is one command of a text, and how the model has it allowed.
type part struct {
	command string
	own     bool // by the program itself
}

// claude says whether Claude Code runs a text unasked, and what its parts are. Plain is the text without wrappers that
// run the very command: permgate has rules of their own for those.
func (m *model) claude(text string) (parts []part, plain string, ok bool) {
	background := regexp.MustCompile(`[^&>]&([^&>\d]|$)`)
	if !isShell(text) || strings.ContainsAny(text, "(){}`") || background.MatchString(text) || strings.Contains(text, "<<") {
		return nil, "", false
	}
	plain = text
	for _, p := range claudeSeparator.Split(text, -1) {
		p = strings.TrimSpace(claudeComment.ReplaceAllString(p, ""))
		for again := true; again; {
			at := claudeKeyword.FindString(p)
			p, again = strings.TrimPrefix(p, at), at != ""
		}
		if claudeFile.MatchString(p) { // a read of its own, which the program allows by itself
			parts = append(parts, part{p, true})
		}
		if m.edits && claudeWrite.MatchString(p) {
			parts, p = append(parts, part{p, true}), claudeWrite.ReplaceAllString(p, "")
		}
		if p = claudeQuiet.ReplaceAllString(p, ""); strings.ContainsAny(p, "<>") {
			return nil, "", false
		}
		for claudeVariable.MatchString(p) {
			p = claudeVariable.ReplaceAllString(p, "")
		}
		for again := true; again; {
			before := p
			if at := claudeSame.FindString(p); at != "" {
				p, plain = p[len(at):], strings.Replace(plain, at, "", 1)
			}
			p = claudeWrapper.ReplaceAllString(p, "")
			again = p != before
		}
		if p == "" {
			continue
		}
		covered := m.covers(p, false)
		if rest, x := strings.CutPrefix(p, "xargs "); x && !covered && m.covers(rest, true) {
			covered, plain = true, strings.Replace(plain, p, rest+" a", 1)
		}
		if !covered && !ownCommand.MatchString(p) {
			return nil, "", false
		}
		parts = append(parts, part{p, !covered})
	}
	return parts, plain, len(parts) > 0
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

// covers reports whether a rule of Claude Code covers one command.
func (m *model) covers(command string, prefixes bool) bool {
	if name, quoted := strings.CutPrefix(command, "'"); quoted {
		command = strings.Replace(name, "'", "", 1)
	}
	for _, r := range m.commands() {
		r = strings.TrimSuffix(strings.TrimPrefix(r, "Bash("), ")")
		stem, more := strings.CutSuffix(r, ":*")
		if command == stem && (more || !prefixes) || more && strings.HasPrefix(command, stem+" ") && !strings.Contains(command, "$(") {
			return true
		}
	}
	return false
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
