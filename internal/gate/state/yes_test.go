package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
)

func question(name string) facts.Yes {
	return facts.Yes{Target: say.Target{Kind: facts.YesWrite, Given: name, Real: name, Stamp: "\"\n"}}
}

func askedFor(call, input string, names ...string) (all []Asked) {
	for _, name := range names {
		all = append(all, Asked{question(name), call, input})
	}
	return all
}

// answers are the targets that count as answered.
func answers(st *Store, session, project string) string {
	q, _ := st.Questions(session, project)
	var names []string
	for _, y := range q.Yes {
		names = append(names, y.Given)
	}
	return strings.Join(names, " ")
}

// TestQuestions: a question is answered by the call it was asked about, with the same input, once, in its session and
// project, and for so long.
func TestQuestions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	st := store(dir)
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	must(st.Answer("s1", "/work", "c1", "i1"))
	if _, err := os.Stat(YesFile(dir, "s1")); err == nil {
		t.Error("an answer without a question makes a file")
	}
	must(st.Ask("s1", "/work", askedFor("c1", "i1", "/a", "/b")))
	must(st.Ask("s1", "/work", askedFor("c2", "i2", "/c")))
	for _, tt := range []struct{ session, project, call, input, want string }{
		{"s1", "/work", "c3", "i1", ""},
		{"s2", "/work", "c1", "i1", ""},
		{"s1", "/work", "c2", "i1", ""}, // another input: consumed
		{"s1", "/work", "c2", "i2", ""},
		{"s1", "/work", "c1", "i1", "/a /b"},
		{"s1", "/work", "c1", "i1", "/a /b"},
	} {
		must(st.Answer(tt.session, tt.project, tt.call, tt.input))
		if got := answers(st, "s1", "/work"); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
	if got := answers(st, "s2", "/work") + answers(st, "s1", "/other") + answers(st, "../s1", "/work"); got != "" {
		t.Errorf("elsewhere: %q", got)
	}
	q, err := st.Questions("s1", "/work")
	if err != nil || len(q.Asked) != 0 || q.Yes[0].Target != question("/a").Target {
		t.Errorf("%+v, %v", q, err)
	}
	late := store(dir)
	late.Now = st.Now.Add(YesAge)
	if got := answers(late, "s1", "/work"); got != "" {
		t.Errorf("after %v: %q", YesAge, got)
	}
	early := store(dir)
	early.Now = st.Now.Add(-time.Hour)
	if got := answers(early, "s1", "/work"); got != "" {
		t.Errorf("with a clock that went back: %q", got)
	}
	must(st.ForgetYes("s1"))
	must(st.ForgetYes("s1"))
	if got := answers(st, "s1", "/work"); got != "" {
		t.Errorf("forgotten: %q", got)
	}
}

// TestQuestionsBounded: no session keeps more than it may, and what it keeps can be read.
func TestQuestionsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	st := store(dir)
	long := strings.Repeat("\x01", maxTarget/2-4)
	var many []Asked
	for i := range 3 * maxAsked {
		many = append(many, askedFor(fmt.Sprint(i), "i", long, long+long)...)
	}
	if err := st.Ask("s1", "/work", many); err != nil {
		t.Fatal(err)
	}
	if err := st.question("s1", "/work", func(q *Questions) bool {
		for i := range MaxYes + 10 {
			q.say(question(fmt.Sprintf("%s%04d", long, i)))
		}
		for i := range q.Yes {
			q.Yes[i].At = st.Now
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	q, err := st.Questions("s1", "/work")
	if err != nil || len(q.Yes) != MaxYes || len(q.Asked) != maxAsked || strings.HasSuffix(q.Yes[0].Given, "0000") {
		t.Errorf("%d and %d are kept, %v", len(q.Yes), len(q.Asked), err)
	}
}

// TestQuestionsTogether: calls at once lose nothing.
func TestQuestionsTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			st, id := store(dir), fmt.Sprint(i)
			if err := st.Ask("s1", "/work", askedFor(id, id, "/"+id)); err != nil {
				t.Error(err)
			}
			if err := st.Answer("s1", "/work", id, id); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := answers(store(dir), "s1", "/work"); len(strings.Fields(got)) != 8 {
		t.Error(got)
	}
}

// TestQuestionsRefused: what others could have written, or is not whole, answers nothing.
func TestQuestionsRefused(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("modes and links are those of Unix")
	}
	for name, arrange := range map[string]func(file string){
		"others can write": func(f string) { os.Chmod(f, 0o666) },
		"a link":           func(f string) { os.Rename(f, f+"x"); os.Symlink(f+"x", f) },
		"torn":             func(f string) { os.Truncate(f, 40) },
		"another shape":    func(f string) { os.WriteFile(f, []byte(`[{"project": "/work"}]`), 0o600) },
		"newer":            func(f string) { replaceIn(f, `{"project"`, `{"version": 2, "project"`) },
		"no time":          func(f string) { replaceIn(f, `"at"`, `"on"`) },
	} {
		dir := filepath.Join(t.TempDir(), "permgate")
		st := store(dir)
		st.Ask("s1", "/work", askedFor("c", "i", "/a"))
		st.Answer("s1", "/work", "c", "i")
		if answers(st, "s1", "/work") != "/a" {
			t.Fatal("nothing is answered")
		}
		arrange(YesFile(dir, "s1"))
		if got := answers(st, "s1", "/work"); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func replaceIn(file, old, text string) {
	data, _ := os.ReadFile(file)
	os.WriteFile(file, []byte(strings.ReplaceAll(string(data), old, text)), 0o600)
}
