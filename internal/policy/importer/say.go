package importer

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// ruleEntries are rules of a list of settings.json.
func ruleEntries(list rules.List, texts ...string) (out []Entry) {
	for _, t := range texts {
		out = append(out, Entry{Path: "permissions." + list.String(), List: true, Value: edit.Quote(t)})
	}
	return out
}

// locks are keys of settings.json that lock something with a value.
func locks(value string, names ...string) (out []Entry) {
	for _, name := range names {
		out = append(out, Entry{Path: "permissions." + name, Value: value})
	}
	return out
}

// gateKey is a word of permgate.json.
func gateKey(name, value string) Entry {
	return Entry{Gate: true, Path: name, Value: edit.Quote(value)}
}

// isName reports whether a text is the name of a tool or server, in which nothing is a wildcard.
func isName(text string) bool {
	return text != "" && only(text, "_-")
}

// only reports whether there is nothing in a text but letters, digits and these characters.
func only(text, more string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return !grammar.Alnum(c) && !strings.ContainsRune(more, c) })
}

// theirs notes a rule about tools that only they have. Granted, its name may not be one of ours, nor a pattern.
func (r *reader) theirs(n *node, list rules.List, said, name string, texts ...string) {
	if list == rules.Allow && (slices.Contains(rules.Tools[:], name) || !isName(name)) {
		r.refuse(n, said, "another tool is called so here, or it has a wildcard")
		return
	}
	r.rule(n, list, said, "", texts...)
}

// dirs notes folders that are no longer outside. starts are what a path may start with, nothing for anything.
func (r *reader) dirs(said string, starts ...string) func(v *node) {
	return func(v *node) {
		texts, ok := textsOf(v)
		if !ok {
			r.refuse(v, said, "something else than strings")
		}
		for _, dir := range texts {
			starting := func(with string) bool { return strings.HasPrefix(dir, with) }
			if len(starts) > 0 && !slices.ContainsFunc(starts, starting) {
				r.refuse(v, said+" "+dir, "no absolute path")
				continue
			}
			r.add(v, said+" "+dir, "writes there go by the mode",
				Entry{Path: "permissions.additionalDirectories", List: true, Value: edit.Quote(dir)})
		}
	}
}

// listOf is the list that a word of any system means.
func listOf(action string) rules.List {
	switch action {
	case "allow":
		return rules.Allow
	case "ask", "prompt":
		return rules.Ask
	case "deny", "forbidden":
		return rules.Deny
	}
	return rules.NoList
}

// tool is permgate's name of a tool, "" for one the system does not have.
func (s *System) tool(name string) string {
	for pair := range strings.FieldsSeq(s.tools) {
		if theirs, ours, _ := strings.Cut(pair, "="); theirs == name {
			return ours
		}
	}
	return ""
}

// plain reports whether nothing in a command's text is more than words, to a shell or to a rule. wild are wildcards
// that are the same here.
func plain(text, wild string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	colon := strings.Contains(text, ":*") || strings.HasSuffix(text, ":") // what comes before it is a stem here
	blanks := strings.HasPrefix(text, " ") || strings.Contains(text, "  ")
	if first == "" || colon || blanks || strings.ContainsAny(first, "=:") {
		return false
	}
	return only(text, "_-./:=@%+, "+wild)
}

const notPlain = "a class such as [ab], a wildcard that matches something else here, or what a shell reads"

// command notes a rule about the text of a command. There a pattern is compared with all that the shell is given, here
// with each command in it: a restriction ends at its first wildcard, which may reach into the next command.
func (r *reader) command(n *node, list rules.List, said, text, wild string) {
	at, why := strings.IndexAny(text, "*?"), ""
	odd := list != rules.Allow && at == 0 || at < 0 && strings.HasSuffix(text, " ")
	if odd || !plain(text, wild) || strings.Contains(text, "**") {
		r.cannot(n, list, said, notPlain, "Bash")
		return
	}
	if list != rules.Allow && at > 0 {
		if at < len(text)-1 || text[at] == '?' {
			why = "it binds more than there"
		}
		if text = text[:at] + "*"; strings.HasSuffix(text, " *") {
			text = strings.TrimRight(text[:at], " ") + ":*" // also where the next command follows at once
		}
	}
	r.rule(n, list, said, why, "Bash("+text+")")
}

