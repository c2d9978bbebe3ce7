package operator

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules/load"
)

// Judge asks the classifier what it thinks of a call that mode auto would ask about; see decide.Input.Classify.
func (a *Asker) Judge(c *decide.Input, v decide.Verdict) say.Judgement {
	p, err := program(c, &c.Policy.Posture.Classifier, ClassifierTimeout)
	if err != nil {
		return noVerdict(err, 0)
	}
	file, err := p.Find()
	if err != nil {
		return noVerdict(err, 0)
	}
	r := newQuestion(c, v)
	m := a.memory(c, r, &p, file)
	if said := m.find(); said != nil {
		return m.note(say.Judgement{Verdict: said.Verdict, Source: say.ByCache, Reason: said.Reason})
	}
	line, took, err := a.ask(&p, r.json())
	if err != nil {
		return noVerdict(err, took)
	}
	j, err := parseVerdict(line)
	if err == nil && r.cut && j.Verdict == say.AutoAllow {
		err = errors.New("it allows a call that is too long to be shown whole")
	}
	if err != nil {
		return noVerdict(err, took)
	}
	j.Took = took
	return m.note(j)
}

func noVerdict(err error, took time.Duration) say.Judgement {
	return say.Judgement{Source: say.ByOperator, Reason: Plain(err.Error()), Took: took}
}

// parseVerdict reads what the classifier says.
func parseVerdict(line []byte) (j say.Judgement, err error) {
	said, err := Members(line, "verdict", "reason")
	if err != nil {
		return j, err
	}
	j.Source = say.ByOperator
	switch j.Verdict = said[0]; j.Verdict {
	case say.AutoAllow, say.AutoSoftDeny, say.AutoHardDeny:
		j.Reason, err = Reason(said[1])
		return j, err
	}
	return j, errors.New("its verdict " + Plain(said[0]) + " is none of allow, soft_deny and hard_deny")
}

// memory returns what was said of the session's calls, and the key of this one.
func (a *Asker) memory(c *decide.Input, r *question, p *Program, file string) *memory {
	m := &memory{session: c.Call.SessionID, project: c.Policy.Project.Given}
	m.limit = load.Number(&c.Policy.Posture, "autoDenials")
	if a.Afresh || state.VerdictFile("/", m.session) == "" {
		return m
	}
	w := a.World()
	if gate.SessionStoreProblem(a.Flags, w, c.Policy) != "" {
		return m
	}
	m.store = gate.Sessions(a.Flags, w)
	m.kept = m.store.Verdicts(m.session, m.project)
	m.key = a.key(c, r, p, file)
	return m
}

// A memory is what the classifier said in a session. Its zero value remembers nothing.
type memory struct {
	store            *state.Store // nil where nothing is kept
	kept             state.Verdicts
	session, project string
	key              string // "" where the verdict is not kept
	limit            int    // of denials in a row
}

func (m *memory) find() *state.Said {
	if m.key == "" {
		return nil
	}
	return m.kept.Find(m.key)
}

// note keeps a verdict and counts the denials in a row. The verdict holds if that fails.
func (m *memory) note(j say.Judgement) say.Judgement {
	fresh := j.Source == say.ByOperator && m.key != ""
	change := func(v *state.Verdicts) {
		switch j.Verdict {
		case say.AutoAllow:
			v.Denials = 0
		case say.AutoHardDeny:
			j.Tired = v.Denials >= m.limit
			v.Denials++
		}
		if fresh {
			v.Add(state.Said{Key: m.key, Verdict: j.Verdict, Reason: j.Reason, Until: m.store.Now.Add(state.VerdictAge)})
		}
	}
	counts := j.Verdict == say.AutoHardDeny || j.Verdict == say.AutoAllow && m.kept.Denials > 0
	if m.store != nil && (fresh || counts) && m.store.Note(m.session, m.project, change) != nil {
		fresh = false
		change(&m.kept)
	}
	return j
}

// maxKey bounds the key of a kept verdict, in bytes: every call reads those of its session.
const maxKey = 4 << 10

// key is all that a verdict depends on, written out: packages of a good hash slow down
// every start. A call with a secret has none, as the key is kept on disk.
func (a *Asker) key(c *decide.Input, r *question, p *Program, file string) string {
	if r.cut || len(r.canonical) > maxKey || bytes.Contains(r.input, []byte(redact.Mark)) {
		return ""
	}
	call, pol := c.Call, c.Policy
	parts := []string{
		call.Host.Name, call.Tool, call.RawTool, string(r.canonical), string(r.b[r.analysis:]), call.Dir, call.AgentType, fmt.Sprint(call.Subagent()),
		pol.Cwd.Given, pol.Cwd.Real, pol.Project.Given, pol.Project.Real, pol.Mode.Value, pol.Hash(), fmt.Sprintf("%+v", *a.Flags),
		pol.Posture.Classifier.Value, identity(file),
	}
	for _, arg := range p.Command[1:] {
		if filepath.IsAbs(arg) {
			parts = append(parts, identity(arg))
		}
	}
	key := fmt.Sprintf("%q", parts)
	if _, secret := redact.Text(key); secret || len(key) > maxKey {
		return ""
	}
	return key
}

