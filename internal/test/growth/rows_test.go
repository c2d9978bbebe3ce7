//go:build unix

package growth

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"os"
	"path"
	"strings"
)

// A row is one thing that somebody else controls.
type row struct {
	name, what string
	size       int                  // the largest
	make       func(s *site, n int) // lays it out in that size
	run        func(s *site)        // works on it
	flat       bool                 // it is looked at up to a bound, or only in part
	most       float64              // the exponent it may have, where that is more than all others
}

// pastLong is the exponent of rows of which only the larger sizes have so many rules that they get an index.
const pastLong = 1.6

var rows = [...]row{
	{"rules", "rules in one file", 16_000, rulesFile, decision, false, 0},
	{"rules on one line", "rules in one line of a file", 16_000, func(s *site, n int) {
		s.settings(permissions("allow", ordinary(n), ""))
	}, decision, false, 0},
	{"rules in three folders", "rules in .claude, .gen and .san", 16_000, func(s *site, n int) {
		for _, name := range []string{".claude/settings.json", ".gen/settings.json", ".san/settings.local.json"} {
			s.write(s.project+"/"+name, permissions("deny", ordinary(n/3), "\n"))
		}
	}, decision, false, 0},
	{"equal rules", "the same rule again and again", 16_000, func(s *site, n int) {
		s.settings(permissions("deny", times(n, func(int) string { return "Bash(git push:*)" }), "\n"))
	}, decision, false, 0},
	{"rules that match", "rules that all match the call", 16_000, func(s *site, n int) {
		s.settings(permissions("ask", times(n, func(i int) string { return fmt.Sprintf("Bash(g*t*%s)", strings.Repeat("*", i%7)) }), "\n"))
	}, decision, false, 0},
	{"path rules", "path patterns of many stars", 16_000, func(s *site, n int) {
		s.settings(permissions("deny", times(n, func(i int) string { return fmt.Sprintf("Read(**/**/a%d/**/*b*c*)", i) }), "\n"))
		s.bash("cat a/b/c/d/e/f.txt > out.txt")
	}, decision, false, 0},
	{"hosts", "hosts in rules on WebFetch", 16_000, func(s *site, n int) {
		s.settings(permissions("deny", times(n, func(i int) string { return fmt.Sprintf("WebFetch(domain:*.h%d.example)", i) }), "\n"))
		s.bash("curl -s https://a.b.c.example/x")
	}, decision, false, 0},
	{"questions", "secrets that one command reads", 4_000, func(s *site, n int) {
		s.write(s.home+"/.claude/permgate.json", `{"secrets":"ask","rememberYes":true}`)
		s.bash("cat" + strings.Join(times(n, func(i int) string { return fmt.Sprintf(" ~/.ssh/k%d", i) }), ""))
	}, decision, false, 0},
	{"questions of many places", "reads of what is not known, and names of secrets", 2_000, func(s *site, n int) {
		s.write(s.home+"/.claude/permgate.json", `{"secrets":"ask","rememberYes":true}`)
		s.bash(strings.Repeat("cat $x\n", n/2) + ":" + strings.Join(times(n/2, func(i int) string { return fmt.Sprintf(" ~/.ssh/k%d", i) }), ""))
	}, decision, false, 0},
	{"a long rule", "the stars of one rule", 1 << 15, func(s *site, n int) {
		s.settings(permissions("deny", []string{"Bash(" + strings.Repeat("*a", n/2) + "b)"}, ""))
		s.bash("echo " + strings.Repeat("a", n/4))
	}, decision, false, 0},
	{"a deep path rule", "the folders of one path rule", 1 << 14, func(s *site, n int) {
		s.settings(permissions("deny", []string{"Read(" + strings.Repeat("**/a/", n/5) + "b)"}, ""))
		s.bash("cat " + strings.Repeat("a/", min(n/4, 1500)) + "c")
	}, decision, false, 0},
	{"a long string", "the length of a string", 1_000_000, func(s *site, n int) {
		s.settings(permissions("deny", []string{"Bash(git " + strings.Repeat("é", n/2) + ")"}, ""))
	}, decision, false, 0},
	{"escapes", "escapes in a string", 1_000_000, func(s *site, n int) {
		s.settings(`{"model": "` + strings.Repeat(`\"`, n/2) + `"}`)
	}, decision, false, 0},
	{"brackets", "brackets of JSON", 400_000, func(s *site, n int) {
		s.settings(`{"permissions": {"deny": ["Bash(a)"]}, "x": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}")
	}, decision, false, 0},
	{"comments", "comments of JSON", 1_000_000, func(s *site, n int) {
		s.settings(strings.Repeat("/**/", n/8) + permissions("deny", []string{"Bash(a)"}, "") + strings.Repeat("/*", n/4))
	}, decision, false, 0},
	{"keys", "keys of a settings file", 40_000, func(s *site, n int) {
		s.settings("{" + strings.Join(times(n, func(i int) string { return fmt.Sprintf(`"k%d": 1`, i) }), ",") + "}")
	}, decision, false, 0},
	{"equal keys", "the same key again and again", 30_000, func(s *site, n int) {
		s.settings("{" + strings.Join(times(n, func(i int) string { return `"permissions": {"allow": 1}` }), ",") + "}")
	}, decision, false, 0},
	{"faults", "rules that cannot be read", 16_000, func(s *site, n int) {
		s.settings(permissions("deny", times(n, func(i int) string { return fmt.Sprintf("Bash(a%d", i) }), "\n"))
	}, decision, false, 0},
	{"rule objects", "rules of permgate.json", 10_000, func(s *site, n int) {
		s.write(s.project+"/.claude/permgate.json", ruleObjects(n))
	}, decision, false, 0},
	{"exclusions", "patterns of contentExclusion", 16_000, func(s *site, n int) {
		s.write(s.project+"/.claude/permgate.json", `{"contentExclusion": [`+
			strings.Join(times(n, func(i int) string { return fmt.Sprintf(`"x%d/**"`, i) }), ",\n")+"]}")
		s.bash("cat a.txt")
	}, decision, false, 0},
	{"sections", "sections of permgate.json", 16_000, sections, decision, false, pastLong},
	{"directories", "additionalDirectories", 16_000, func(s *site, n int) {
		s.settings(`{"permissions": {"additionalDirectories": ["` +
			strings.Join(times(n, func(i int) string { return fmt.Sprintf("../d%d/e", i) }), `", "`) + `"]}}`)
		s.bash("touch ../x/y")
	}, decision, true, 0},
	{"depth", "the depth of the working directory, project above", 1600, func(s *site, n int) {
		s.cwd = s.project + strings.Repeat("/d", min(n, (4000-len(s.project))/2))
		s.settings(permissions("deny", []string{"Bash(a)"}, ""))
		s.tb.Helper()
		if err := os.MkdirAll(s.cwd, 0o755); err != nil {
			s.tb.Fatal(err)
		}
	}, decision, false, 2},
	{"folders above", "folders above, each with settings", 320, func(s *site, n int) {
		for range n {
			s.cwd += "/d"
			for _, root := range []string{".claude", ".gen"} {
				s.write(s.cwd+"/"+root+"/settings.json", permissions("deny", ordinary(50), "\n"))
			}
		}
	}, decision, false, 0},
	{"agents", "agent definitions", 4000, func(s *site, n int) {
		agents(s, n)
		s.flags.Agent = "a1"
	}, decision, true, 0},
	{"git index", "entries of a git index", 400_000, func(s *site, n int) {
		s.ignored("dist", times(n, func(i int) string { return fmt.Sprintf("src/f%07d.go", i) }))
		s.trusting()
		s.bash("rm -rf dist")
	}, decision, false, 0},
	{"git index, long names", "names of a git index that build upon each other", 100_000, func(s *site, n int) {
		s.write(s.project+"/.git/index", gitIndex(times(n, func(int) string { return "x" }), 4))
		s.trusting()
	}, decision, true, 0},
	{"gitignore", "lines of a .gitignore, which may have 64 KiB", 10_000, ignoring("x%x"), decision, false, 0},
	{"gitignore, too long", "lines of a .gitignore of more", 100_000, ignoring("d%d/**/x*"), decision, true, 0},
	{"exported rules", "rules that permgate export wrote", 8000, func(s *site, n int) {
		text := permissions("allow", ordinary(n), "\n")
		s.write(s.home+"/.claude/settings.json", text)
		s.write(s.home+"/.claude/permgate-exported.json", fmt.Sprintf(`{"files": {%q: %s}}`, s.home+"/.claude/settings.json",
			strings.TrimSuffix(strings.TrimPrefix(text, `{"permissions": `), "}")))
	}, decision, false, 0},
	{"git config", "lines of .git/config", 2000, func(s *site, n int) {
		s.write(s.home+"/sub/.git/HEAD", "ref: refs/heads/main\n")
		os.MkdirAll(s.home+"/sub/.git/objects", 0o755)
		os.MkdirAll(s.home+"/sub/.git/refs", 0o755)
		s.write(s.home+"/sub/.git/config", "[core]\n\tbare = false\n"+strings.Join(times(n, func(i int) string { return fmt.Sprintf("[branch \"b%d\"]\n\tmerge = x", i) }), "\n"))
		s.bash("git -C ../sub log")
	}, decision, false, 0},
	{"removals", "entries of a git index, with 60 folders to remove", 400_000, func(s *site, n int) {
		s.ignored("dist", times(n, func(i int) string { return fmt.Sprintf("src/f%07d.go", i) }))
		for i := range 60 {
			s.write(fmt.Sprintf("%s/dist/d%d/a", s.project, i), "")
		}
		s.bash("rm -rf" + strings.Join(times(60, func(i int) string { return fmt.Sprintf(" dist/d%d", i) }), ""))
	}, decision, false, 0},
	{"files of a pattern", "files that a pattern finds", 4000, func(s *site, n int) {
		for i := range n {
			s.write(fmt.Sprintf("%s/src/f%d.txt", s.project, i), "")
		}
		s.settings(permissions("deny", ordinary(100), "\n"))
		s.bash("cat src/*.txt")
	}, decision, false, 0},
	{"session grants", "grants of a session", 10_000, func(s *site, n int) {
		name := s.home + "/.local/state/permgate/session-s1.json"
		s.write(name, fmt.Sprintf(`{"project": %q, "allow": ["%s"]}`, s.project, strings.Join(ordinary(n), `", "`)))
		os.Chmod(path.Dir(name), 0o700)
	}, decision, false, 0},
	{"session directories", "directories of a session", 8000, func(s *site, n int) {
		name := s.home + "/.local/state/permgate/session-s1.json"
		s.write(name, fmt.Sprintf(`{"project": %q, "dirs": ["%s"]}`, s.project,
			strings.Join(times(n, func(i int) string { return fmt.Sprintf("/srv/of-%d", i) }), `", "`)))
		os.Chmod(path.Dir(name), 0o700)
	}, decision, false, 0},
	{"log", "lines of the log that a call is added to", 40_000, logged, answered, true, 0},
	{"rules list", "rules in one file", 8000, rulesFile, command("rules"), false, 0},
	{"rules list, alike", "rules that begin alike", 8000, rulesAlike, command("rules", "--json"), false, 0},
	{"lint", "rules in one file", 8000, func(s *site, n int) {
		s.settings(permissions("allow", ordinary(n), "\n"))
	}, command("lint"), false, 0},
	{"lint, one line", "rules in one line of a file", 8000, func(s *site, n int) {
		s.settings(permissions("allow", ordinary(n), ""))
	}, command("lint"), false, 0},
	{"lint, equal rules", "the same rule again and again", 8000, func(s *site, n int) {
		s.settings(permissions("deny", times(n, func(int) string { return "Bash(git push:*)" }), "\n"))
	}, command("lint"), false, 0},
	{"lint, alike", "rules that begin alike", 16_000, rulesAlike, command("lint"), true, 0},
	{"lint, rule objects", "rules of permgate.json, with examples", 4000, func(s *site, n int) {
		s.write(s.project+"/.claude/permgate.json", ruleObjects(n))
	}, command("lint"), false, 0},
	{"trust", "rules in one file", 8000, rulesFile, command("trust", "--dry-run"), false, 0},
	{"trust, agents", "agent definitions", 4000, agents, command("trust", "--dry-run"), false, 0},
	{"trust, sections", "sections of permgate.json", 16_000, sections, command("trust", "--json"), false, 0},
	{"log --stats", "lines of the log", 100_000, logged, command("log", "--stats"), false, 0},
	{"commands", "commands of a text", 4000, func(s *site, n int) {
		s.bash(strings.Repeat("a && ", n) + "a")
	}, decision, false, 0},
	{"a long word", "the length of a word", 60_000, func(s *site, n int) { s.bash("echo " + strings.Repeat("x", n)) }, decision, false, 0},
	{"words", "the words of a command", 16_000, func(s *site, n int) { s.bash("cat" + strings.Repeat(" ab", n)) }, decision, false, 0},
	{"variables", "variables of a text", 4000, func(s *site, n int) {
		s.bash(strings.Join(times(n, func(i int) string { return fmt.Sprintf("v%d=$v%d", i+1, i) }), "; ") + "; echo $v9")
	}, decision, false, 0},
	{"here-documents", "here-documents of a text", 4000, func(s *site, n int) {
		s.bash(strings.Repeat("cat <<E\nx\nE\n", n))
	}, decision, false, 0},
	{"content", "what a call writes", 12 << 20, func(s *site, n int) {
		s.writes("Write", s.project+"/a.txt", `"content":"`+strings.Repeat(`line\n`, n/6)+`"`)
	}, decision, false, 0},
	{"content of an edit", "what a call replaces", 12 << 20, func(s *site, n int) {
		s.writes("Edit", s.project+"/a.go", `"old_string":"`+strings.Repeat(`a \"b\"`, n/16)+`","new_string":"`+strings.Repeat(`é\t`, n/8)+`"`)
	}, decision, false, 0},
	{"content of a skill", "what a call writes into a file that agents read", 12 << 20, func(s *site, n int) {
		s.writes("Write", s.project+"/.claude/skills/x/SKILL.md", `"content":"`+strings.Repeat(`Run the tests.\n`, n/16)+`"`)
	}, decision, false, 0},
	{"edits", "edits of one call", 100_000, func(s *site, n int) {
		s.writes("MultiEdit", s.project+"/a.go", `"edits":[`+strings.Join(times(n, func(i int) string {
			return fmt.Sprintf(`{"old_string":"a%d","new_string":"b"}`, i)
		}), ",")+`]`)
	}, decision, false, 0},
	{"patch", "lines of a patch", 400_000, func(s *site, n int) {
		s.input = `"tool_name":"apply_patch","tool_input":{"input":"*** Begin Patch\n*** Update File: a.go\n@@\n` +
			strings.Repeat(`+a line of the file\n`, n) + `*** End Patch\n"}`
	}, decision, false, 0},
	{"text for a server", "what a call sends to an MCP server", 12 << 20, func(s *site, n int) {
		s.input = `"tool_name":"mcp__notes__add","tool_input":{"text":"` + strings.Repeat(`a line\n`, n/16) + `","note":"` +
			strings.Repeat(`a/b `, n/8) + `"}`
	}, decision, false, 0},
}

// ignored lays out a repository that tracks its .gitignore, of a text, and further
// files, and has a folder dist.
func (s *site) ignored(text string, files []string) {
	sum := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(text), text)))
	index := gitIndex(append([]string{".gitignore"}, files...), 2)
	s.write(s.project+"/.gitignore", text)
	s.write(s.project+"/.git/index", index[:12+40]+string(sum[:])+index[12+40+20:])
	s.write(s.project+"/.git/config", "[core]\n\tbare = false\n")
	s.write(s.project+"/dist/a", "")
	s.write(s.home+"/.claude/permgate.json", `{"destructive": "practical", "projectTrust": "require"}`)
}

// ignoring lays out a .gitignore of so many lines, of which the last is about a folder that is to be removed.
func ignoring(form string) func(s *site, n int) {
	return func(s *site, n int) {
		s.ignored(strings.Join(times(n, func(i int) string { return fmt.Sprintf(form, i) }), "\n")+"\ndist", nil)
		s.bash("rm -rf dist")
	}
}

// trusting makes grants of the project count only where they are trusted.
func (s *site) trusting() {
	s.write(s.home+"/.claude/permgate.json", `{"destructive": "practical", "projectTrust": "require"}`)
	s.write(s.project+"/.claude/settings.local.json", permissions("allow", ordinary(3), ""))
}

// writes makes a tool that writes a file the call.
func (s *site) writes(tool, name, fields string) {
	s.input = `"tool_name":"` + tool + `","tool_input":{"file_path":"` + name + `",` + fields + `}`
}

// logged lays out a log of so many lines.
func logged(s *site, n int) {
	const line = `{"v":1,"time":"2026-01-02T03:04:05.000Z","type":"decision","event":"PreToolUse","host":"claude","session":"s1",` +
		`"cwd":"/p","tool":"Bash","input":"{\"command\":\"git x%d\"}","decision":"allow","step":"6","reason":"x"}`
	name := s.home + "/.local/state/permgate/log.jsonl"
	s.write(name, strings.Join(times(n, func(i int) string { return fmt.Sprintf(line, i) }), "\n")+"\n")
	os.Chmod(name, 0o600)
	os.Chmod(path.Dir(name), 0o700)
}

// times makes a list.
func times(n int, of func(i int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// ordinary are rules as people write them.
func ordinary(n int) []string {
	return times(n, func(i int) string {
		switch i % 8 {
		case 0:
			return fmt.Sprintf("Bash(npm run task%d:*)", i)
		case 1:
			return fmt.Sprintf("Bash(git log file%d.txt)", i)
		case 2:
			return fmt.Sprintf("Read(./src/dir%d/**)", i)
		case 3:
			return fmt.Sprintf("Edit(docs/page%d.md)", i)
		case 4:
			return fmt.Sprintf("WebFetch(domain:*.site%d.example)", i)
		case 5:
			return fmt.Sprintf("mcp__server%d__get", i)
		case 6:
			return fmt.Sprintf("Bash(./tool%d *)", i)
		}
		return fmt.Sprintf("Read(**/secret%d)", i)
	})
}

// permissions is a settings file with one list.
func permissions(list string, texts []string, sep string) string {
	return `{"permissions": {"` + list + `": ["` + strings.Join(texts, `",`+sep+`"`) + `"]}}`
}

// rulesFile is a file with all three lists.
func rulesFile(s *site, n int) {
	list := func(texts []string) string { return `["` + strings.Join(texts, "\",\n\"") + `"]` }
	all := ordinary(n)
	s.write(s.home+"/.claude/permgate.json", `{"projectTrust": "require"}`)
	s.settings(`{"permissions": {"deny": ` + list(all[:n/4]) + `, "ask": ` + list(all[n/4:n/2]) + `, "allow": ` + list(all[n/2:]) + "}}")
}

// rulesAlike are rules of which each begins like all the others.
func rulesAlike(s *site, n int) {
	s.settings(permissions("allow", times(n, func(i int) string { return fmt.Sprintf("Bash(a*%d)", i) }), "\n"))
}

// sections are those of permgate.json for single hosts.
func sections(s *site, n int) {
	s.write(s.home+"/.claude/permgate.json", `{"projectTrust": "require"}`)
	s.write(s.project+"/.claude/permgate.json", `{"hosts": {`+strings.Join(times(n, func(i int) string {
		return fmt.Sprintf(`"%s": {"rules": [{"allow": "Bash(x%d)"}]}`, []string{"claude", "gemini", "codex"}[i%3], i)
	}), ",\n")+"}}")
}

func ruleObjects(n int) string {
	return `{"rules": [` + strings.Join(times(n, func(i int) string {
		return fmt.Sprintf(`{"ask": "Bash(tool%d:*)", "match": ["tool%d x"], "not_match": ["other%d"]}`, i, i, i)
	}), ",\n") + "]}"
}

func agents(s *site, n int) {
	for i := range n {
		s.write(fmt.Sprintf("%s/.gen/agents/a%d.md", s.project, i), fmt.Sprintf("---\nallow_tools: [Bash(x%d)]\n---\n", i))
	}
}

// gitIndex is the index of a repository, in a version of its format. In version 4 a
// name is what it adds to the one before.
func gitIndex(names []string, version uint32) string {
	var b []byte
	word := func(n uint32) { b = binary.BigEndian.AppendUint32(b, n) }
	b = append(b, "DIRC"...)
	word(version)
	word(uint32(len(names)))
	length := 0
	for _, name := range names {
		start := len(b)
		b = append(b, make([]byte, 24)...)
		word(0o100644)
		b = append(b, make([]byte, 12+20)...)
		length += len(name)
		if version != 4 {
			length = len(name)
		}
		b = binary.BigEndian.AppendUint16(b, uint16(min(length, 0xfff)))
		if version == 4 {
			b = append(b, 0)
		}
		b = append(append(b, name...), 0)
		for version != 4 && (len(b)-start)%8 > 0 {
			b = append(b, 0)
		}
	}
	return string(append(b, make([]byte, 20)...))
}
