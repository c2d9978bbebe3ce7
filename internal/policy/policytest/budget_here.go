package policytest

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// here is a recorded call as if it were made in the folder of the tests, with what
// the context lines say of it. A session that was recorded in another checkout names
// its files by that one's path: each path below it is one below ours.
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