// identity tells a file from another one in its place.
func identity(name string) string {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return name + " is not there"
	}
	info, err := os.Stat(real)
	if err != nil {
		return name + " is not there"
	}
	return strings.Join([]string{name, real, fmt.Sprint(info.Size()), fmt.Sprint(info.ModTime().UnixNano())}, " ")
}

// Bounds of a request, in bytes, and of the nesting of an input.
const (
	maxInput    = 16 << 10
	maxCommands = 16 << 10
	maxDepth    = 100
)

// A question is what the classifier reads of a call.
type question struct {
	canonical []byte // the input with its keys in order, secrets and all
	input     []byte // the same, redacted
	cut       bool   // some of the call is left out
	members          // of the call as JSON
	analysis  int    // where in b the analysis begins: of files, too, which may change
}

func newQuestion(c *decide.Input, v decide.Verdict) *question {
	r := &question{}
	r.canonical = r.order(nil, c.Call.Input, 0)
	call := *c.Call
	call.Input = gjson.ParseBytes(r.canonical)
	var cut bool
	r.input, cut = log.Whole(&call)
	r.cut = r.cut || cut || len(r.input) > maxInput
	r.describe(c, v)
	return r
}

// order writes a value with the keys of its objects in order: one call has one text.
func (r *question) order(b []byte, v gjson.Result, depth int) []byte {
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

// describe writes the members that tell about the call, redacted, with what is invisible escaped.
func (r *question) describe(c *decide.Input, v decide.Verdict) {
	call, pol := c.Call, c.Policy
	r.text("tool", call.OwnTool())
	r.text("kind", Kind(call))
	if r.b = append(r.b, `,"input":`...); r.cut {
		r.b = append(r.b, log.Visible(strings.ToValidUTF8(string(r.input[:min(len(r.input), maxInput)]), ""))...)
	} else {
		r.b = append(r.b, r.input...)
	}
	r.text("why", v.Reason())
	r.text("cwd", pol.OS.Native(pol.Cwd.Given))
	r.text("dir", call.Dir)
	r.text("project", pol.OS.Native(pol.Project.Given))
	r.text("mode", pol.Mode.Value)
	r.text("host", call.Host.Name)
	r.b = strconv.AppendBool(append(r.b, `,"subagent":`...), call.Subagent() || c.AsAgent)
	r.text("agent", call.AgentType)
	r.analysis = len(r.b)
	if s := c.Script; s != nil {
		r.commands(s)
	}
}

// kinds are the words for what a command does.
var kinds = [...]string{bashsafety.Read: "read", bashsafety.Write: "write", bashsafety.Delete: "delete",
	bashsafety.Execute: "execute", bashsafety.Source: "source", bashsafety.Network: "network",
	bashsafety.Privilege: "privilege", bashsafety.GitChange: "git-change", bashsafety.GitRead: "git-read",
	bashsafety.Looks: "looks", bashsafety.Looks + 1: "unknown", bashsafety.Unknown: "unknown"}

// commands writes what the analysis found in a shell text, as far as there is room.
func (r *question) commands(s *bashsafety.Analysis) {
	r.b = append(r.b, `,"commands":[`...)
	from := len(r.b)
	for i := range s.Subcommands {
		start, sub := len(r.b), &s.Subcommands[i]
		r.b = append(comma(r.b, i), `{"argv":[`...)
		plain, _ := redact.Text(facts.Spell(sub.Argv))
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

// word is a word of a command without its secrets: alone, or, in plain, among the other words.
func word(text, plain string) string {
	clean, _ := redact.Text(text)
	if strings.Contains(plain, redact.Mark) && !strings.Contains(plain, text) {
		return redact.Mark
	}
	return clean
}

// json is what a classifier reads. The call is there as members, and as one text for a
// prompt, between marks that are random so that nothing in the call can end it.
func (r *question) json() []byte {
	fence := strconv.FormatUint(rand.Uint64(), 36) + strconv.FormatUint(rand.Uint64(), 36)
	b := fmt.Appendf(nil, `{"version":%d,"cut":%t,"fence":%q,"call":`, requestVersion, r.cut, fence)
	b = hookio.AppendJSON(b, "<<<"+fence+"\n{"+string(r.b)+"}\n"+fence+">>>")
	return append(append(append(b, ','), r.b...), "}\n"...)
}
