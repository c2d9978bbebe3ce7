package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/prove"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type proveOptions struct {
	gate.Flags // --host, --agent, --cwd, --home, --permission-mode and --headless only
	comparedOptions
	tool, never, always, format string
	equivalent, json, asIs      bool
	shared                      bool            // see sharing
	implied                     *subcmd.Implied // whose calls they are
}

// ProveCommand proves a claim about every call.
func ProveCommand() *subcmd.Command {
	var o proveOptions
	return &subcmd.Command{
		Name:  "prove",
		Short: "prove that a policy allows nothing that another one does not, or show the call",
		Long: `Compares the rules of two policies as such, without recorded calls: is there any call
that the policy in force, or that of --policy, answers more loosely than the one of
--against? From loose to strict the answers are allow, left to the program, ask, deny.
Printed is "no looser", or for each rule responsible the shortest call that shows it,
decided under both policies before.

--against and --policy name settings as permgate replay --against does: a folder, a
file, SCOPE=FILE, a git revision, or now. With a revision your own, managed and local
settings are the same on both sides, and what the project shares counts as trusted on
both, so that only changes of the project are compared. --as-is compares with what is in
force now instead. --equivalent also proves the other direction. --never RULE proves
that no call the rule matches is ever allowed, --always RULE that each one is; these
look at one policy.

What a proof assumes is printed with it; docs/prove.md explains it. Nothing is executed
and nothing is written, and neither classifier nor approver is asked.
The exit code is 0 if it is proven, 1 if a call refutes it, 2 if neither can be said,
with what prevents it, and 3 on errors.`,
		Examples: []subcmd.Example{
			{"permgate prove --against HEAD", "do the uncommitted changes loosen anything"},
			{"permgate prove --against origin/main --format markdown", "a table for a pull request"},
			{"permgate prove --against HEAD --policy \"$(git write-tree)\"", "does what is staged"},
			{"permgate prove --policy user=new.json --against now", "a file as your own settings.json"},
			{"permgate prove --against old --equivalent --tool Bash", "the same answers, for shell commands"},
			{"permgate prove --never 'Bash(git push:*)'", "no git push is ever allowed"},
			{"permgate prove --against HEAD --json | jq .findings", "for programs"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.against, "against", "", "compare with the settings of this `DIR|FILE|GITREF`, or now")
			fs.StringVar(&o.policy, "policy", "", "the settings of this `DIR|FILE|GITREF`, not those in force")
			fs.StringVar(&o.tool, "tool", "", "calls of this tool only")
			fs.BoolVar(&o.equivalent, "equivalent", false, "prove that it is no stricter either")
			fs.BoolVar(&o.asIs, "as-is", false, "compare a revision with what is in force now")
			fs.StringVar(&o.never, "never", "", "prove that nothing this `RULE` matches is ever allowed")
			fs.StringVar(&o.always, "always", "", "prove that all this `RULE` matches is allowed")
			fs.StringVar(&o.format, "format", "", "text, json or markdown (default text)")
			fs.BoolVar(&o.json, "json", false, "the same as --format json")
			subcmd.RegisterOnly(fs, &o.Flags, "host", "permission-mode", "agent", "headless", "cwd", "home")
			o.given = fs.Changed
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *proveOptions) run(e *subcmd.Env, args []string) int {
	if err := o.misused(args); err != nil {
		return e.Fail("permgate help prove shows the forms", "%v", err)
	}
	if _, err := gate.NamedHost(o.Host); err != nil {
		return e.UnknownHost(err)
	}
	if err := e.NamesFolder("home", o.Home); err != nil {
		return e.Fail("permgate help prove shows the options", "%v", err)
	}
	policy, against, err := o.sides(e, true)
	if err != nil {
		return e.Fail("permgate help prove shows what --policy and --against take", "%v", err)
	}
	now := *policy
	policy = &now
	o.sharing(e, policy, against)
	return o.compare(e, policy, against)
}

// compare proves the claim and prints the report.
func (o *proveOptions) compare(e *subcmd.Env, policy, against *gate.World) int {
	for i, w := range [...]*gate.World{policy, against} {
		if err := o.faults(e, w, i == 0); err != nil {
			return e.Fail("fix the file: what is decided without it is not what it says", "%v", err)
		}
	}
	e.Needed()
	r, err := o.prove(e, policy, against)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	return o.print(e, r)
}

// sharedAlso is what is assumed where one side is a git revision.
const sharedAlso = "; your own and local settings are the same on both sides, and what the project shares counts as trusted " +
	"(--as-is looks at what is in force now)"

// sharing gives both sides of such a comparison the same local settings, and trusts what the project shares on both:
// the question is what the project changed.
func (o *proveOptions) sharing(e *subcmd.Env, sides ...*gate.World) {
	o.shared = !o.asIs && o.given("against") && slices.ContainsFunc(sides, func(w *gate.World) bool {
		return w.StandIns != nil && w.StandIns.Revision
	})
	for _, w := range sides {
		if !o.shared {
			return
		}
		s := load.StandIns{}
		if w.StandIns != nil {
			s = *w.StandIns
		}
		for _, f := range settingsIn(e, e.PolicyUnder(nil, &gate.Flags{}).Project.Given).Files {
			if !s.Whole || s.Revision && f.Scope == rules.Local { // what is there already comes first, and counts
				s.Files = append(s.Files, f)
			}
		}
		s.Whole, w.StandIns = true, &s
	}
}

// faults returns why a file of one side cannot be used, and prints what else is wrong.
func (o *proveOptions) faults(e *subcmd.Env, w *gate.World, show bool) error {
	if w == nil {
		return nil
	}
	for _, f := range gate.Policy(subcmd.CallOf(nil), &o.Flags, *w).Faults {
		if f.Closed {
			return errors.New(shownFault(e, f))
		}
		if show {
			fmt.Fprintf(e.Err, "%s: %s\n", e.Cmd, shownFault(e, f))
		}
	}
	return nil
}

func (o *proveOptions) misused(args []string) error {
	one := 0
	for _, option := range [...]string{"against", "never", "always"} {
		if o.given(option) {
			one++
		}
	}
	switch {
	case len(args) > 0:
		return fmt.Errorf("unexpected operand %s: what to compare with is the value of --against", subcmd.QuoteArg(args[0]))
	case one == 0:
		return errors.New("--against is missing: it names the settings to compare with")
	case one > 1:
		return errors.New("only one of --against, --never and --always can be proven at a time")
	case o.given("never") && o.never == "", o.given("always") && o.always == "":
		return errors.New("--never and --always take a rule, not ''")
	case o.equivalent && !o.given("against"):
		return errors.New("--equivalent compares two policies: it goes with --against")
	}
	return o.formatted()
}

func (o *proveOptions) formatted() error {
	if o.asIs && !o.given("against") {
		return errors.New("--as-is compares two policies: it goes with --against")
	}
	if o.json && o.given("format") && o.format != "json" {
		return fmt.Errorf("--json and --format %s contradict each other", hookio.Escape(o.format))
	}
	if o.json {
		o.format = "json"
	}
	switch o.format {
	case "", "text", "json", "markdown":
		return nil
	}
	return fmt.Errorf("unknown format %s; text, json and markdown are known", subcmd.QuoteArg(o.format))
}

func (o *proveOptions) print(e *subcmd.Env, r *prove.Report) int {
	hideSecrets(r)
	slices.SortStableFunc(r.Findings, func(a, b prove.Finding) int {
		return cmp.Compare(slices.Index(prove.Kinds[:], a.Kind), slices.Index(prove.Kinds[:], b.Kind))
	})
	switch o.format {
	case "json":
		if code := e.PrintJSON(r); code != subcmd.ExitOK {
			return code
		}
	case "markdown":
		fmt.Fprint(e.Machine(), proofTable(e, o, r))
	default:
		(&proofView{e: e, o: o, paint: e.Paint()}).print(r)
		e.SayImplied(o.implied)
	}
	return int(r.Verdict)
}

func (o *proveOptions) prove(e *subcmd.Env, policy, against *gate.World) (*prove.Report, error) {
	o.AllowBypass = true // the calls are those of a session in the mode, as its payloads say
	job := &prove.Job{Flags: &o.Flags, World: *policy, Against: against, Tool: o.tool}
	switch {
	case o.never != "":
		job.Claim, job.Pattern = prove.Never, o.never
	case o.always != "":
		job.Claim, job.Pattern = prove.Always, o.always
	case o.equivalent:
		job.Claim = prove.Equivalent
	}
	c := subcmd.CallOptions{Flags: o.Flags}
	c.Imply(e)
	o.implied, job.Bind = c.Implied, c.Implied.Bind
	r, err := job.Run()
	if r != nil {
		r.Version, r.Policy = e.Version(), settingsName(o.policy)
		if against != nil {
			r.Other = settingsName(o.against)
		}
		if o.shared {
			r.Assumes += sharedAlso
		}
	}
	return r, err
}

// heading is the answer in one line. Code quotes what the user named.
func (o *proveOptions) heading(r *prove.Report, code func(string) string) string {
	var words [3]string // by verdict
	var of string
	switch {
	case o.never != "":
		of, words = code(o.never), [...]string{"never allowed: ", "allowed, though never wanted: ", "cannot say whether it is never allowed: "}
	case o.always != "":
		of, words = code(o.always), [...]string{"always allowed: ", "not always allowed: ", "cannot say whether it is always allowed: "}
	case o.equivalent:
		of, words = code(r.Other), [...]string{"equivalent to ", "not equivalent to ", "cannot say whether it is equivalent to "}
	default:
		of, words = code(r.Other), [...]string{"no looser than ", "looser than ", "cannot say whether it is looser than "}
	}
	return words[r.Verdict] + of
}

// hideSecrets redacts a report. A call with a secret cannot be made again from it.
func hideSecrets(r *prove.Report) {
	hide := func(text *string) (hit bool) {
		*text, hit = redact.Text(*text)
		return hit
	}
	hide(&r.Claim)
	for i := range r.Findings {
		f := &r.Findings[i]
		hide(&f.Rule)
		hide(&f.Why)
		if hide(&f.Text) {
			f.Input = nil
		} else if _, secret := redact.Text(string(f.Input)); secret {
			f.Input = nil
		}
	}
	for i := range r.Open {
		hide(&r.Open[i].Rule)
		hide(&r.Open[i].Why)
	}
}

type proofView struct {
	e     *subcmd.Env
	o     *proveOptions
	paint func(hookio.Decision, string) string
}

func (v *proofView) print(r *prove.Report) {
	colour := [...]hookio.Decision{hookio.Allow, hookio.Deny, hookio.Ask}[r.Verdict]
	fmt.Fprintln(v.e.Out, v.paint(colour, v.o.heading(r, hookio.Escape)))
	kind := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != kind {
			v.e.Heading(hookio.Escape(f.Kind))
			kind = f.Kind
		}
		v.finding(f)
	}
	if len(r.Open) > 0 {
		v.e.Heading("not known")
		for i := range r.Open {
			v.open(&r.Open[i])
		}
		v.e.Wrapped("  ", openHint)
	}
	fmt.Fprintln(v.e.Out)
	v.e.Wrapped("assumed: ", r.Assumes)
}

const openHint = "what to do: see \"Cannot say\" in docs/prove.md; what is recorded can be compared by permgate replay --against"

func (v *proofView) finding(f *prove.Finding) {
	fmt.Fprintf(v.e.Out, "  %s  %s\n", v.paint(subcmd.Decision(f.Is), answers(f)), hookio.Escape(callTitle(f)))
	if f.Was != "" {
		fmt.Fprintf(v.e.Out, "      %s\n", responsible(f)+v.at(f.Place))
	}
	v.e.Wrapped("      ", v.e.Short(f.Why))
}

func (v *proofView) open(o *prove.Open) {
	fmt.Fprintf(v.e.Out, "  %s\n", strings.TrimSpace(hookio.Escape(o.Tool+"  "+o.Rule))+v.at(o.Place))
	v.e.Wrapped("      ", v.e.Short(o.Why))
}

func (v *proofView) at(place string) string {
	if place == "" {
		return ""
	}
	return "  " + v.e.Place(subcmd.ParsePlace(place))
}

func answers(f *prove.Finding) string {
	if f.Was == "" {
		return f.Is
	}
	return f.Was + " -> " + f.Is
}

func callTitle(f *prove.Finding) string {
	if f.Tool == "Bash" || f.Tool == f.Text {
		return f.Text
	}
	return strings.TrimSpace(f.Tool + " " + rules.NativeOS().Native(f.Text))
}

func responsible(f *prove.Finding) string {
	text := f.Rule
	if f.List != "" {
		text = f.List + " " + text
	}
	if f.Gone {
		text += " (removed)"
	}
	return hookio.Escape(text)
}

// Bounds of a table: a comment takes 64 KiB.
const (
	tableRows = 50
	tableCell = 300 // characters
)

// proofTable is a report as Markdown: text from settings is in code spans, where nothing is a link, a name or HTML.
func proofTable(e *subcmd.Env, o *proveOptions, r *prove.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**permgate prove**: %s\n", o.heading(r, codeSpan))
	if len(r.Findings) > 0 {
		b.WriteString("\n| | answer | call | because of | in |\n|---|---|---|---|---|\n")
	}
	for i := range r.Findings[:min(len(r.Findings), tableRows)] {
		f := &r.Findings[i]
		because := responsible(f)
		if f.Was == "" { // there is one policy
			because = e.Short(f.Why)
		}
		row(&b, hookio.Escape(f.Kind), codeSpan(answers(f)), codeSpan(callTitle(f)), codeSpan(because), placeSpan(e, f.Place))
	}
	more(&b, len(r.Findings))
	if len(r.Open) > 0 {
		b.WriteString("\nNot known:\n\n| tool | rule | in | because |\n|---|---|---|---|\n")
	}
	for _, x := range r.Open[:min(len(r.Open), tableRows)] {
		row(&b, codeSpan(x.Tool), codeSpan(x.Rule), placeSpan(e, x.Place), codeSpan(e.Short(x.Why)))
	}
	more(&b, len(r.Open))
	fmt.Fprintf(&b, "\nAssumed: %s\n", hookio.Escape(r.Assumes))
	return b.String()
}

func row(b *strings.Builder, cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

func more(b *strings.Builder, rows int) {
	if rows > tableRows {
		fmt.Fprintf(b, "\nand %d more: permgate prove --json has them\n", rows-tableRows)
	}
}

func placeSpan(e *subcmd.Env, place string) string {
	if place == "" {
		return ""
	}
	return codeSpan(e.Place(subcmd.ParsePlace(place)))
}

// codeSpan is text for a cell of a table: its marks are longer than any in it, and | is escaped.
func codeSpan(text string) string {
	text = subcmd.Cut(hookio.Escape(text), tableCell)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	mark := subcmd.Backticks(text, 1)
	if len(mark) > 1 || text[0] == ' ' {
		text = " " + text + " "
	}
	return mark + strings.ReplaceAll(text, "|", `\|`) + mark
}
