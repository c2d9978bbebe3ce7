package conformance

import (
	"encoding/json"
	"math/rand"
	"time"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// A variant is a world with settings in it, and options of the hook.
type variant struct {
	world gate.World
	flags gate.Flags
	plain bool // nothing is granted anywhere, and no file is at fault
	text  string
}

// An optional is a member of settings that one variant in so many has.
type optional struct {
	one  int
	text string
}

var (
	namedPosture = [...]optional{
		{1, `"onUnmatched":"defer","projectTrust":"require","catastrophic":"deny"`},
		{1, `,"destructive":"practical","secrets":"ask"`},
		{2, `,"subagents":"host"`},
		{8, `,"outsideReads":"ask"`},
		{12, `,"enforce":false`},
		{10, `,"contentExclusion":["src/**"]`},
		{6, `,"alwaysAllow":"session"`},
	}
	namedRestrictions = [...]optional{
		{3, `,"disableBypassPermissionsMode":"disable"`},
		{3, `,"disableAutoMode":"disable"`},
		{20, `,"denyInsteadOfPrompting":true`},
		{20, `,"blockReadsOutsideWorkingDirectories":true`},
		{20, `,"blockWritesOutsideWorkingDirectories":true`},
		{6, `,"additionalDirectories":["/work/added"]`},
	}
	namedModes  = [...]string{"plan", "default", "dontAsk", "acceptEdits"}
	namedFaults = [...]string{"/work/project/.gen/settings.local.json", "/work/project/.san/settings.json", "/home/dev/.san/settings.json",
		"/etc/gen/managed-settings.json"}
)

// A drawer writes the settings of one variant.
type drawer struct {
	*variant
	r        *rand.Rand
	settings map[string]string
}

func (d *drawer) one(in int) bool { return d.r.Intn(in) == 0 }

func (d *drawer) add(name, text string) {
	d.settings[name] = text
	d.text += "\n" + name + ": " + text
}

// some draws rules and renders them as a JSON list.
func (d *drawer) some(most int) string {
	out, _ := json.Marshal(pick(d.r, namedRules, most))
	return string(out)
}

// allow draws rules that grant, of which a plain variant has none.
func (d *drawer) allow(most int) string {
	if d.plain {
		return "[]"
	}
	return d.some(most)
}

func (d *drawer) members(list []optional) string {
	out := ""
	for _, o := range list {
		if d.one(o.one) {
			out += o.text
		}
	}
	return out
}

// newVariant draws settings of every kind.
func newVariant(r *rand.Rand) *variant {
	d := &drawer{&variant{flags: gate.Flags{State: "/state"}}, r, map[string]string{"/etc/hostname": "x\n"}}
	d.plain = d.one(4)
	posture := d.members(namedPosture[:])
	if !d.plain && d.one(3) {
		posture += `,"readOnlyCommands":"allow"`
	}
	d.add("/home/dev/.gen/permgate.json", "{"+posture+"}")
	more := d.members(namedRestrictions[:])
	if d.one(5) {
		more += `,"defaultMode":` + quote(namedModes[d.r.Intn(len(namedModes))])
	}
	d.add("/home/dev/.claude/settings.json", `{"permissions":{"allow":`+d.allow(5)+
		`,"ask":`+d.some(1)+`,"deny":`+d.some(1)+more+`},"autoMode":{"soft_deny":`+d.some(1)+`,"allow":`+d.allow(1)+`}}`)
	d.project()
	if d.one(2) {
		mode := namedModes[d.r.Intn(len(namedModes))]
		d.add("/home/dev/.claude/agents/rev.md", "---\nname: rev\npermissionMode: "+mode+"\n---\n")
	}
	d.flags.Headless = d.one(12)
	if d.one(12) {
		d.flags.Mode = namedModes[d.r.Intn(3)]
		d.text += "\n--permission-mode " + d.flags.Mode
	}
	d.world = namedWorld(d.settings)
	return d.variant
}

// project draws the files of the project, the grants of the session and what is broken.
func (d *drawer) project() {
	if d.one(3) {
		d.add("/home/dev/.gen/settings.json", `{"permissions":{"allow":`+d.allow(3)+`}}`)
	}
	if d.one(2) {
		d.add("/work/project/.claude/settings.json", `{"permissions":{"allow":`+d.allow(3)+`,"ask":`+d.some(1)+`}}`)
	}
	if d.one(4) {
		d.add("/work/project/.claude/settings.local.json", `{"permissions":{"allow":`+d.allow(3)+`}}`)
	}
	if d.one(8) {
		d.add("/work/project/.gen/settings.json", `{"permissions":{"allow":`+d.allow(3)+`,"deny":`+d.some(1)+`}}`)
	}
	if !d.plain && d.one(4) {
		d.add(namedFaults[d.r.Intn(len(namedFaults))], `{"permissions":{"deny":`)
	}
	if !d.plain && d.one(5) {
		edits := [...]string{"true", "false"}[d.r.Intn(2)]
		d.add("/state/session-s1.json", `{"project":"/work/project","allow":`+d.some(2)+`,"allowAllEdits":`+edits+`}`)
	}
}

// namedWorld is a machine with those files on it.
func namedWorld(settings map[string]string) gate.World {
	files := fakefs.New(nil)
	for _, dir := range [...]string{"/work/project/.git", "/work/project/node_modules", "/work/project/src",
		"/work/other/.git", "/home/dev", "/tmp/claude-1000/s/scratchpad"} {
		files.Mkdir(dir)
	}
	for name, text := range settings {
		files.Write(name, text)
	}
	files.Link("/work/project/link", "/work/other")
	for _, dir := range [...]string{"/home/dev", "/work", "/tmp/claude-1000"} {
		files.Own(dir, 1000)
	}
	return gate.World{
		Getenv:     func(k string) string { return map[string]string{"HOME": "/home/dev"}[k] },
		Cwd:        "/work/project",
		PasswdHome: "/home/dev",
		UID:        1000,
		Exe:        func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files:      files,
		Now:        time.Time{}.Add(time.Hour),
		ManagedDir: []string{"/etc/gen"},
	}
}
