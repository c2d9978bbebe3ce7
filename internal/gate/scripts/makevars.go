package scripts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

const maxDepth = 16 // variables inside variables

func (m *makefile) find(name string) *variable {
	for i := range m.vars {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// expand replaces references by what is known of them, or holes. It is false when that does not end.
func (m *makefile) expand(text string, auto []variable, depth int) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '$')
		if k < 0 || i+k+1 >= len(text) {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+k])
		i += k + 1
		if text[i] == '$' {
			b.WriteByte('$')
			i++
			continue
		}
		name := text[i : i+1]
		i++
		if name == "(" || name == "{" {
			end := closing(text, i-1)
			if end < 0 {
				return "", false
			}
			name, i = text[i:end], end+1
		}
		value, ok := m.value(name, auto, depth)
		if !ok || !m.f.spend(value) {
			return "", false
		}
		if b.WriteString(value); b.Len() > bashsafety.MaxBytes {
			return "", false
		}
	}
	return b.String(), true
}

// value is what one reference expands to.
func (m *makefile) value(name string, auto []variable, depth int) (string, bool) {
	if depth >= maxDepth {
		return "", false
	}
	if fn, rest, ok := strings.Cut(name, " "); ok && strings.Trim(fn, "abcdefghijklmnopqrstuvwxyz-") == "" {
		return m.call(fn, strings.TrimLeft(rest, " \t"), auto, depth+1)
	}
	if strings.Contains(name, "$") {
		var ok bool
		if name, ok = m.expand(name, auto, depth+1); !ok {
			return "", false
		}
	}
	for i := range auto {
		if auto[i].name == name && (!auto[i].unknown || len(auto[i].others) > 0) {
			return m.take(&auto[i], nil, depth)
		}
	}
	if strings.ContainsAny(name, hole+" \t$(){}:,@<^+?*%|") {
		return hole, true // a substitution, an automatic variable
	}
	if v := m.find(name); v != nil {
		return m.take(v, auto, depth)
	}
	switch name {
	case "MAKE":
		return "make", true
	case "CURDIR":
		return m.f.dir, true
	case "RM":
		return "rm -f", true
	case "CC":
		return "cc", true
	case "CXX":
		return "g++", true
	case "AR":
		return "ar", true
	case "SHELL":
		return "/bin/sh", true
	case "HOME":
		return "${HOME}", true
	}
	return hole, true // from the environment, or empty
}

// take is the value of a variable, one of them after the other where it may have several.
func (m *makefile) take(v *variable, auto []variable, depth int) (string, bool) {
	value := v.value
	if v.unknown {
		if m.ways = max(m.ways, len(v.others)); m.pick == 0 || len(v.others) == 0 {
			return hole, true
		}
		value = v.others[(m.pick-1)%len(v.others)]
	}
	if len(v.name) == 1 && strings.Contains("@<^+*", v.name) || v.plain {
		return value, true
	}
	return m.expand(value, auto, depth+1)
}

// call is what a function of make returns. What it runs is added.
func (m *makefile) call(fn, rest string, auto []variable, depth int) (string, bool) {
	args := arguments(rest)
	switch fn {
	case "foreach":
		return m.foreach(args, auto, depth)
	case "call":
		return m.callVariable(args, auto, depth)
	}
	for i := range args {
		var ok bool
		if args[i], ok = m.expand(args[i], auto, depth); !ok {
			return "", false
		}
	}
	all := strings.Join(args, ",")
	switch fn {
	case "shell":
		m.guess(all)
	case "eval":
		m.nested(all)
		return "", true
	case "info", "warning", "error":
		return "", true
	case "strip", "abspath", "realpath":
		return strings.Join(strings.Fields(all), " "), true
	case "value":
		if v := m.find(all); v != nil && !v.unknown {
			return v.value, true
		}
	case "if", "or", "and":
		m.ways = max(m.ways, len(args)-1)
		if m.pick > 0 && len(args) > 1 {
			return strings.TrimSpace(args[1+(m.pick-1)%(len(args)-1)]), true
		}
	case "subst":
		if len(args) == 3 && !strings.Contains(all, hole) {
			return strings.ReplaceAll(args[2], args[0], args[1]), true
		}
	default:
		return eachWord(fn, args), true
	}
	return hole, true
}

// foreach is $(foreach NAME,LIST,TEXT).
func (m *makefile) foreach(args []string, auto []variable, depth int) (string, bool) {
	if len(args) < 3 {
		return hole, true
	}
	list, ok := m.expand(args[1], auto, depth)
	words := strings.Fields(list)
	if len(words) > 16 || strings.Contains(list, hole) {
		words = []string{hole}
	}
	var out []string
	for _, w := range words {
		v := variable{name: strings.TrimSpace(args[0]), value: w, plain: true}
		text, ends := m.expand(strings.Join(args[2:], ","), slices.Insert(slices.Clone(auto), 0, v), depth)
		out, ok = append(out, text), ok && ends
	}
	return strings.Join(out, " "), ok
}

// callVariable is $(call NAME,ARGUMENTS), where NAME may be a function.
func (m *makefile) callVariable(args []string, auto []variable, depth int) (string, bool) {
	name := strings.TrimSpace(args[0])
	with := slices.Clone(auto)
	for i := range args {
		value, ok := m.expand(args[i], auto, depth)
		if !ok || i > 9 {
			return "", false
		}
		with = slices.Insert(with, 0, variable{name: string(rune('0' + i)), value: strings.TrimSpace(value), plain: true})
	}
	if v := m.find(name); v != nil {
		return m.take(v, with, depth)
	}
	return m.value(name+" "+strings.Join(args[1:], ","), auto, depth)
}

// eachWord is what a function makes of every word of its last argument.
func eachWord(fn string, args []string) string {
	list := args[len(args)-1]
	if strings.Contains(strings.Join(args, ""), hole) {
		return hole
	}
	words := strings.Fields(list)
	for i, w := range words {
		switch fn {
		case "notdir":
			words[i] = path.Base(w)
		case "dir":
			words[i] = path.Dir(w) + "/"
		case "basename":
			words[i] = strings.TrimSuffix(w, path.Ext(w))
		case "suffix":
			words[i] = path.Ext(w)
		case "addprefix":
			words[i] = args[0] + w
		case "addsuffix":
			words[i] = w + args[0]
		case "patsubst":
			if stem, ok := stemOf(strings.TrimSpace(args[0]), w); ok && len(args) == 3 {
				words[i] = strings.Replace(args[1], "%", stem, 1)
			}
		case "sort":
		case "firstword":
			return words[0]
		case "lastword":
			return words[len(words)-1]
		default:
			return hole
		}
	}
	return strings.Join(words, " ")
}

// arguments splits at commas outside of references.
func arguments(text string) (args []string) {
	for {
		comma := outside(text, ',')
		if comma < 0 {
			return append(args, text)
		}
		args, text = append(args, text[:comma]), text[comma+1:]
	}
}
