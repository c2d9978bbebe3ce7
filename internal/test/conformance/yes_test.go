package conformance

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// yesCalls are calls about places outside the project, prose and other repositories, in every combination.
func yesCalls() (rows []corpusRow) {
	texts := []string{"git status", "rm -rf x", "echo $X > y"}
	for _, place := range []string{"/home/dev/a.txt", "/home/dev/notes", "/home/dev/.bashrc", "/home/dev/.claude/skills/s/SKILL.md", "/opt/x", "/etc/hosts", "/home/dev/.ssh/id_rsa", "/home/dev/link"} {
		for _, c := range []string{"echo x > ", "rm ", "cp a ", "cp -r d ", "tee -a ", "mkdir -p ", "sed -i s/a/b/ ", "ln -s a ", "chmod 600 ", "cat "} {
			texts = append(texts, c+place, c+place+"; ls", "ln -s /home/dev/.bashrc "+place+"; "+c+place)
		}
	}
	for _, dir := range []string{"/home/dev/other", "/home/dev/third", "/work", "$X"} {
		for _, verb := range []string{"add .", "commit -m x", "push", "checkout -b x", "config user.name x", "stash"} {
			texts = append(texts, "cd "+dir+" && git "+verb, "git -C "+dir+" "+verb, "git -C "+dir+" -c core.pager=x "+verb)
		}
	}
	for _, text := range texts {
		input, _ := json.Marshal(map[string]string{"command": text})
		rows = append(rows, corpusRow{id: text, tool: "Bash", input: string(input), settings: "{}"})
	}
	return rows
}

// TestYesProperty: with everything that was asked of any call answered yes, no call is decided otherwise than without but
// those whose own question it was; with its own left out, none. Nothing denied is lifted.
func TestYesProperty(t *testing.T) {
	rows, every := yesCalls(), testenv.Every(t, 8, 1, 1)
	for i, r := range append(ownCorpus(t, "attacks.tsv"), ownCorpus(t, "benign.tsv")...) {
		if i%every == 0 {
			rows = append(rows, r)
		}
	}
	decided := func(r *corpusRow, yes []say.Target) decide.Verdict {
		_, v, err := Call(Setup{Tool: r.tool, Input: json.RawMessage(r.input),
			Settings: map[string]string{"/home/dev/.gen/settings.json": `{"permissions":` + r.settings + `}`, "/home/dev/.gen/permgate.json": `{"rememberYes":true}`,
				"/home/dev/other/.git/HEAD": "ref: refs/heads/main\n", "/home/dev/third/.git/HEAD": "ref: refs/heads/main\n",
				"/home/dev/.claude/skills/s/SKILL.md": "x\n", "/home/dev/notes/a": "x"},
			Symlinks: map[string]string{"/home/dev/link": "/home/dev/a.txt"},
			Arrange: func(fs *fakefs.FS) {
				for _, dir := range []string{"other", "third"} {
					fs.Mkdir("/home/dev/" + dir + "/.git/objects").UID = 1000
					fs.Mkdir("/home/dev/" + dir + "/.git/refs").UID = 1000
				}
			},
			Before: func(c *decide.Input) {
				c.Answered = func() (all []facts.Yes) {
					for _, q := range yes {
						all = append(all, facts.Yes{Target: q, At: time.Time{}.Add(time.Hour)})
					}
					return all
				}
			}})
		if err != nil { // no payload: there is nothing to decide
			v = decide.Verdict{}
		}
		return v
	}
	var all []say.Target
	before := make([]decide.Verdict, len(rows))
	for i := range rows {
		before[i] = decided(&rows[i], nil)
		for _, q := range before[i].Why().Targets {
			if !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	silenced := 0
	for i := range rows {
		was := &before[i]
		others := slices.DeleteFunc(slices.Clone(all), func(q say.Target) bool {
			return slices.Contains(was.Why().Targets, q) || q.Kind == facts.YesContent
		})
		if v := decided(&rows[i], others); v.Decision() != was.Decision() || v.Step() != was.Step() {
			t.Errorf("%s: %v at step %s, without a yes of its own %v at step %s: %s", rows[i].id, was.Decision(), was.Step(), v.Decision(), v.Step(), v.Reason())
		}
		v := decided(&rows[i], all)
		switch same := v.Decision() == was.Decision() && v.Step() == was.Step(); {
		case same:
		case was.Decision() != hookio.Ask || len(was.Why().Targets) == 0:
			t.Errorf("%s: %v at step %s, with a yes %v at step %s: %s", rows[i].id, was.Decision(), was.Step(), v.Decision(), v.Step(), v.Reason())
		default:
			silenced++
		}
	}
	t.Logf("%d calls, %d questions that are remembered, %d calls of which one is not asked again", len(rows), len(all), silenced)
	if len(all) < 20 || silenced < 40 {
		t.Error("hardly any question is remembered")
	}
}
