package cli

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/report"
)

// Bounds of a block, in bytes: a form takes about 64 KiB.
const (
	maxReportCall    = 8 << 10
	maxReportExplain = 32 << 10
)

// A block is a report while it is written.
type block struct{ b strings.Builder }

// fence adds a text that nothing in it ends.
func (b *block) fence(language, text string) {
	run, longest := 0, 2
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	mark := strings.Repeat("`", longest+1)
	fmt.Fprintf(&b.b, "\n%s%s\n%s\n%s\n", mark, language, strings.TrimRight(text, "\n"), mark)
}

// block writes the report.
func (r *reporting) block(kind *reportKind) string {
	n := r.neutral()
	b := &block{}
	fmt.Fprintf(&b.b, "**permgate report: %s**\n", kind.title)
	var scene *report.Scene
	if r.c != nil {
		scene = r.scene(n)
	}
	call, cut := r.call(scene)
	b.fence("text", r.facts(n, kind, scene, cut))
	if call == "" {
		return b.b.String()
	}
	language := "json"
	if r.c.Call.Command != "" {
		language = "sh"
	}
	b.b.WriteString("\nthe call:\n")
	b.fence(language, call)
	for _, f := range scene.Files {
		fmt.Fprintf(&b.b, "\n%s, as far as it takes part:\n", f.Name)
		b.fence("json", printable(f.Text))
	}
	if scene.Case != nil {
		b.b.WriteString("\nexplain --json of this alone:\n")
		e := &env{out: r.out, err: r.err, world: scene.World, cmd: r.cmd}
		text := n.JSON(gjson.ParseBytes(explanation(e, scene.Case, scene.Verdict).end()), n.Names)
		b.fence("json", cutTo(gjson.GetBytes(text, "@pretty").Raw, maxReportExplain))
	}
	return b.b.String()
}

// scene decides the call again, without what is private.
func (r *reporting) scene(n *report.Neutral) *report.Scene {
	stage := report.Stage{Neutral: n, World: r.world, Case: r.c, Flags: r.flags, Record: r.rec}
	for _, s := range settings(r.c.Policy) {
		stage.Settings = append(stage.Settings, report.Setting{Name: s.name, Setting: s.Setting})
	}
	mode := r.c.Policy.Mode
	stage.Settings = append(stage.Settings, report.Setting{Name: "defaultMode", Setting: mode})
	return stage.Scene()
}

// call is the text of the call, and whether some of it is left out; "" where it is not known.
func (r *reporting) call(scene *report.Scene) (text string, cut bool) {
	if scene == nil {
		return "", false
	}
	text = scene.Record.Input
	if scene.Case != nil && scene.Case.Call.Command != "" {
		text = scene.Case.Call.Command
	}
	return cutTo(printable(text), maxReportCall), len(text) > maxReportCall
}

// facts are the lines at the top.
func (r *reporting) facts(n *report.Neutral, kind *reportKind, scene *report.Scene, cut bool) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, hookio.Escape(value))
		}
	}
	rec := &r.rec
	line("expected", cutTo(n.Text(cmp.Or(r.o.expected, kind.expected)), 1<<10))
	line("decision", rec.Decision)
	if rec.Answered != rec.Decision {
		line("the program was told", rec.Answered)
	}
	reason := n.Text(rec.Reason)
	if scene != nil && scene.Same {
		reason = n.Names(scene.Verdict.Reason)
	}
	line("reason", cutTo(reason, 4<<10))
	line("step", strings.TrimSuffix(rec.Step+" after "+rec.Origin, " after "))
	line("code", rec.Code)
	line("check", rec.Check)
	line("rule", n.Text(rec.Rule))
	line("place", n.Text(rec.RulePlace))
	line("mode", rec.Mode)
	line("host", rec.Host)
	line("event", rec.HostEvent)
	if scene != nil {
		line("tool", scene.Record.Tool)
		line("working directory", scene.Record.Cwd)
		line("project", scene.Record.Project)
	}
	line("decided by", rec.Version)
	line("permgate", built())
	line("shell", r.shell())
	if scene != nil {
		line("secrets replaced", fmt.Sprint(strings.Count(scene.Record.Input, report.Redacted)))
	}
	line("reproduces", r.reproduces(scene, cut))
	return b.String()
}

// reproduces says whether somebody who has the block sees the same decision.
func (r *reporting) reproduces(scene *report.Scene, cut bool) string {
	switch {
	case scene == nil:
		return "no: " + r.why
	case cut:
		return "no: the call is longer than what is shown of it"
	case scene.Same:
		return "yes"
	case scene.Case == nil:
		return "no: the call could not be read again without its private names"
	}
	return fmt.Sprintf("no: this alone is %s at step %s; the decision depends on files, a session, an agent "+
		"or a name that is not shown here (--keep NAME shows it)", scene.Verdict.Decision, scene.Verdict.Step)
}

// built is the version and what it was built from.
func built() string {
	s := version()
	if info, ok := debug.ReadBuildInfo(); ok {
		if b := buildOf(info); b.commit != "" && !strings.Contains(s, b.short()) {
			s += ", commit " + b.short() + b.dirty
		}
	}
	return s + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
}

// shell is the name of the user's shell, where it is a shell.
func (r *reporting) shell() string {
	name := path.Base(strings.ReplaceAll(r.world.Getenv("SHELL"), `\`, "/"))
	switch name {
	case "bash", "zsh", "fish", "sh", "dash", "ksh", "pwsh", "powershell", "nu", "elvish", "tcsh":
		return name
	}
	return ""
}

// printable is a text without the characters that a terminal obeys, its lines kept.
func printable(text string) string {
	parts := strings.Split(text, "\n")
	for i := range parts {
		parts[i] = hookio.Escape(parts[i])
	}
	return strings.Join(parts, "\n")
}

// cutTo is a text with a note where the rest of it was.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("\n... (cut: %d bytes more)", len(text)-most)
}
