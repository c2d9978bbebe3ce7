package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/report"
	"github.com/permgate--owner/permgate/internal/term"
)

const repository = "https://" + subcmd.Module

// A reportKind is what a user may report about a decision.
type reportKind struct {
	name, title, expected string
	where, why            string // the form that asks for the block, and what to know before
}

var reportKinds = [...]reportKind{
	{"false-prompt", "false prompt", "the call runs without a question", repository + "/issues/new?template=false-prompt.yml", ""},
	{"missed", "missed command", "the call is asked about or denied", repository + "/security/advisories/new",
		"a call that gets past permgate may be a vulnerability: report it through the private form, as SECURITY.md says"},
	{"other", "other", "another answer", repository + "/issues/new/choose", ""},
}

func findReportKind(name string) *reportKind {
	if i := slices.Index(reportKindNames(), name); i >= 0 {
		return &reportKinds[i]
	}
	return nil
}

func reportKindNames() []string {
	var names []string
	for i := range reportKinds {
		names = append(names, reportKinds[i].name)
	}
	return names
}

type reportOptions struct {
	subcmd.CallOptions
	last                   subcmd.LastOptions
	kind, expected, output string
	hide, keep             []string
}

func reportCommand() *subcmd.Command {
	var o reportOptions
	return &subcmd.Command{
		Name:     "report",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | --last [N]",
		Operands: "program file",
		Words:    subcmd.CommandWords,
		Short:    "write down a wrong decision, fit to be published",
		Long: `Takes the same forms as check, or with --last a call the hook decided, as in
explain. It prints a block of Markdown for an issue: what was decided and why, the
call, the rules that took part, and explain --json of it.

Secrets are redacted as in the log. The home directory, the project and other
folders and files, user, hosts, addresses of mail and machines become others, the
same everywhere. Names that tools and systems give stay. --hide replaces one more
name, --keep leaves one. The block is then decided again, by itself: "reproduces"
says whether that ends the same.

Nothing is sent: permgate has no network access. Read the block before you paste it.`,
		Examples: []subcmd.Example{
			{"permgate report --last", "the last decision"},
			{"permgate report --kind false-prompt 'git log -3'", "a call that should not be asked about"},
			{"permgate report --hide acme 'make acme'", "without the name of a customer"},
			{"permgate report -o report.md --last", "into a new file"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.kind, "kind", "", "what is wrong: false-prompt, missed or other (default by the decision)")
			fs.StringVar(&o.expected, "expected", "", "one `sentence`: what you expected")
			fs.StringArrayVar(&o.hide, "hide", nil, "replace this `name`, too")
			fs.StringArrayVar(&o.keep, "keep", nil, "leave this `name` as it is")
			fs.StringVarP(&o.output, "output", "o", "", "write the block to this new `file`")
			o.last.Register(fs, "", "with the grants of this session: its `ID`; with --last: its last call, by its id or the start of it")
			fs.StringVar(&o.Tool, "tool", "", "tool to call instead of Bash; the operand is its path, URL or name, or a JSON object")
			o.Flags.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int {
			e.Needed()
			if o.kind != "" && findReportKind(o.kind) == nil {
				return e.Fail("the kinds are "+strings.Join(reportKindNames(), ", "), "--kind %s is none", subcmd.QuoteArg(o.kind))
			}
			r := &reporting{Env: e, o: &o}
			if code := r.find(args); code != subcmd.ExitOK {
				return code
			}
			return r.write()
		},
	}
}

type reporting struct {
	*subcmd.Env
	o *reportOptions
	// what was decided, and its case under today's settings; nil where why says that it cannot exist
	rec   log.Record
	c     *decide.Input
	flags *gate.Flags
	why   string
}

func (r *reporting) find(args []string) int {
	if r.o.last.N == "" {
		r.o.Session = r.o.last.Session
		r.o.Imply(r.Env)
		call, err := r.o.Call(r.Env, args)
		if err != nil {
			return r.Fail("permgate help report shows the forms", "%v", err)
		}
		v := r.o.Decide(r.Env, call)
		r.rec = *log.Decided(v.Input(), v, v.Answer())
		r.rec.Reason, _ = redact.Text(v.Reason())
		r.c, r.flags = v.Input(), &r.o.Flags
		return subcmd.ExitOK
	}
	last, _, _, code := r.o.last.Find(r.Env, &r.o.CallOptions, args)
	if last == nil {
		return code
	}
	r.rec = last.Record
	again := last.Record
	if again.Redacted { // a word in place of each secret will do
		again.Redacted, again.Input = false, strings.ReplaceAll(again.Input, redact.Mark, report.Redacted)
	}
	call, f, why := gate.Again(&again)
	if r.flags, r.why = f, why; call != nil {
		r.c = decide.Decide(gate.Case(call, f, r.World)).Input()
	}
	return subcmd.ExitOK
}

// write prints the block, and says where it may go.
func (r *reporting) write() int {
	kind := findReportKind(cmp.Or(r.o.kind, r.usual()))
	if term.Is(r.In) { // an agent has none, and a question would keep it waiting
		if kind = r.ask(kind); kind == nil {
			return r.Fail("", "nothing was written")
		}
	}
	block := r.block(kind)
	if r.o.output != "" {
		name := r.Abs(r.o.output)
		if err := writeNew(name, block); err != nil {
			return r.Fail("name a file that is not there yet", "%v", err)
		}
		fmt.Fprintf(r.Out, "written to %s\n", r.Path(name))
	} else if _, err := r.Machine().Write([]byte(block)); err != nil {
		return subcmd.ExitError
	}
	if kind.why != "" {
		fmt.Fprintln(r.Err, kind.why)
	}
	fmt.Fprintf(r.Err, "nothing was sent: read the block, then paste it into %s\n", kind.where)
	return subcmd.ExitOK
}

func (r *reporting) usual() string {
	switch r.rec.Decision {
	case hookio.Ask.String(), hookio.Deny.String():
		return "false-prompt"
	case hookio.Allow.String():
		return "missed"
	}
	return "other"
}

// ask asks for what was not given; nil at the end of the input.
func (r *reporting) ask(usual *reportKind) *reportKind {
	kind := usual
	var err error
	if r.o.kind == "" {
		err = term.Ask("what is wrong? ["+strings.Join(reportKindNames(), ", ")+"; return for "+usual.name+"] ",
			func(line string) (problem string) {
				if kind = findReportKind(cmp.Or(line, usual.name)); kind == nil {
					return subcmd.QuoteArg(line) + " is none of them"
				}
				return ""
			})
	}
	if r.o.expected == "" && kind != nil && err == nil {
		err = term.Ask("what did you expect? [return for: "+kind.expected+"] ", func(line string) string {
			r.o.expected = line
			return ""
		})
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return kind
}

// writeNew writes a file that only its owner reads, and never over another.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// neutral is what is private about this machine and the call.
func (r *reporting) neutral() *report.Neutral {
	place := report.Place{OS: r.World.OS, Hide: r.o.hide, Keep: r.o.keep}
	for _, home := range [...]string{r.World.PasswdHome, r.World.Getenv("HOME"), r.o.Home} {
		if home != "" {
			place.Homes = append(place.Homes, home, r.resolved(home))
		}
	}
	projects := []string{r.rec.Project}
	if r.c != nil {
		projects = append(projects, r.c.Policy.Project.Given)
	}
	for _, dir := range projects {
		if dir != "" {
			place.Projects = append(place.Projects, dir, r.resolved(dir))
		}
	}
	place.Users = []string{r.World.Getenv("USER"), r.World.Getenv("LOGNAME"), r.World.Getenv("USERNAME")}
	if name, err := os.Hostname(); err == nil {
		place.Hosts = append(place.Hosts, name)
	}
	return report.New(place)
}

func (r *reporting) resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(r.World.OS.Native(dir)); err == nil {
		return real
	}
	return dir
}

// Bounds of a block, in bytes: a form takes about 64 KiB.
const (
	maxReportCall    = 8 << 10
	maxReportExplain = 32 << 10
)

type block struct{ b strings.Builder }

// fence adds a text that nothing in it ends.
func (b *block) fence(language, text string) {
	mark := subcmd.Backticks(text, 3)
	fmt.Fprintf(&b.b, "\n%s%s\n%s\n%s\n", mark, language, strings.TrimRight(text, "\n"), mark)
}

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
		e := &subcmd.Env{Out: r.Out, Err: r.Err, World: scene.World, Cmd: r.Cmd}
		text := report.JSON(gjson.ParseBytes(explain.Of(scene.Verdict, e.Place).End()), n.Names)
		b.fence("json", cutTo(gjson.GetBytes(text, "@pretty").Raw, maxReportExplain))
	}
	return b.b.String()
}

