package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
)

// Bounds of what is kept of a session's verdicts.
const (
	MaxVerdicts = 256
	VerdictAge  = time.Hour
	maxVerdicts = maxFile / 2 // bytes of the file
)

// verdictPatience is how long the lock is waited for: an answer waits, and can do
// without.
const verdictPatience = time.Second

const verdictPrefix = "verdicts-"

// Verdicts are what the operator's classifier said of the calls of a session. A file
// that cannot be used holds none.
type Verdicts struct {
	Denials int    // hard denials since the last allow
	List    []Said // the oldest first
}

// A Said is one verdict. Key is all it depends on: no other call has the same.
type Said struct {
	Key, Verdict, Reason string
	Until                time.Time
}

// VerdictFile returns where the verdicts of a session are kept, "" when the id
// cannot be a file name.
func VerdictFile(dir, session string) string {
	return named(dir, verdictPrefix, session)
}

// Verdicts returns what is kept for a session that count now. Only a project's own
// count.
func (st *Store) Verdicts(session, project string) Verdicts {
	if name := VerdictFile(st.Dir, session); name != "" {
		v, _ := st.verdicts(name, project)
		return v
	}
	return Verdicts{}
}

// verdicts reads a file of verdicts. The error says that it is of a newer version;
// any other that cannot be used is as good as none.
func (st *Store) verdicts(name, project string) (v Verdicts, err error) {
	data, info, err := st.file(name)
	if err != nil || !gjson.ValidBytes(data) {
		return v, nil
	}
	root := gjson.ParseBytes(data)
	switch {
	case newer(root):
		return v, fmt.Errorf("%s: %w", name, ErrNewer)
	case st.Now.Sub(info.ModTime()) > MaxAge, root.Get("project").Str != project:
		return v, nil
	}
	v.Denials = max(0, int(root.Get("denials").Int()))
	for _, e := range root.Get("verdicts").Array() {
		s := Said{Key: e.Get("key").Str, Verdict: e.Get("verdict").Str, Reason: e.Get("reason").Str}
		s.Until, err = time.Parse(time.RFC3339, e.Get("until").Str)
		if err == nil && s.Key != "" && st.Now.Before(s.Until) && !s.Until.After(st.Now.Add(VerdictAge+maxAhead)) {
			v.List = append(v.List, s)
		}
	}
	return v, nil
}

// Find returns the verdict with a key, nil for none.
func (v *Verdicts) Find(key string) *Said {
	for i := range v.List {
		if v.List[i].Key == key {
			return &v.List[i]
		}
	}
	return nil
}

