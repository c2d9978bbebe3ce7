package sessions

import (
	"bytes"

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
	Lacks:  "whether somebody was asked, and whether the calls ran",
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
