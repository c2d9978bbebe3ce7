package report

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A File is a settings file of a scene.
type File struct{ Name, Text string }

// An entry is one line of a settings file: an element of a list, or the value of a key.
type entry struct {
	file, key, value string // the value as JSON
	list             bool
}

// rules are the rules that match the call for certain, or that may match it, made neutral.
func (s *Stage) rules(sure bool) []entry {
	var out []entry
	for _, h := range s.Case.Hits() {
		if h.Sure != sure {
			continue
		}
		r := h.Rule
		file := s.Text(r.Pos.File)
		if !isSettings(file) {
			continue
		}
		e := s.entryOf(r)
		e.file = file
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// entryOf is a rule as its file has it.
func (s *Stage) entryOf(r *rules.Rule) entry {
	list, text := r.List.String(), s.Text(r.Text)
	quoted := func(text string) string { return string(hookio.AppendJSON(nil, text)) }
	p := &s.Case.Policy.Posture
	switch {
	case oneOf(p.ContentExclusion, r):
		text = strings.TrimSuffix(strings.TrimPrefix(text, "Read("), ")")
		return entry{key: "contentExclusion", value: quoted(text), list: true}
	case oneOf(p.URLs, r):
		return entry{key: "urls", value: quoted(text), list: true}
	case path.Base(r.Pos.File) == posture:
		return entry{key: "rules", value: "{" + quoted(list) + ": " + quoted(text) + "}", list: true}
	}
	return entry{key: list, value: quoted(text), list: true}
}

func oneOf(list []rules.Rule, r *rules.Rule) bool {
	for i := range list {
		if &list[i] == r {
			return true
		}
	}
	return false
}

const posture = "permgate.json"

// values are the settings that may have taken part.
func (s *Stage) values() []entry {
	var out []entry
	add := func(pos rules.Pos, e entry) {
		if e.file = s.Text(pos.File); isSettings(e.file) {
			out = append(out, e)
		}
	}
	for i := range s.Settings {
		if v := &s.Settings[i]; v.Value != "" && plainValue(v.Value) {
			add(v.Pos, entry{key: v.Name, value: literal(v.Value)})
		}
	}
	for _, d := range s.Case.Policy.Dirs {
		add(d.Pos, entry{key: "additionalDirectories", list: true,
			value: string(hookio.AppendJSON(nil, s.Text(d.Path.Given)))})
	}
	return out
}

// plainValue accepts words and numbers: what has other characters is a text.
func plainValue(value string) bool {
	return strings.Trim(lowerASCII(value), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// literal is a value as JSON.
func literal(value string) string {
	if _, err := strconv.Atoi(value); err == nil || value == "true" || value == "false" {
		return value
	}
	return string(hookio.AppendJSON(nil, value))
}

// files writes settings down, file by file.
func files(settings []entry) []File {
	var names []string
	for _, e := range settings {
		if !slices.Contains(names, e.file) {
			names = append(names, e.file)
		}
	}
	slices.Sort(names)
	var out []File
	for _, name := range names {
		members := membersOf(settings, name)
		text := "{" + strings.Join(members, ", ") + "}\n"
		if path.Base(name) != posture {
			text = `{"permissions": ` + strings.TrimSuffix(text, "\n") + "}\n"
		}
		out = append(out, File{name, text})
	}
	return out
}

// membersOf are the keys of one file with their values.
func membersOf(settings []entry, file string) []string {
	var keys, out []string
	for _, e := range settings {
		if e.file == file && !slices.Contains(keys, e.key) {
			keys = append(keys, e.key)
		}
	}
	for _, key := range keys {
		var values []string
		list := false
		for _, e := range settings {
			if e.file == file && e.key == key {
				values, list = append(values, e.value), e.list
			}
		}
		value := strings.Join(values, ", ")
		if list {
			value = "[" + value + "]"
		}
		out = append(out, string(hookio.AppendJSON(nil, key))+": "+value)
	}
	return out
}
