package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

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
