package hookio

import (
	"iter"
	"strings"

	"github.com/tidwall/gjson"
)

// Members goes over an object's keys and the JSON of their values. The values
// are not decoded: the content of a file that is written may be long, and few
// look at it. The object has to be valid; of one that is cut short, what is
// certainly not whole is left out.
func Members(object string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		if object == "" || object[0] != '{' {
			return
		}
		for i := 1; ; {
			i = nextToken(object, i)
			if i == len(object) || object[i] != '"' {
				return
			}
			end := stringEnd(object, i)
			if end == 0 {
				return
			}
			key := object[i+1 : end-1]
			if strings.IndexByte(key, '\\') >= 0 {
				key = gjson.Parse(object[i:end]).Str
			}
			i = nextToken(object, end)
			if end = valueEnd(object, i); end <= i || !yield(key, object[i:end]) {
				return
			}
			i = end
		}
	}
}

// nextToken returns where the next key or value starts, or the object ends.
func nextToken(s string, i int) int {
	for i < len(s) && (blank(s[i]) || s[i] == ',' || s[i] == ':') {
		i++
	}
	return i
}

// valueEnd returns the place behind the value at i, 0 if that is not there.
func valueEnd(s string, i int) int {
	if i == len(s) {
		return 0
	}
	switch s[i] {
	case '"':
		return stringEnd(s, i)
	case '{', '[':
		return nestedEnd(s, i)
	}
	for i < len(s) && !blank(s[i]) && strings.IndexByte(",}]", s[i]) < 0 {
		i++
	}
	return i
}

// stringEnd returns the place behind the string at i, 0 if that is not there.
func stringEnd(s string, i int) int {
	for i++; ; i++ {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return 0
		}
		i += n
		escapes := i - 1
		for s[escapes] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 1 { // backslashes in pairs, or none
			return i + 1
		}
	}
}

// nestedEnd returns the place behind the object or list at i.
func nestedEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(s, i)
			if end == 0 {
				return len(s)
			}
			i = end - 1
		}
	}
	return len(s)
}

// A Top is the top level of a payload, taken apart once: many look at it.
type Top []Member

func topOf(payload string) Top {
	t := make(Top, 0, 16)
	for key, value := range Members(payload) {
		t = append(t, Member{key, value})
	}
	return t
}

// Get returns the first value of a key; one that does not exist for none.
func (t Top) Get(key string) gjson.Result {
	for i := range t {
		if t[i].Name == key {
			return gjson.Parse(t[i].JSON)
		}
	}
	return gjson.Result{}
}

// Has reports whether all of these keys are there.
func (t Top) Has(keys ...string) bool {
	for _, key := range keys {
		if !t.has(key) {
			return false
		}
	}
	return true
}

func (t Top) has(key string) bool {
	for i := range t {
		if t[i].Name == key {
			return true
		}
	}
	return false
}

// within returns a key of an object of the payload, as in "mcp_context.server_name".
func (t Top) within(path string) gjson.Result {
	root, key, _ := strings.Cut(path, ".")
	for i := range t {
		if t[i].Name != root {
			continue
		}
		if v := topOf(t[i].JSON).Get(key); v.Exists() {
			return v
		}
	}
	return gjson.Result{}
}
