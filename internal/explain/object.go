package explain

import (
	"fmt"
	"strconv"

	"github.com/permgate--owner/permgate/hookio"
)

// An Object writes one JSON object on one line, keys in the order they come.
type Object struct{ B []byte }

func (o *Object) key(k string) {
	if len(o.B) == 0 {
		o.B = append(o.B, '{')
	} else {
		o.B = append(o.B, ',')
	}
	o.B = append(hookio.AppendJSON(o.B, k), ':')
}

// NewObject is an object with these keys and values, as Add takes them.
func NewObject(pairs ...any) *Object {
	o := &Object{}
	o.Add(pairs...)
	return o
}

// An Opt is a text that is left out where it is empty.
type Opt string

// Add writes keys and their values in turn: texts, numbers, truth values, lists of texts, JSON, objects, or Stringers.
func (o *Object) Add(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == Opt("") {
			continue
		}
		o.key(pairs[i].(string))
		switch v := pairs[i+1].(type) {
		case string:
			o.B = hookio.AppendJSON(o.B, v)
		case int:
			o.B = strconv.AppendInt(o.B, int64(v), 10)
		case bool:
			o.B = strconv.AppendBool(o.B, v)
		case []string:
			o.array(len(v), func(i int) { o.B = hookio.AppendJSON(o.B, v[i]) })
		case []byte:
			o.B = append(o.B, v...)
		case *Object:
			o.B = append(o.B, v.End()...)
		case Opt:
			o.B = hookio.AppendJSON(o.B, string(v))
		case fmt.Stringer:
			o.B = hookio.AppendJSON(o.B, v.String())
		default:
			o.B = hookio.AppendJSON(o.B, fmt.Sprint(v))
		}
	}
}

// Texts writes keys and their texts in turn.
func (o *Object) Texts(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		o.key(pairs[i])
		o.B = hookio.AppendJSON(o.B, pairs[i+1])
	}
}

// List writes n objects.
func (o *Object) List(k string, n int, fill func(i int, o *Object)) {
	o.key(k)
	o.array(n, func(i int) {
		var el Object
		fill(i, &el)
		o.B = append(o.B, el.End()...)
	})
}

func (o *Object) array(n int, write func(i int)) {
	o.B = append(o.B, '[')
	for i := range n {
		if i > 0 {
			o.B = append(o.B, ',')
		}
		write(i)
	}
	o.B = append(o.B, ']')
}

// End is the whole object.
func (o *Object) End() []byte {
	if len(o.B) == 0 {
		return []byte("{}")
	}
	return append(o.B, '}')
}
