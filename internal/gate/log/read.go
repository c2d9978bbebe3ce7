package log

import (
	"bytes"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// MaxLine bounds a line of the log, in bytes. The writer keeps below it, and
// the reader skips what is longer.
const MaxLine = 1 << 20

// Parse reads one line. ok is false for anything that is not a whole record of
// this log: a torn line, a line of another program. Unknown keys are ignored,
// and so are values of another type. A whole record behind a torn one, whose
// writer did not get to its newline, is found.
func Parse(line []byte) (r Record, ok bool) {
	line = bytes.TrimSpace(line)
	if r, ok = parse(line); ok {
		return r, true
	}
	for range maxTorn {
		i := bytes.Index(line[min(1, len(line)):], []byte(opening))
		if i < 0 {
			break
		}
		line = line[i+1:]
		if r, ok = parse(line); ok {
			return r, true
		}
	}
	return Record{}, false
}

// maxTorn bounds how many torn records before a whole one are looked behind.
const maxTorn = 8

// opening starts every record. Within one it can stand only in an input that
// has this key itself: in a string the quotation marks are escaped.
const opening = `{"Timestamp":"`

func parse(line []byte) (r Record, ok bool) {
	if len(line) == 0 || len(line) > MaxLine || line[0] != '{' || !gjson.ValidBytes(line) {
		return Record{}, false
	}
	root := gjson.ParseBytes(line)
	group := ""
	fill := func(k, v gjson.Result) bool {
		r.set(group+k.Str, v)
		return true
	}
	root.ForEach(func(k, v gjson.Result) bool {
		if v.IsObject() {
			group = k.Str + "/"
			v.ForEach(fill)
			group = ""
			return true
		}
		return fill(k, v)
	})
	return r, !r.Time.IsZero() && r.Event != "" && r.Schema > 0 && r.Schema <= Schema
}

// Newer reports whether a line is a record of a schema that came after this version,
// whose fields may mean something else.
func Newer(line []byte) bool {
	return gjson.ValidBytes(line) && gjson.GetBytes(line, "Attributes.permgate\\.schema").Num > Schema
}

// set stores one value of a line.
func (r *Record) set(name string, v gjson.Result) {
	for i := range Fields {
		f := &Fields[i]
		if f.Name != name {
			continue
		}
		switch {
		case f.text != nil:
			if v.Type == gjson.String {
				*f.text(r) = v.Str
			}
		case f.num != nil:
			if v.Type == gjson.Number {
				*f.num(r) = int(v.Int())
			}
		case f.flag != nil:
			*f.flag(r) = v.Type == gjson.True
		default:
			r.setOther(name, v)
		}
		return
	}
}

func (r *Record) setOther(name string, v gjson.Result) {
	switch name {
	case "Timestamp":
		r.Time, _ = time.Parse(time.RFC3339Nano, v.Str)
	case "EventName":
		if event, ok := strings.CutPrefix(v.Str, eventPrefix); ok {
			r.Event = event
		}
	case "Attributes/gen_ai.tool.call.arguments":
		r.Input = v.Raw
	case "Attributes/permgate.approver_ms":
		r.ApproverTook = time.Duration(v.Int()) * time.Millisecond
	case "Attributes/permgate.auto_ms":
		r.AutoTook = time.Duration(v.Int()) * time.Millisecond
	case "Attributes/permgate.duration_us":
		r.Duration = micros(v.Int())
	case "Attributes/permgate.trace":
		v.ForEach(func(_, e gjson.Result) bool {
			r.Trace = append(r.Trace, Entry{e.Get("step").String(), e.Get("decision").String(), e.Get("reason").String()})
			return true
		})
	}
}
