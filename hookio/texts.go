package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// A Text is what a field of a tool's input holds that may be run, whatever the tool is called.
type Text struct {
	Text string
	Via  string // the command it comes after, "" for shell text: python3 -c
	Dir  string // where the same object says that it runs
	// Perhaps: by the name of its field it may as well be a search for words.
	Perhaps bool
}

// The fields of such texts and of what says more of them: words, as in otherNames.
const (
	runFields  = shellTexts + " cmds cmdline bashcommand argv shell bash sh scripts statement statements " + headFields + " input stdin keys keystrokes"
	headFields = "command cmd shell program executable"
	listFields = "commands cmds scripts statements"
	codeFields = "code script scripts"
	sqlFields  = "sql sqls sqlquery sqlstatement sqlstatements"
	maySQL     = "query queries statement statements"
	langFields = "language lang runtime interpreter kernel"
)

// interpreters read a program text in an argument. The first two are tried on every one.
var interpreters = [...]Pair{
	{"python python3 py", "python3 -c"}, {"javascript js node nodejs typescript ts", "node -e"},
	{"ruby rb", "ruby -e"}, {"perl", "perl -e"}, {"php", "php -r"},
}

// The budget of Texts: how many there are, and their bytes.
const maxTexts, maxTextBytes = 1 << 10, 1 << 20

// Texts are what may be run in the input of a tool of which nothing is known. whole is false where there is more.
func (c *Call) Texts() (all []Text, whole bool) {
	seen, bytes := map[Text]bool{{Text: c.Command}: true}, 0
	add := func(t Text) {
		if strings.TrimSpace(t.Text) == "" || seen[t] || seen[Text{Text: t.Text, Via: t.Via}] {
			return
		}
		if bytes += len(t.Text); bytes <= maxTextBytes && len(all) < maxTexts {
			seen[t], all = true, append(all, t)
		} else {
			bytes = maxTextBytes
		}
	}
	Fields(c.Input, func(object, name string, v gjson.Result) { fieldTexts(object, name, v, add) })
	return all, bytes < maxTextBytes && len(all) < maxTexts
}

// fieldTexts calls add with what a field, or an element of its list, may run.
func fieldTexts(object, name string, v gjson.Result, add func(Text)) {
	listed, dir, language, args := object == "", "", "", gjson.Result{}
	runs, code := OneOf(runFields, name), OneOf(codeFields, name)
	switch {
	case !runs && !code && !OneOf(argFields, name) && !OneOf(sqlFields+" "+maySQL, name):
		return
	case v.IsArray() && (listed || !OneOf(listFields, name)):
		v = gjson.Result{Type: gjson.String, Str: joinArgs(v)}
	case v.Type != gjson.String || listed && (runs || OneOf(argFields, name)) && !OneOf(listFields, name):
		return // a word of an argv
	}
	for key, value := range Members(object) {
		switch one := gjson.Parse(value); {
		case OneOf(shellDirs, key):
			dir = one.Str
		case OneOf(langFields, key):
			language = one.Str
		case OneOf(argFields, key):
			args = one
		case OneOf(headFields, key) && OneOf(argFields, name) && one.Type == gjson.String:
			return // they are read with it
		}
	}
	if OneOf(headFields, name) && args.Exists() {
		add(Text{Text: v.Str + " " + joinArgs(args), Dir: dir})
		runs = args.Type == gjson.String // which may end a quote of the text, or not
	}
	if runs || code || OneOf(argFields, name) {
		add(Text{Text: v.Str, Dir: dir})
	}
	for i, p := range interpreters {
		if code && (i < 2 || OneOf(p.From, language)) {
			add(Text{Text: v.Str, Via: p.To, Dir: dir})
		}
	}
	if sql := OneOf(sqlFields, name); sql || OneOf(maySQL, name) {
		add(Text{Text: v.Str, Via: "psql -c", Perhaps: !sql})
	}
}

// joinArgs is a list of arguments as shell text. Whether a shell expands them is not known: they are written as if one did.
func joinArgs(v gjson.Result) string {
	if !v.IsArray() {
		return v.String()
	}
	var words []string
	for _, arg := range v.Array() {
		words = append(words, shellWord(arg.String()))
	}
	return strings.Join(words, " ")
}

// Typed is the shell call that a text of c's input amounts to. What restricts Bash binds it, as it does a server's shell.
func (c *Call) Typed(t Text) *Call {
	typed := *c
	typed.Tool, typed.Server, typed.Alias, typed.Guessed, typed.Command = "Bash", c.OwnTool(), true, true, t.Text
	if t.Via != "" {
		typed.Command = t.Via + " " + quoteArg(t.Text)
	}
	typed.Input = gjson.Parse(string(append(AppendJSON([]byte(`{"command":`), typed.Command), '}')))
	typed.URL, typed.AlsoURL, typed.Args, typed.Under, typed.Filter, typed.Escape = "", nil, nil, nil, nil, ""
	typed.goInto(t.Dir)
	return &typed
}

// Fields calls do with each member of each object in a value and with each element of its lists, those under the name of
// the list and without an object, at any depth: in JSON inside of a string too, but not in that of free text.
func Fields(v gjson.Result, do func(object, name string, v gjson.Result)) { fields("", v, do) }

func fields(name string, v gjson.Result, do func(object, name string, v gjson.Result)) {
	switch {
	case v.IsObject():
		for key, value := range Members(v.Raw) {
			one := gjson.Parse(value)
			do(v.Raw, key, one)
			fields(key, one, do)
		}
	case v.IsArray():
		v.ForEach(func(_, e gjson.Result) bool {
			do("", name, e)
			fields(name, e, do)
			return true
		})
	case v.Type == gjson.String && !FreeText(name) && strings.ContainsAny(v.Str, "{["):
		if strings.IndexByte("{[", strings.TrimSpace(v.Str)[0]) < 0 {
			return
		}
		if text, p := readObject(strings.NewReader(`{"":` + v.Str + "}")); p == nil {
			Members(text)(func(_, value string) bool { fields(name, gjson.Parse(value), do); return true })
		}
	}
}

// FreeText reports whether a field holds what a person or a model reads, and no path.
func FreeText(name string) bool {
	return OneOf("content contents text body prompt description message title summary comment subject question "+
		"reason note notes instructions markdown html code sql thought diff oldstring newstring oldtext newtext oldstr "+
		"newstr filetext", name)
}
