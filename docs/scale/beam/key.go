package main

import (
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

func init() {
	register.Function3x0(splitLine)
	register.Emitter1[string]()
	register.Emitter2[string, string]()
}

// splitLine sends a line on, with those that may be about the same call where it has
// a key. A blank line is dropped.
func splitLine(line string, alone func(string), named func(key, line string)) {
	if key := keyOf(line); key != "" {
		named(key, line)
	} else if strings.TrimSpace(line) != "" {
		alone(line)
	}
}

// keyOf returns what lines about one call have in common, "" where nothing tells: of the
// log session and input, which a decision shares with the outcome; of a payload its id.
// That two calls have one key does no harm, sessions tells them apart.
func keyOf(line string) string {
	if formatOf(line).Name == "permgate" {
		of := gjson.GetMany(line, `Attributes.session\.id`, `Attributes.permgate\.input_hash`, `Attributes.gen_ai\.tool\.call\.id`)
		if of[1].Str != "" {
			return "log " + of[0].Str + " " + of[1].Str
		}
		if of[2].Str != "" {
			return "log " + of[0].Str + " id " + of[2].Str
		}
		return ""
	}
	call, err := hookio.Read(strings.NewReader(line), hookio.Options{})
	if err != nil || call.CallID == "" {
		return ""
	}
	return "payload " + call.Host.Name + " " + call.CallID
}

// formatOf tells payloads from lines of permgate's log, and what is neither counts as one of
// the log that is not known.
func formatOf(line string) *sessions.Format {
	if p := sessions.Lookup("payload"); p.Is(gjson.Parse(line)) {
		return p
	}
	return sessions.Lookup("permgate")
}
