package optiontables

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// TestPublicTables downloads the public tables and lists where they and ours differ. Of no class in
// testdata/limits.txt may there be more than it says, without what testdata/judged.txt has.
func TestPublicTables(t *testing.T) {
	if os.Getenv("PERMGATE_TABLES") == "" {
		t.Skip("PERMGATE_TABLES=1 downloads the public tables and compares them with ours")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for _, c := range bashsafety.Commands() {
		programs = append(programs, strings.Fields(c.Names)...)
	}
	settled, limits := lines(t, "testdata/judged.txt", 4), lines(t, "testdata/limits.txt", 3)
	for _, table := range publicTables {
		t.Run(table.name, func(t *testing.T) {
			at, version, err := table.fetch(filepath.Join(cache, "permgate-tables"))
			if err != nil {
				t.Skip(err)
			}
			verbs, err := table.read(at, programs)
			if err != nil {
				t.Fatal(err)
			}
			if len(verbs) < 100 {
				t.Errorf("%s has only %d of our programs: is it read rightly?", version, len(verbs))
			}
			count := map[string]int{}
			for i := range verbs {
				for _, g := range compare(&verbs[i]) {
					if !judged(settled, g) {
						count[g.class]++
						fmt.Printf("%s\t%s\n", table.name, g)
					}
				}
			}
			t.Logf("%s: %d programs that ours has, too", version, len(verbs))
			for _, class := range classes {
				hold(t, limits, table.name, class, count[class])
			}
		})
	}
}

// hold compares a count with its limit, if it has one.
func hold(t *testing.T, limits [][]string, table, class string, n int) {
	t.Helper()
	at := slices.IndexFunc(limits, func(l []string) bool { return l[0] == class && l[1] == table })
	if at < 0 {
		t.Logf("%6d %s, no limit", n, class)
		return
	}
	limit, err := strconv.Atoi(limits[at][2])
	switch {
	case err != nil:
		t.Error(err)
	case n > limit:
		t.Errorf("%6d %s, and %d is the limit: judge the new ones, see CONTRIBUTING.md", n, class, limit)
	case n < limit:
		t.Logf("%6d %s: lower the limit of %d to that", n, class, limit)
	default:
		t.Logf("%6d %s", n, class)
	}
}

// lines reads a table whose columns are separated by tabs.
func lines(t *testing.T, file string, columns int) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		row := strings.Split(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case len(row) != columns || !slices.Contains(classes, row[0]):
			t.Fatalf("%s:%d: not %d columns with a class: %q", file, i+1, columns, line)
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

// judged reports whether a gap is in the list of those that do not count.
func judged(settled [][]string, g gap) bool {
	fits := func(pattern, s string) bool {
		ok, err := path.Match(pattern, strings.ReplaceAll(s, "/", " "))
		return ok && err == nil
	}
	return slices.ContainsFunc(settled, func(row []string) bool {
		return row[0] == g.class && fits(row[1], g.path) && fits(row[2], g.word)
	})
}

// TestCompare plants differences and sees that each is found, in its class.
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		class, path, word string
		theirs            Verb
	}{
		{provenVerb, "sed", "regexp", Verb{Subs: []Verb{{Names: []string{"regexp"}}}}},
		{closedWrites, "cat", "--write-to", Verb{Options: []Option{{Names: []string{"--write-to"}, Arg: takesNone}}}},
		{arityProven, "grep", "--count", Verb{Options: []Option{{Names: []string{"--count"}, Arg: takesValue}}}},
		{arityProven, "grep", "-m", Verb{Options: []Option{{Names: []string{"-m"}, Arg: takesNone}}}},
		{arityOther, "scp", "-B", Verb{Options: []Option{{Names: []string{"-B"}, Arg: takesValue}}}},
		{fileUnseen, "sort", "-T", Verb{Options: []Option{{Names: []string{"-T"}, Arg: takesValue, File: true}}}},
		{claimedVerb, "git", "status", Verb{Subs: []Verb{{Names: []string{"status"}, About: "Deletes all"}}}},
		{claimedOption, "git status", "--short", Verb{Subs: []Verb{{Names: []string{"status"}, Options: []Option{
			{Names: []string{"--short"}, Arg: takesNone, About: "Writes a file"}}}}}},
		{writesVerb, "git", "zz-install", Verb{Subs: []Verb{{Names: []string{"zz-install"}}}}},
		{readsVerb, "git", "zz-list", Verb{Subs: []Verb{{Names: []string{"zz-list"}}}}},
		{otherVerb, "git", "zz", Verb{Subs: []Verb{{Names: []string{"zz"}}}}},
		{writesOption, "rg", "--zz-exec", Verb{Options: []Option{{Names: []string{"--zz-exec"}, Arg: takesValue}}}},
		{readsOption, "rg", "--zz", Verb{Options: []Option{{Names: []string{"--zz"}, Arg: takesNone}}}},
		{otherOption, "rm", "--zz", Verb{Options: []Option{{Names: []string{"--zz"}, Arg: takesNone}}}},
		{"", "git", "status", Verb{Subs: []Verb{{Names: []string{"status"}, About: "Shows what changed"}}}},
		{"", "grep", "-m", Verb{Options: []Option{{Names: []string{"-m"}, Arg: takesValue}}}},
		{"", "grep", "--color", Verb{Options: []Option{{Names: []string{"--color"}, Arg: takesAttached}}}},
	} {
		tt.theirs.Names = strings.Fields(tt.path)[:1]
		var got []string
		for _, g := range compare(&tt.theirs) {
			got = append(got, g.class, g.path, g.word)
		}
		want := []string{tt.class, tt.path, tt.word}
		if tt.class == "" {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// TestUnknownStaysUnproven asks about every command of our tables with a word and an option that no program has.
func TestUnknownStaysUnproven(t *testing.T) {
	asked := 0
	var walk func(at []string, program, c *commands.Command)
	walk = func(at []string, program, c *commands.Command) {
		if !c.NoRiskyOptions && !program.Parameters && c.Style&commands.NoOptions == 0 {
			asked++
			if form := append(slices.Clip(at), "--zz-unknown"); anyProof(form) != "" {
				t.Errorf("%s: %s is proven", strings.Join(form, " "), anyProof(form))
			}
		}
		if c.HasSubs() && !c.OwnOperands && c != program {
			if form := append(slices.Clip(at), "zz-unknown"); len(parse(form...).Subs) < len(at) && anyProof(form) != "" {
				t.Errorf("%s: %s is proven", strings.Join(form, " "), anyProof(form))
			}
		}
		for _, list := range [][]commands.Command{c.Subs, c.Also} {
			for i := range list {
				for _, name := range strings.Fields(list[i].Names) {
					if !strings.Contains(name, "*") && len(at) < 4 {
						walk(append(slices.Clip(at), name), program, &list[i])
					}
				}
			}
		}
	}
	for _, c := range bashsafety.Commands() {
		for _, name := range strings.Fields(c.Names) {
			walk([]string{name}, c, c)
		}
	}
	if asked < 2000 {
		t.Errorf("asked about only %d commands", asked)
	}
}
