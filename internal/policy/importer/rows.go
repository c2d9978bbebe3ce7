package importer

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
	"github.com/permgate--owner/permgate/rules"
)

// A row is a key of a policy, and what it becomes.
type row struct {
	key  string // a.b.c, in which * is any name; several keys with blanks between them
	does act    // nil for a key that says nothing about permissions
}

// An act says what the value of a key becomes.
type act func(r *reader, v *value)

// A value is what a policy says for a key.
type value struct {
	*node
	said  string   // the key, as the report names it
	names []string // what each * of the row's key is
}

// Whether rows look at a value.
const (
	passed = 1 << iota // at keys of it
	taken              // at the whole of it
)

// table reads a table by the rows of the system, and reports the keys that none of them is about.
func (r *reader) table(root *node) {
	seen := map[*node]int{root: passed}
	for _, row := range r.rows() {
		for key := range strings.FieldsSeq(row.key) {
			r.match(&value{node: root}, strings.Split(key, "."), row.does, seen)
		}
	}
	r.unknown(root, "", seen)
}

// match hands the values of a key to an act. A * is every name that no row before it is about.
func (r *reader) match(at *value, key []string, does act, seen map[*node]int) {
	last := len(key) == 1
	for i, k := range at.Keys {
		v := &value{at.Items[i], strings.TrimPrefix(at.said+"."+k, "."), at.names}
		switch any := key[0] == "*"; {
		case !any && key[0] != k && !(r.fold && strings.EqualFold(key[0], k)), any && last && seen[v.node] != 0:
			continue
		case any:
			v.names = append(slices.Clip(v.names), k)
		}
		if !last && v.Kind == table {
			seen[v.node] |= passed
			r.match(v, key[1:], does, seen)
		} else if last {
			if seen[v.node] |= taken; does != nil {
				does(r, v)
			}
		}
	}
}

// unknown reports keys that no row is about.
func (r *reader) unknown(n *node, said string, seen map[*node]int) {
	for i, k := range n.Keys {
		switch v := n.Items[i]; {
		case seen[v] == 0:
			r.add(v, said+k, "no rule is made of this key")
			r.last().Status = Unknown
		case seen[v]&passed != 0:
			r.unknown(v, said+k+".", seen)
		}
	}
}

// short is the last name of the key.
func (v *value) short() string { return v.said[strings.LastIndexByte(v.said, '.')+1:] }

// each hands every text of a list to a function, with what it says. A list that has anything else in it cannot be
// said.
func each(list rules.List, f func(r *reader, v *node, list rules.List, said, text string)) act {
	return func(r *reader, v *value) {
		said := v.short()
		switch texts, ok := textsOf(v.node); {
		case v.Kind == 0:
		case !ok || v.Kind != tree.List:
			r.cannot(v.node, list, said, "no list of strings", "*")
		default:
			for _, t := range texts {
				f(r, v.node, list, said+" "+t, t)
			}
		}
	}
}

// is reports whether a value is one of these; a text is neither true nor false.
func (v *value) is(values string) bool {
	truth := v.Text == "true" || v.Text == "false"
	return slices.Contains(strings.Fields(values), v.Text) && (v.Kind == tree.Word || !truth)
}

// when is a key with one of these values.
func when(values string, does act) act {
	return func(r *reader, v *value) {
		if v.is(values) {
			does(r, v)
		}
	}
}

// unless is a key with any other value.
func unless(values string, does act) act {
	return func(r *reader, v *value) {
		if v.Kind != 0 && !v.is(values) {
			does(r, v)
		}
	}
}

// writes is a key that comes to these entries.
func writes(why string, entries ...Entry) act {
	return func(r *reader, v *value) { r.add(v.node, strings.TrimSpace(v.said+" "+v.Text), why, entries...) }
}

// says is a key that says as much as these rules, in which %s is what its * is.
func says(list rules.List, why string, texts ...string) act {
	return func(r *reader, v *value) {
		name := append(slices.Clip(v.names), "")[0]
		var out []string
		for _, t := range texts {
			out = append(out, strings.ReplaceAll(t, "%s", name))
		}
		r.rule(v.node, list, strings.TrimSpace(v.said+" "+v.Text), why, out...)
	}
}

// lock is a lock: every value but false locks.
func lock(set string, names ...string) act {
	return func(r *reader, v *value) {
		why, names := "", names
		switch {
		case v.Kind == tree.Word && (v.Text == "false" || v.Text == "null"):
			names = nil
		case v.Text != "true" && v.Text != "disable":
			why = "a value that is not known locks"
		}
		r.add(v.node, v.short()+": "+v.Text, why, locks(set, names...)...)
	}
}

// restricts is a key that restricts calls of these tools in a way that no rule can say.
func restricts(why string, tools ...string) act {
	return func(r *reader, v *value) {
		if v.Text != "false" {
			r.cannot(v.node, rules.Deny, v.said, why, tools...)
		}
	}
}

// stays is a key that is left with the system.
func stays(why string) act {
	return func(r *reader, v *value) { r.refuse(v.node, v.said, why) }
}

// starts is the mode that a session starts in.
func starts(r *reader, v *value) { r.setMode(v.node, v.short()+" "+v.Text, v.Text) }

// folders are no longer outside. begin is what a path may begin with, nothing for anything.
func folders(begin ...string) act {
	return func(r *reader, v *value) {
		texts, ok := textsOf(v.node)
		if !ok {
			r.refuse(v.node, v.said, "something else than strings")
		}
		for _, dir := range texts {
			starting := func(with string) bool { return strings.HasPrefix(dir, with) }
			if len(begin) > 0 && !slices.ContainsFunc(begin, starting) {
				r.refuse(v.node, v.short()+" "+dir, "no absolute path")
				continue
			}
			r.add(v.node, v.short()+" "+dir, "writes there go by the mode",
				Entry{Path: "permissions.additionalDirectories", List: true, Value: edit.Quote(dir)})
		}
	}
}

// auto are lists of mode auto. ours says a rule in permgate's words, or why that cannot be.
func auto(ours func(r *reader, list rules.List, text string) (texts []string, why string)) act {
	return func(r *reader, v *value) {
		name := v.short()
		list := map[string]rules.List{"hard_deny": rules.Deny, "soft_deny": rules.Ask, "allow": rules.Allow}[name]
		each(list, func(r *reader, n *node, list rules.List, said, t string) {
			if texts, why := ours(r, list, t); len(texts) > 0 {
				r.auto(n, list, said, texts...)
			} else {
				r.cannot(n, list, said, why, "*")
			}
		})(r, v)
	}
}

// auto notes rules of mode auto. Only a person's own settings configure it: those of a project bind in every mode.
func (r *reader) auto(n *node, list rules.List, said string, texts ...string) {
	entries, why := ruleEntries(list, texts...), ""
	switch {
	case !r.opt.Scope.OfProject():
		for i := range entries {
			entries[i].Path = "autoMode." + [...]string{rules.Allow: "allow", rules.Ask: "soft_deny", rules.Deny: "hard_deny"}[list]
		}
	case list == rules.Allow || texts[0][0] == '$':
		r.refuse(n, said, "only your own settings can say this: --scope user")
		return
	default:
		why = "it binds in every mode"
	}
	r.add(n, said, why, entries...)
}
