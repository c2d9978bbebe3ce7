package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
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

// sent is the name that a program sends for one of theirs: what is no letter becomes another one, but what is in keep.
func sent(name, keep string) string {
	return strings.Map(func(c rune) rune {
		if only(string(c), "_-"+keep) {
			return c
		}
		return '?'
	}, name)
}

// allTools are entries of the list of all tools that there are; key is tools, or that of one host.
func allTools(key string, names ...string) (out []Entry) {
	for _, name := range names {
		out = append(out, Entry{true, key, true, edit.Quote(name)})
	}
	return out
}

// only notes all the tools that there are.
func (r *reader) only(n *node, said, why, key string, tools ...string) {
	r.add(n, said, why)
	r.last().Entries = allTools(key, tools...)
}

// unquote is the text of a JSON string, "" for another value.
func unquote(value string) (out string) {
	if json.Unmarshal([]byte(value), &out) != nil {
		return ""
	}
	return out
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
	if host := hookio.Lookup(s.Name); s.sends && host != nil {
		for _, pair := range host.Tools {
			if pair.From == name {
				return pair.To
			}
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

// special is what most systems have in a pattern besides letters.
const special = `*?[{\`

// glob is a pattern of theirs with the wildcards of rules, * and ?. special are the letters that are more than letters
// there: *?[{\ or some of them. It is not exact where it matches more than there.
func glob(text, special string) (out string, exact bool) {
	exact = true
	widen := func(by string, past int) string { out, exact = out+by, false; return text[past:] }
	for text != "" {
		c := text[0]
		is := strings.IndexByte(special, c) >= 0
		end := strings.IndexByte(text, map[byte]byte{'[': ']', '{': '}'}[c])
		switch {
		case (c == '[' || c == '{') && is && end < 0:
			text = widen("*", len(text))
		case c == '[' && is:
			text = widen("?", end+1)
		case c == '{' && is:
			text = widen("*", end+1)
		case c == '\\' && is && len(text) > 1:
			text = widen("?", 2)
		case c < ' ', c == '\\', (c == '*' || c == '?') && !is:
			text = widen("?", 1)
		default:
			out, text = out+text[:1], text[1:]
		}
	}
	return out, exact
}

// more is why a rule is narrowed that matches more than theirs.
func more(exact bool) string {
	if exact {
		return ""
	}
	return "it binds more than there"
}

// command notes a rule about the text of a command, a pattern in which these letters are special. There it is compared
// with all that the shell is given, here with each command in it. A restriction that is not the beginning of a plain
// command is compared with the whole text as well.
func (r *reader) command(n *node, list rules.List, said, text, special string) {
	g, exact := glob(text, special)
	at := strings.IndexAny(g, "*?")
	stem := strings.TrimSuffix(g, "*")
	first, _, _ := strings.Cut(stem, " ")
	blank := at < 0 && strings.HasSuffix(g, " ")
	simple, odd := plain(stem, "") && !reserved(first) && !blank, strings.Contains(text, "**") || blank
	switch {
	case list == rules.Allow && (odd || !exact || !plain(text, "*?")):
		r.refuse(n, said, notPlain)
	case list == rules.Allow:
		r.rule(n, list, said, "", "Bash("+text+")")
	case grammar.AllStars(g):
		r.rule(n, list, said, more(exact), "Bash")
	case simple && strings.HasSuffix(g, " *"): // also where the next command follows at once
		r.rule(n, list, said, more(exact), "Bash("+strings.TrimRight(stem, " ")+":*)")
	case simple:
		r.rule(n, list, said, more(exact), "Bash("+g+")")
	default:
		r.field(n, list, said, "Bash", "command", text, special)
	}
}

// field notes a restriction by a field of the input.
func (r *reader) field(n *node, list rules.List, said, tool, name, text, special string) {
	g, exact := glob(text, special)
	if strings.TrimSpace(g) != g || grammar.AllStars(g) || g == "" {
		r.rule(n, list, said, "it binds every call of the tool", tool)
		return
	}
	r.rule(n, list, said, more(exact), tool+"("+name+":"+g+")")
}

// reserved reports whether a shell takes a first word for something else than a program.
func reserved(w string) bool {
	return slices.Contains(strings.Fields("if then else elif fi for while until do done case esac select function time coproc in"), w)
}

// prefix notes a rule about all commands that begin with these words, as the program gets them. Nothing in a word is a
// wildcard: in quotes a star is only a character in allow, and may be a wildcard where a rule restricts.
func (r *reader) prefix(n *node, list rules.List, said, why string, all ...[]string) {
	var texts []string
	for _, words := range all {
		text, home := "", ""
		for _, w := range words {
			quoted := grammar.Quote(w)
			text += " " + quoted
			if rest, ok := strings.CutPrefix(w, "~/"); ok && rest != "" { // where it is not quoted, the shell's
				quoted = "~/" + grammar.Quote(rest)
			} else if ok || w == "~" {
				quoted = w
			}
			home += " " + quoted
		}
		if list == rules.Allow && (strings.Contains(words[0], "=") || home != text) || words[0] == "" {
			r.cannot(n, list, said, notPlain, "Bash")
			return
		}
		if texts = append(texts, "Bash("+text[1:]+":*)"); home != text {
			texts = append(texts, "Bash("+home[1:]+":*)")
		}
	}
	r.rule(n, list, said, why, texts...)
}

// address notes an address: a host, an origin or a path. Without a protocol it means https.
func (r *reader) address(n *node, list rules.List, said, entry string) {
	if entry = strings.TrimSpace(entry); list == rules.Allow && !strings.Contains(entry, "://") {
		entry = "https://" + entry
	}
	_, err := rules.URLRule(entry, list, r.opt.Scope, rules.Pos{})
	host := entry[strings.Index(entry, "://")+1:]
	if host, _, _ = strings.Cut(strings.TrimPrefix(host, "//"), "/"); err != nil || strings.Trim(host, "*.") == "" {
		r.cannot(n, list, said, "no host is named", "WebFetch")
		return
	}
	r.add(n, said, "", Entry{true, "urls." + list.String(), true, edit.Quote(entry)})
}

// path notes a rule about files. deep is what comes before a relative path.
func (r *reader) path(n *node, list rules.List, said, tool, at, deep string) {
	why, exact := "", true
	if list != rules.Allow {
		if at, exact = glob(at, special); tool == "Edit" && r.apart {
			why = "a rule for Edit binds Write as well"
		}
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
	r.rule(n, list, said, cmp.Or(why, more(exact)), tool+"("+at+")")
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

// anchored notes a restriction about files with anchors as ours. Without one, and behind a star, it binds at any
// depth.
func (r *reader) anchored(n *node, list rules.List, said, tool, at string) {
	g, exact := glob(at, special)
	if g = across(g); g == "" {
		r.cannot(n, list, said, "a wildcard that matches something else here", tool)
		return
	}
	begins := func(with string) bool { return strings.HasPrefix(g, with) }
	if !slices.ContainsFunc([]string{"/", "~/", "./", "**/"}, begins) {
		g = "**/" + g
	}
	r.rule(n, list, said, more(exact), tool+"("+g+")")
}

// writable takes back the questions about Write and NotebookEdit that come with an allow rule for Edit, where a rule
// allows those as well.
func (r *reader) writable() {
	var allowed []Entry
	for _, w := range r.written().Allow {
		allowed = append(allowed, ruleEntries(rules.Ask, w.Text)...)
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

// bare notes a rule for every call of a tool.
func (r *reader) bare(n *node, list rules.List, said, name string) {
	why, also := "", []string(nil)
	if ours := r.tool(name); ours != "" {
		name = ours
	}
	if name == "Edit" && r.apart && list != rules.Allow {
		why = "a rule for Edit binds Write as well"
	} else if name == "Edit" && r.apart {
		also = []string{"Write", "NotebookEdit"}
	}
	if r.rule(n, list, said, why, name); r.last().Status != Refused {
		r.last().Entries = append(r.last().Entries, ruleEntries(rules.Ask, also...)...)
	}
}

// narrow says why an item is less than there, if there is a reason.
func (i *Item) narrow(why string) {
	if why != "" && i.Status != Refused {
		i.Status, i.Why = Narrowed, why
	}
}

// alternatives are the patterns that one with {a,b} in it stands for.
func alternatives(pattern string) []string {
	end := strings.IndexByte(pattern, '}')
	open := strings.LastIndexByte(pattern[:max(end, 0)], '{')
	if open < 0 || strings.Contains(pattern, `\`) || strings.Count(pattern, ",") > 8 {
		return []string{pattern}
	}
	var out []string
	for part := range strings.SplitSeq(pattern[open+1:end], ",") {
		out = append(out, alternatives(pattern[:open]+part+pattern[end+1:])...)
	}
	return out
}

// together makes one item of those that a part became.
func (r *reader) together(from int) {
	for n := from + 1; n < len(r.items); n++ {
		r.items[from].join(&r.items[n])
	}
	r.items = r.items[:from+1]
}

// join adds what another item became.
func (i *Item) join(o *Item) {
	for _, e := range o.Entries {
		if !slices.Contains(i.Entries, e) {
			i.Entries = append(i.Entries, e)
		}
	}
	if i.Why = cmp.Or(i.Why, o.Why); o.Status != i.Status {
		i.Status = Narrowed
	}
}
