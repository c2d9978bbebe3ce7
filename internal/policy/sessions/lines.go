package sessions

import (
	"bufio"
	"bytes"
	"io"

	"github.com/tidwall/gjson"
)

// maxLine bounds a line of a session file, in bytes: results of tools are in them.
const maxLine = 16 << 20

// keptLine is how much of the room for a line is kept for the next one.
const keptLine = 1 << 20

// lines hands every line that is not blank on; what is longer than maxLine is torn.
func (f *File) lines(take func(number int, line []byte) error) error {
	in := bufio.NewReaderSize(f.In, 64<<10)
	var line []byte
	for number, long := 1, false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if text := bytes.TrimSpace(line); long || len(text) > 0 {
			f.Counts.Lines++
			if long {
				f.Counts.Torn++
			} else if err := take(number, text); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		number++
		if line, long = line[:0], false; cap(line) > keptLine {
			line = nil
		}
	}
}

// objects hands every line that is a JSON object on.
func (f *File) objects(take func(number int, line gjson.Result) error) error {
	return f.lines(func(number int, line []byte) error {
		v, ok := object(line)
		if !ok {
			f.Counts.Torn++
			return nil
		}
		return take(number, v)
	})
}

// object reads a JSON object.
func object(line []byte) (gjson.Result, bool) {
	if tooDeep(line) || !gjson.ValidBytes(line) {
		return gjson.Result{}, false
	}
	v := gjson.ParseBytes(line)
	return v, v.IsObject()
}

// maxDepth is the deepest nesting that is read: gjson recurses, and a stack that
// overflows ends the process.
const maxDepth = 1000

// tooDeep reports whether a line may nest deeper than that.
func tooDeep(line []byte) bool {
	if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) <= maxDepth {
		return false
	}
	depth, text, escaped := 0, false, false
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
		case text:
			escaped, text = c == '\\', c != '"'
		case c == '"':
			text = true
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}
