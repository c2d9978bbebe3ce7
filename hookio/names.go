package hookio

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that rules use for what several hosts have a tool for, each under a name of
// its own, and Claude Code has none. The host's own name binds as well.
const (
	toolMemory    = "Memory"    // what the agent keeps for later sessions
	toolSampling  = "Sampling"  // a model that an MCP server asks through the host
	toolExtension = "Extension" // extensions of the host, and what they may do
)

// named sets the canonical name of the tool.
func (c *Call) named() {
	switch c.Tool = lookup(c.Host.Tools, c.RawTool); c.Tool {
	case toolMemory, toolSampling, toolExtension:
		if c.RawTool != c.Tool {
			c.AlsoTool = []string{c.RawTool}
		}
	}
}

// sameWord compares two names without regard to case, - and _.
func sameWord(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, "-_"), strings.TrimLeft(b, "-_")
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// letterOrDigit reports a plain letter or digit.
func letterOrDigit(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return false
}

// fold returns the same for all texts that strings.EqualFold takes for equal.
func fold(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && lower(s[i]) == s[i] {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for _, r := range s[i:] {
		b = utf8.AppendRune(b, foldRune(r))
	}
	return string(b)
}

// foldRune returns a character that stands for all that differ from r only in
// case: the smallest, but a small letter for those of ASCII.
func foldRune(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if least < utf8.RuneSelf {
		return rune(lower(byte(least)))
	}
	return least
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lookup returns what name maps to, name itself when no pair has it.
func lookup(pairs []Pair, name string) string {
	for _, p := range pairs {
		if p.From == name {
			return p.To
		}
	}
	return name
}
