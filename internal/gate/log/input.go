package log

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
)

// Bounds of an input, in bytes.
const (
	maxDeciding = 16 << 10 // of one text, at level decisions
	maxWhole    = 64 << 10 // of one text, at level full
	maxInput    = 384 << 10
	maxValues   = 2 << 10 // values, members and elements together
	maxNumber   = 64      // of a number
	maxWord     = 4 << 10 // of a word that is looked at together with those before it
	maxWords    = 64      // how many words are looked at so, and with how much before them
	maxBefore   = 1 << 10
	maxLate     = 64 // with how much before them later words are looked at
)

// Deciding returns of the input of a call what decides, redacted: the fields
// its shape names, by the host's own names, so that the call can be made again
// of it, and of a tool that nothing is known of the texts that may be paths. File
// contents are left out; of a patch the headers are kept, of a list of edits
// the paths.
func Deciding(call *hookio.Call) ([]byte, bool) {
	w, open := inputWriter{limit: maxDeciding}, facts.TakesAnyText(call)
	s := call.Shape()
	w.b = append(w.b, '{')
	for key, value := range hookio.Members(call.Input.Raw) {
		w.onlyPaths = !call.Decides(key)
		if w.onlyPaths && !(open && w.keeps(key, gjson.Parse(value))) {
			continue
		}
		if w.full() {
			w.member(CutMark)
			w.text("")
			break
		}
		v := gjson.Parse(value)
		w.member(key)
		switch {
		case v.Type == gjson.String && (s.Kind == hookio.KindPatch || looksLikePatch(v.Str)):
			w.text(patchHeaders(v.Str))
		case v.IsArray() && s.Kind == hookio.KindPath && !w.onlyPaths:
			w.paths(v, s.Keys)
		default:
			w.value(key, v)
		}
	}
	return append(w.b, '}'), w.hit
}

// whole returns the redacted input of a call.
func whole(call *hookio.Call) ([]byte, bool) {
	w := inputWriter{limit: maxWhole}
	w.value("", call.Input)
	return w.b, w.hit
}

// Whole is a call's redacted input, invisible characters escaped, and whether it is incomplete.
func Whole(call *hookio.Call) (input []byte, cut bool) {
	w := inputWriter{limit: maxWhole}
	w.value("", call.Input)
	return w.b, w.cut
}

// Visible is a text as JSON, in which invisible characters are written as \u escapes.
func Visible(s string) []byte { return appendVisible(nil, s) }