// Note changes the verdicts of a session of a project, with the care of Update.
func (st *Store) Note(session, project string, change func(*Verdicts)) error {
	name := VerdictFile(st.Dir, session)
	if name == "" {
		return fmt.Errorf("%q is not a valid session id", session)
	}
	unlock, err := st.lock(verdictPatience)
	if err != nil {
		return err
	}
	defer unlock()
	st.sweep()
	if info, err := st.Files.Lstat(name); err == nil {
		if err := st.check(info); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	v, err := st.verdicts(name, project)
	if err != nil {
		return err
	}
	change(&v)
	return st.write(name, v.json(project))
}

// Add keeps a verdict, and drops the oldest where there are too many.
func (v *Verdicts) Add(s Said) {
	v.List = slices.DeleteFunc(v.List, func(old Said) bool { return old.Key == s.Key })
	v.List = append(v.List, s)
	v.List = v.List[max(0, len(v.List)-MaxVerdicts):]
	for len(v.List) > 1 && len(v.json("")) > maxVerdicts {
		v.List = v.List[len(v.List)/4+1:]
	}
}

func (v *Verdicts) json(project string) []byte {
	b := hookio.AppendJSON([]byte(`{"project": `), project)
	b = strconv.AppendInt(append(b, `, "denials": `...), int64(v.Denials), 10)
	b = append(b, `, "verdicts": [`...)
	for i, s := range v.List {
		if i > 0 {
			b = append(b, ',')
		}
		b = hookio.AppendJSON(append(b, "\n  {\"key\": "...), s.Key)
		b = hookio.AppendJSON(append(b, `, "verdict": `...), s.Verdict)
		b = hookio.AppendJSON(append(b, `, "reason": `...), s.Reason)
		b = append(hookio.AppendJSON(append(b, `, "until": `...), s.Until.UTC().Format(time.RFC3339)), '}')
	}
	return append(b, "\n]}\n"...)
}

// NeverName is the file with the rules that permgate recommend is not to propose again.
const NeverName = "recommend.never"

// maxNever bounds how many there are; the oldest go first.
const maxNever = 1000

// Never returns the rules the user does not want to be asked about again. The
// error is about a file that cannot be used, or is of a newer version.
func (st *Store) Never() ([]string, error) {
	name := filepath.Join(st.Dir, NeverName)
	data, _, err := st.file(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case !gjson.ValidBytes(data):
		return nil, fmt.Errorf("%s: is not JSON", name)
	}
	root := gjson.ParseBytes(data)
	if newer(root) {
		return nil, fmt.Errorf("%s: %w", name, ErrNewer)
	}
	list := texts(root.Get("never"))
	if !root.Get("never").IsArray() || len(list) < len(root.Get("never").Array()) {
		return nil, fmt.Errorf(`%s: is not of the form {"version": 1, "never": ["RULE"]}`, name)
	}
	return list, nil
}

// AddNever adds a rule to them.
func (st *Store) AddNever(rule string) error {
	unlock, err := st.lock(patience)
	if err != nil {
		return err
	}
	defer unlock()
	list, err := st.Never()
	if err != nil || slices.Contains(list, rule) {
		return err
	}
	list = append(list, rule)
	text := []byte("{\"version\": 1, \"never\": [")
	for i, r := range list[max(0, len(list)-maxNever):] {
		if i > 0 {
			text = append(text, ',')
		}
		text = hookio.AppendJSON(append(text, "\n  "...), r)
	}
	return st.write(filepath.Join(st.Dir, NeverName), append(text, "\n]}\n"...))
}

// Bounds of what is kept of the questions of a session.
const (
	YesAge    = 12 * time.Hour
	MaxYes    = 128
	maxAsked  = 16
	maxTarget = 1 << 10 // bytes of both forms of a path and its folder
)

const yesPrefix = "yes-"

// An Asked is a question that the person was asked in a dialog, and has not been seen to answer.
type Asked struct {
	facts.Yes
	Call  string // the host's id of the call
	Input string // what Use.Sum returned
}

// Questions are those of a session: what the person was asked, and what they said yes to; the oldest first. Both count
// for YesAge, in the project they were asked in. A file that cannot be used holds none.
//
// Such a file is one JSON object, which only this program writes: project, asked and yes, lists of objects of texts
// with the fields of say.Target and the time at; those of asked have call and input as well.
type Questions struct {
	Asked []Asked
	Yes   []facts.Yes
}

// YesFile returns where the questions of a session are kept, "" when the id cannot be a file name.
func YesFile(dir, session string) string {
	return named(dir, yesPrefix, session)
}

// Questions returns what is kept for a session that counts now. The error says why a file that is there does not count.
func (st *Store) Questions(session, project string) (q Questions, err error) {
	name := YesFile(st.Dir, session)
	if name == "" {
		return q, fmt.Errorf("%q is not a valid session id", session)
	}
	data, _, err := st.file(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return q, nil
	case err == nil && !gjson.ValidBytes(data):
		return q, nil // of a writer that was killed
	case err == nil && newer(gjson.ParseBytes(data)):
		err = ErrNewer
	}
	if err != nil {
		return q, fmt.Errorf("%s: %w", name, err)
	}
	root := gjson.ParseBytes(data)
	if root.Get("project").Str != project {
		return q, nil
	}
	for _, e := range root.Get("asked").Array() {
		if yes, ok := st.yes(e); ok {
			q.Asked = append(q.Asked, Asked{yes, e.Get("call").Str, e.Get("input").Str})
		}
	}
	for _, e := range root.Get("yes").Array() {
		if yes, ok := st.yes(e); ok {
			q.Yes = append(q.Yes, yes)
		}
	}
	return q, nil
}

// yes reads one question. ok is false for one that does not count any more, or not yet.
func (st *Store) yes(e gjson.Result) (y facts.Yes, ok bool) {
	y.Kind, y.Given, y.Real, y.Stamp = e.Get("kind").Str, e.Get("given").Str, e.Get("real").Str, e.Get("stamp").Str
	at, err := time.Parse(time.RFC3339, e.Get("at").Str)
	y.At, y.Folder = at, e.Get("folder").Str
	return y, err == nil && y.Kind != "" && st.Now.Sub(at) < YesAge && at.Sub(st.Now) < maxAhead
}

// Ask keeps questions that a person is about to be asked.
func (st *Store) Ask(session, project string, asked []Asked) error {
	return st.question(session, project, func(q *Questions) bool {
		for _, a := range asked {
			if a.At = st.Now; len(a.Given)+len(a.Real)+len(a.Folder) <= maxTarget {
				q.Asked = append(q.Asked, a)
			}
		}
		q.Asked = q.Asked[max(0, len(q.Asked)-maxAsked):]
		return true
	})
}

// Answer notes that the call with an id and an input went on: the person said yes to what was asked about it, once.
func (st *Store) Answer(session, project, call, input string) error {
	if _, err := st.Files.Lstat(YesFile(st.Dir, session)); err != nil {
		return nil // as nearly always: there was no question
	}
	return st.question(session, project, func(q *Questions) bool {
		left := len(q.Asked)
		q.Asked = slices.DeleteFunc(q.Asked, func(a Asked) bool {
			if a.Call == call && a.Input == input {
				q.say(facts.Yes{Target: a.Target, At: st.Now})
			}
			return a.Call == call
		})
		return len(q.Asked) < left
	})
}

// say keeps a yes, and drops the oldest where there are too many.
func (q *Questions) say(yes facts.Yes) {
	q.Yes = slices.DeleteFunc(q.Yes, func(old facts.Yes) bool { return old.Target == yes.Target })
	q.Yes = append(q.Yes, yes)
	q.Yes = q.Yes[max(0, len(q.Yes)-MaxYes):]
}

// question changes the questions of a session of a project, with the care of Update, unless change returns false.
func (st *Store) question(session, project string, change func(*Questions) bool) error {
	unlock, err := st.lock(verdictPatience)
	if err != nil {
		return err
	}
	defer unlock()
	st.sweep()
	q, err := st.Questions(session, project)
	if err != nil {
		return err
	}
	if !change(&q) {
		return nil
	}
	return st.write(YesFile(st.Dir, session), q.json(project))
}

// ForgetYes removes what is kept of the questions of a session. Having none is not an error.
func (st *Store) ForgetYes(session string) error {
	name := YesFile(st.Dir, session)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := st.lock(patience) // so that no answer on its way comes after it
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (q *Questions) json(project string) []byte {
	one := func(b []byte, y *facts.Yes) []byte {
		for _, f := range [...][2]string{{"kind", y.Kind}, {"given", y.Given}, {"real", y.Real}, {"stamp", y.Stamp},
			{"folder", y.Folder}, {"at", y.At.UTC().Format(time.RFC3339Nano)}} {
			b = hookio.AppendJSON(append(hookio.AppendJSON(b, f[0]), ':'), f[1])
			b = append(b, ", "...)
		}
		return b[:len(b)-2]
	}
	b := hookio.AppendJSON([]byte(`{"project": `), project)
	b = append(b, `, "asked": [`...)
	for i := range q.Asked {
		a := &q.Asked[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = hookio.AppendJSON(append(b, "\n  {\"call\": "...), a.Call)
		b = hookio.AppendJSON(append(b, `, "input": `...), a.Input)
		b = append(one(append(b, ", "...), &a.Yes), '}')
	}
	b = append(b, `], "yes": [`...)
	for i := range q.Yes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(one(append(b, "\n  {"...), &q.Yes[i]), '}')
	}
	return append(b, "\n]}\n"...)
}
