package sessions

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// A subagent of Claude Code has a file of its own, in the folder subagents of its session
// or deeper. What type it has is in a file next to it; what mode it ran in is only in the
// file of the session.

// A moment is when a mode began; time is as the file spells it, in UTC.
type moment struct{ time, mode string }

// sessionOf is the file of the session whose subagent a file is of, "" for none.
func sessionOf(name string) string {
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		switch {
		case filepath.Base(dir) == "subagents":
			return filepath.Dir(dir) + ".jsonl"
		case dir == filepath.Dir(dir):
			return ""
		}
	}
}

// agentTypeOf is the type of the subagent that a file is of.
func agentTypeOf(name string) (agentType string) {
	carry(&agentType, gjson.Get(small(strings.TrimSuffix(name, ".jsonl")+".meta.json"), "agentType"))
	return agentType
}

// small reads a file that is no longer than a few lines; "" for any other.
func small(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > headSize {
		return ""
	}
	text, _ := os.ReadFile(name)
	return string(text)
}

// modes are those of a session, by its file, which is read for them once.
func (s *Seen) modesOf(name string) []moment {
	if m, ok := s.modes[name]; ok || name == "" {
		return m
	}
	if s.modes == nil || len(s.modes) >= maxRemembered {
		s.modes = map[string][]moment{}
	}
	s.modes[name] = readModes(name)
	return s.modes[name]
}

func readModes(name string) (out []moment) {
	in, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer in.Close()
	var mode, when string
	f := &File{In: in, Counts: &Counts{}}
	f.lines(func(_ int, line []byte) error {
		if bytes.Contains(line, []byte(`"timestamp":"`)) {
			carry(&when, gjson.GetBytes(line, "timestamp"))
		}
		if !bytes.Contains(line, []byte(`"permissionMode":"`)) {
			return nil
		}
		if v, ok := object(line); ok && !v.Get("isSidechain").Bool() {
			carry(&mode, v.Get("permissionMode"))
		}
		if n := len(out); mode != "" && (n == 0 || out[n-1].mode != mode) {
			out = append(out, moment{when, mode})
		}
		return nil
	})
	return out
}

// modeAt is the mode at a time, "" where none is known.
func modeAt(modes []moment, when string) (mode string) {
	for _, m := range modes {
		if mode == "" || m.time <= when {
			mode = m.mode
		}
	}
	return mode
}