// patchHeaders keeps the lines that name files.
func patchHeaders(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, "*** ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// An inputWriter writes JSON without its secrets.
type inputWriter struct {
	b      []byte
	limit  int
	values int
	hit    bool
	cut    bool // something was left out
	// onlyPaths leaves out what cannot be a path.
	onlyPaths bool
}

// keeps reports whether a member or an element is written.
func (w *inputWriter) keeps(key string, v gjson.Result) bool {
	switch {
	case !w.onlyPaths || v.IsObject() || v.IsArray() || strings.Contains(key, "/"):
		return true
	default:
		return v.Type == gjson.String && facts.MayBePath(key, v.Str)
	}
}

// full reports that there is no room for another member or element, and counts
// it for CutMark: a line that is too long would not be read.
func (w *inputWriter) full() bool {
	w.values++
	full := w.values > maxValues || len(w.b) > maxInput
	w.cut = w.cut || full
	return full
}

// member starts a member of an object. A key may hold a secret, too.
func (w *inputWriter) member(key string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.text(key)
	w.b = append(w.b, ':')
}

// text writes a string, redacted.
func (w *inputWriter) text(s string) {
	hit, n := false, len(w.b)
	if s != CutMark {
		w.cut = w.cut || len(s) > w.limit
		s, hit = clean(strings.ToValidUTF8(s, "\uFFFD"), w.limit)
		w.hit = w.hit || hit
	}
	if w.b = appendVisible(w.b, s); len(w.b) > maxInput {
		w.b = hookio.AppendJSON(w.b[:n], CutMark)
		w.values, w.cut = maxValues, true
	}
}

// appendVisible is hookio.AppendJSON with \u escapes for what a terminal obeys
// or hides: control, bidirectional, zero-width. It is the same JSON text.
func appendVisible(dst []byte, s string) []byte {
	n := len(dst)
	dst = hookio.AppendJSON(dst, s)
	for _, r := range s {
		if r > '~' && !unicode.IsPrint(r) {
			quoted := []byte(nil)
			for _, r := range string(dst[n:]) {
				quoted = appendRune(quoted, r)
			}
			return append(dst[:n], quoted...)
		}
	}
	return dst
}

func appendRune(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r <= '~' || unicode.IsPrint(r) {
		return utf8.AppendRune(dst, r)
	}
	units := [...]rune{r, 0}
	n := 1
	if r > 0xFFFF {
		units[0], units[1] = utf16.EncodeRune(r)
		n = 2
	}
	for _, u := range units[:n] {
		dst = append(dst, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	return dst
}

func (w *inputWriter) secret() {
	w.hit = true
	w.b = hookio.AppendJSON(w.b, redact.Mark)
}

// value writes any value; key is its name.
func (w *inputWriter) value(key string, v gjson.Result) {
	switch {
	case v.IsObject():
		w.object(v)
	case v.IsArray():
		w.list(key, v)
	case redact.Value(key, v.String()) && (v.Type == gjson.String || v.Type == gjson.Number):
		w.secret()
	case v.Type == gjson.String:
		w.text(v.Str)
	case len(v.Raw) > maxNumber:
		w.cut = true
		w.text(v.Raw[:maxNumber] + CutMark)
	default:
		w.b = append(w.b, v.Raw...)
	}
}

// object writes an object. One that says "name": "TOKEN", "value": "..." hides
// the value like one that says "TOKEN": "...".
func (w *inputWriter) object(v gjson.Result) {
	name := ""
	for _, k := range [...]string{"name", "key", "header"} {
		if n := v.Get(k); n.Type == gjson.String && redact.Name(n.Str) {
			name = n.Str
		}
	}
	w.b = append(w.b, '{')
	v.ForEach(func(k, v gjson.Result) bool {
		if !w.keeps(k.Str, v) {
			return true
		}
		if w.full() {
			w.member(CutMark)
			w.text("")
			return false
		}
		w.member(k.Str)
		if name != "" && k.Str == "value" {
			w.value(name, v)
		} else {
			w.value(k.Str, v)
		}
		return true
	})
	w.b = append(w.b, '}')
}

// list writes a list. Its texts may be a command's words: each is looked at with those before.
func (w *inputWriter) list(key string, v gjson.Result) {
	w.b = append(w.b, '[')
	before, n := "", 0
	v.ForEach(func(_, e gjson.Result) bool {
		if w.keeps(key, e) {
			if n++; n > 1 {
				w.b = append(w.b, ',')
			}
			if w.full() {
				w.text(CutMark)
				return false
			}
			w.word(key, before, e)
		}
		if aWord(e) {
			before = end(before+quoteWord(e.Str)+" ", n)
		}
		return true
	})
	w.b = append(w.b, ']')
}

// aWord reports whether an element may be the word of a command.
func aWord(e gjson.Result) bool { return e.Type == gjson.String && len(e.Str) <= maxWord }

// end is as much of the words before another as is looked at, where n elements were written.
func end(before string, n int) string {
	switch {
	case n > maxWords && len(before) > maxLate:
		return before[len(before)-maxLate:]
	case len(before) > maxBefore:
		return before[len(before)-maxBefore/2:]
	}
	return before
}

// word writes an element of a list, a text redacted as the next word of a command.
func (w *inputWriter) word(key, before string, e gjson.Result) {
	if !aWord(e) {
		w.value(key, e)
		return
	}
	word := quoteWord(e.Str)
	plain, _ := redact.Text(before)
	both, _ := redact.Text(before + word)
	if rest, ok := strings.CutPrefix(both, plain); !ok || rest != word && strings.Contains(rest, redact.Mark) {
		w.hit = true
		w.text(unquoteWord(rest))
		return
	}
	w.value(key, e)
}

// quoteWord writes a word of a command as a shell would need it.
func quoteWord(s string) string {
	if strings.ContainsAny(s, " \t\n;&|<>()") && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return s
}

func unquoteWord(s string) string {
	if len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

// paths writes a list of paths, or of edits that name one.
func (w *inputWriter) paths(v gjson.Result, keys []string) {
	w.b = append(w.b, '[')
	n := 0
	v.ForEach(func(_, e gjson.Result) bool {
		if n++; n > 1 {
			w.b = append(w.b, ',')
		}
		if w.full() {
			w.text(CutMark)
			return false
		}
		if !e.IsObject() {
			w.value("", e)
			return true
		}
		w.b = append(w.b, '{')
		for key, value := range hookio.Members(e.Raw) {
			if value[0] == '"' && slices.Contains(keys, key) && !w.full() {
				w.member(key)
				w.text(gjson.Parse(value).Str)
			}
		}
		w.b = append(w.b, '}')
		return true
	})
	w.b = append(w.b, ']')
}

// looksLikePatch reports whether a text is a patch in the form of apply_patch.
func looksLikePatch(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "*** Begin Patch")
}
