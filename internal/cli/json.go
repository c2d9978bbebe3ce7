package cli

import (
	"encoding/json"
	"strconv"

	"github.com/permgate--owner/permgate/hookio"
)

// An object writes one JSON object on one line, keys in the order they come.
type object struct{ b []byte }

func (o *object) key(k string) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(hookio.AppendJSON(o.b, k), ':')
}

func (o *object) str(k, v string)     { o.key(k); o.b = hookio.AppendJSON(o.b, v) }
func (o *object) num(k string, v int) { o.key(k); o.b = strconv.AppendInt(o.b, int64(v), 10) }

func (o *object) boolean(k string, v bool) { o.key(k); o.b = strconv.AppendBool(o.b, v) }
func (o *object) raw(k string, v []byte)   { o.key(k); o.b = append(o.b, v...) }

// opt writes a string that is not empty.
func (o *object) opt(k, v string) {
	if v != "" {
		o.str(k, v)
	}
}

func (o *object) strs(k string, v []string) {
	o.key(k)
	o.b = append(o.b, '[')
	for i, s := range v {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = hookio.AppendJSON(o.b, s)
	}
	o.b = append(o.b, ']')
}

// list writes n objects.
func (o *object) list(k string, n int, fill func(i int, o *object)) {
	o.key(k)
	o.b = append(o.b, '[')
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		var el object
		fill(i, &el)
		o.b = append(o.b, el.end()...)
	}
	o.b = append(o.b, ']')
}

func (o *object) end() []byte {
	if len(o.b) == 0 {
		return []byte("{}")
	}
	return append(o.b, '}')
}

// printJSON prints a report on one line, and returns the exit code.
func (e *env) printJSON(report any) int {
	text, err := json.Marshal(report)
	if err != nil {
		return e.fail("", "%v", err)
	}
	e.machine().Write(append(text, '\n'))
	return exitOK
}