func (r *reporting) scene(n *report.Neutral) *report.Scene {
	stage := report.Stage{Neutral: n, World: r.World, Case: r.c, Flags: r.flags, Record: r.rec}
	for _, s := range subcmd.Settings(r.c.Policy) {
		stage.Settings = append(stage.Settings, report.Setting{Name: s.Name, Setting: s.Setting})
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
		reason = n.Names(scene.Verdict.Reason())
	}
	line("reason", cutTo(reason, 4<<10))
	line("step", strings.TrimSuffix(rec.Step+" after "+rec.Origin, " after "))
	line("code", rec.Code)
	line("check", rec.Check)
	line("rule", n.Text(rec.Rule))
	line("place", n.Text(r.World.OS.Slashes(rec.RulePlace)))
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
		"or a name that is not shown here (--keep NAME shows it)", scene.Verdict.Decision(), scene.Verdict.Step())
}

func built() string {
	s := Version()
	if info, ok := debug.ReadBuildInfo(); ok {
		if b := buildOf(info); b.commit != "" && !strings.Contains(s, b.short()) {
			s += ", commit " + b.short() + b.dirty
		}
	}
	return s + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
}

// shell is the name of the user's shell, where it is a shell.
func (r *reporting) shell() string {
	switch name := path.Base(strings.ReplaceAll(r.World.Getenv("SHELL"), `\`, "/")); name {
	case "bash", "zsh", "fish", "sh", "dash", "ksh", "pwsh", "powershell", "nu", "elvish", "tcsh":
		return name
	}
	return ""
}

// printable is a text without the characters that a terminal obeys, its lines kept.
func printable(text string) string {
	return subcmd.EscapeBetween(text, "\n")
}

// cutTo is a text with a note where the rest of it was.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("\n... (cut: %d bytes more)", len(text)-most)
}
