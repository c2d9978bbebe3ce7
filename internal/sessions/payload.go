package sessions

import (
	"bufio"
	"bytes"
	"io"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// payload is what hooks are sent, one call per line: what check --lines reads.
var payload = Format{
	Name:  "payload",
	Title: "hook payloads, one per line",
	Is: func(line gjson.Result) bool {
		return line.Get("hook_event_name").Exists() || line.Get("tool_name").Exists() || line.Get("toolName").Exists()
	},
	Lacks:  "whether somebody was asked, and what became of the calls",
	Source: "hookio.Read",
	Read: func(f *File, take func(*Call) error) error {
		return f.lines(func(number int, line []byte) error {
			call, err := hookio.Read(bytes.NewReader(line), hookio.Options{})
			c := &Call{Call: call, Where: f.at(number)}
			switch {
			case err != nil && (tooDeep(line) || !gjson.ValidBytes(line)):
				f.Counts.Torn++
				return nil
			case err != nil:
				c.Call, c.Skip = nil, "it is no payload of a hook"
			case !call.Event.Decides():
				f.Counts.Unknown++
				return nil
			default:
				c.ID, c.Session, c.Host = call.CallID, call.SessionID, call.Host.Name
				if f.Seen.Again(c.Host, c.seenAs()) {
					f.Counts.Duplicates++
					return nil
				}
			}
			f.Counts.Calls++
			c.Format = f.Format
			return take(c)
		})
	},
}

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
