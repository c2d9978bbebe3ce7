package classifier

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// Version is that of the request. It grows when a field changes its meaning; a
// classifier skips what it does not know.
const Version = 1

// Bounds of a request, in bytes, and of the nesting of an input.
const (
	maxInput    = 16 << 10
	maxCommands = 16 << 10
	maxDepth    = 100
)

// A request is what a classifier reads of a call.
type request struct {
	canonical []byte // the input with its keys in order, secrets and all
	input     []byte // the same, redacted
	cut       bool   // some of the call is left out
	b         []byte // the call as JSON
	analysis  int    // where in b the analysis begins: of files, too, which may change
}

func newRequest(c *decide.Case, v decide.Verdict) *request {
	r := &request{}
	r.canonical = r.order(nil, c.Call.Input, 0)
	call := *c.Call
	call.Input = gjson.ParseBytes(r.canonical)
	var cut bool
	r.input, cut = log.Whole(&call)
	r.cut = r.cut || cut || len(r.input) > maxInput
	r.describe(c, v)
	return r
}

// order writes a value with the keys of its objects in order, so that one call has one
// text.
func (r *request) order(b []byte, v gjson.Result, depth int) []byte {
	switch {
	case depth > maxDepth:
		r.cut = true
		return append(b, "null"...)
	case v.IsObject():
		var keys []string
		values := make(map[string]gjson.Result)
		v.ForEach(func(k, e gjson.Result) bool {
			keys = append(keys, k.Str)
			values[k.Str] = e
			return true
		})
		sort.Strings(keys)
		b = append(b, '{')
		for i, k := range keys {
			b = hookio.AppendJSON(comma(b, i), k)
			b = r.order(append(b, ':'), values[k], depth+1)
		}
		return append(b, '}')
	case v.IsArray():
		b = append(b, '[')
		for i, e := range v.Array() {
			b = r.order(comma(b, i), e, depth+1)
		}
		return append(b, ']')
	case v.Type == gjson.String:
		return hookio.AppendJSON(b, v.Str)
	}
	return append(b, v.Raw...)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// describe writes the members that tell about the call. Texts are redacted, and what
// nobody would see in them is written as \u escapes.
func (r *request) describe(c *decide.Case, v decide.Verdict) {
	call, pol := c.Call, c.Policy
	r.text("tool", call.Tool)
	r.text("kind", operator.Kind(call))
	if r.b = append(r.b, `,"input":`...); r.cut {
		r.b = append(r.b, log.Visible(strings.ToValidUTF8(string(r.input[:min(len(r.input), maxInput)]), ""))...)
	} else {
		r.b = append(r.b, r.input...)
	}
	r.text("why", v.Reason)
	r.text("cwd", pol.Cwd.Given)
	r.text("dir", call.Dir)
	r.text("project", pol.Project.Given)
	r.text("mode", pol.Mode.Value)
	r.text("host", call.Host.Name)
	r.b = strconv.AppendBool(append(r.b, `,"subagent":`...), call.Subagent() || c.AsAgent)
	r.text("agent", call.AgentType)
	r.analysis = len(r.b)
	if s := c.Script; s != nil {
		r.commands(s)
	}
}

func (r *request) text(key, value string) {
	if value == "" {
		return
	}
	value, _ = redact.Text(value)
	if len(r.b) > 0 {
		r.b = append(r.b, ',')
	}
	r.b = append(append(hookio.AppendJSON(r.b, key), ':'), log.Visible(value)...)
}

// kinds are the words for what a command does.
var kinds = [...]string{bashsafety.Read: "read", bashsafety.Write: "write", bashsafety.Delete: "delete",
	bashsafety.Execute: "execute", bashsafety.Source: "source", bashsafety.Network: "network",
	bashsafety.Privilege: "privilege", bashsafety.GitChange: "git-change", bashsafety.GitRead: "git-read",
	bashsafety.Looks: "looks", bashsafety.Looks + 1: "unknown", bashsafety.Unknown: "unknown"}

// commands writes what the analysis found in a shell text, as far as there is room.
func (r *request) commands(s *bashsafety.Analysis) {
	r.b = append(r.b, `,"commands":[`...)
	from := len(r.b)
	for i := range s.Subcommands {
		start, sub := len(r.b), &s.Subcommands[i]
		r.b = append(comma(r.b, i), `{"argv":[`...)
		plain, _ := redact.Text(decide.Spell(sub.Argv))
		for j := range sub.Argv {
			if r.b = comma(r.b, j); !sub.Argv[j].Known {
				r.b = append(r.b, "null"...)
				continue
			}
			r.b = append(r.b, log.Visible(word(sub.Argv[j].Text, plain))...)
		}
		r.b = append(r.b, `],"effects":[`...)
		for j := range sub.Effects {
			e := &sub.Effects[j]
			r.b = fmt.Appendf(comma(r.b, j), `{"kind":%q`, kinds[min(int(e.Kind), len(kinds)-1)])
			r.text("path", strings.ReplaceAll(e.Path, bashsafety.HoleMark, "?"))
			r.b = append(strconv.AppendBool(append(r.b, `,"known":`...), e.Known), '}')
		}
		if r.b = append(r.b, "]}"...); len(r.b)-from > maxCommands {
			r.b, r.cut = r.b[:start], true
			break
		}
	}
	r.b = append(r.b, `],"doubts":[`...)
	for i := range s.Doubts {
		doubt, _ := redact.Text(s.Doubts[i].Msg)
		r.b = append(comma(r.b, i), log.Visible(doubt)...)
	}
	r.b = append(r.b, ']')
}

// word is a word of a command without what is a secret in it: alone, or among the
// words of the command, plain, where it is there no more.
func word(text, plain string) string {
	clean, _ := redact.Text(text)
	if strings.Contains(plain, redact.Mark) && !strings.Contains(plain, text) {
		return redact.Mark
	}
	return clean
}

// json is the line a classifier reads. The call is there twice: as members, and as
// one text between two marks, to be put into a prompt. Nobody can know the mark who
// wrote the call, so that nothing in it can pretend that the text is over.
func (r *request) json() []byte {
	fence := strconv.FormatUint(rand.Uint64(), 36) + strconv.FormatUint(rand.Uint64(), 36)
	b := fmt.Appendf(nil, `{"version":%d,"cut":%t,"fence":%q,"call":`, Version, r.cut, fence)
	b = hookio.AppendJSON(b, "<<<"+fence+"\n{"+string(r.b)+"}\n"+fence+">>>")
	return append(append(append(b, ','), r.b...), "}\n"...)
}