// prefix notes a rule about all commands that begin with these words. A restriction ends before one that is not plain.
func (r *reader) prefix(n *node, list rules.List, said, why string, all ...[]string) {
	var texts []string
	for _, words := range all {
		i := slices.IndexFunc(words, func(w string) bool {
			return w == "" || strings.Contains(w, " ") || !plain("x"+w, "")
		})
		if i < 0 && strings.ContainsAny(words[0], "=:") {
			i = 0
		}
		switch {
		case i < 0:
			texts = append(texts, "Bash("+strings.Join(words, " ")+":*)")
		case i == 0 || list == rules.Allow:
			r.cannot(n, list, said, notPlain, "Bash")
			return
		default:
			why = "it binds more than there"
			texts = append(texts, "Bash("+strings.Join(words[:i], " ")+":*)")
		}
	}
	r.rule(n, list, said, why, texts...)
}

// path notes a rule about files. deep is what comes before a relative path.
func (r *reader) path(n *node, list rules.List, said, tool, at, deep string) {
	why := ""
	if list != rules.Allow && tool == "Edit" && r.apart {
		why = "a rule for Edit binds Write as well"
	}
	switch {
	case at == "" || at != strings.TrimSpace(at), strings.ContainsAny(at, `[]{}\!()`), strings.Contains(at, ".."),
		strings.Contains(at[1:], "~"), strings.Contains(at, "//"), strings.Contains(at, "/./"), strings.HasSuffix(at, "/"):
		r.cannot(n, list, said, "a class such as [ab], or a path that is not clean", tool)
		return
	case strings.HasPrefix(at, "/"):
		at = "/" + at
	case !strings.HasPrefix(at, "~/"):
		at = deep + strings.TrimPrefix(at, "./")
	}
	r.rule(n, list, said, why, tool+"("+at+")")
	if i := r.last(); list == rules.Allow && tool == "Edit" && r.apart && i.Status != Refused {
		i.Entries = append(i.Entries, ruleEntries(rules.Ask, "Write("+at+")", "NotebookEdit("+at+")")...)
	}
}

// across is a restriction about files whose stars go on past slashes, as a path; "" where that cannot be said.
func across(at string) string {
	parts := strings.Split(at, "/")
	for i, p := range parts {
		switch rest := strings.TrimLeft(p, "*"); {
		case strings.ContainsAny(rest, "*?"):
			return ""
		case rest == "" && p != "":
			parts[i] = "**"
		case rest != p:
			parts[i] = "**/*" + rest
		}
	}
	return strings.Join(parts, "/")
}

// writable takes back the questions about Write and NotebookEdit that come with an allow rule for Edit, where a rule
// allows those as well.
func (r *reader) writable() {
	var allowed []Entry
	for _, w := range r.written() {
		if w.list == rules.Allow {
			allowed = append(allowed, ruleEntries(rules.Ask, w.rule.Text)...)
		}
	}
	for i := range r.items {
		if e := r.items[i].Entries; len(e) > 1 && e[0].Path == "permissions.allow" {
			r.items[i].Entries = slices.DeleteFunc(e, func(e Entry) bool { return slices.Contains(allowed, e) })
		}
	}
}

// safeTools are the tools that run where no rule speaks, except the one that asks the user.
func safeTools(not ...string) (out []string) {
	for _, t := range rules.Tools {
		if rules.SafeTool(t) && t != "AskUserQuestion" {
			out = append(out, t)
		}
	}
	return without(out, not...)
}

// without are the texts of a list that are not in another.
func without(texts []string, not ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return slices.Contains(not, t) })
}
