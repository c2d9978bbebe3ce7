package hosts

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/policy/native"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type exportOptions struct {
	subcmd.WriteOptions
	host        string
	check, json bool
}

// ExportCommand writes rules in an agent program's own words.
func ExportCommand() *subcmd.Command {
	var o exportOptions
	return &subcmd.Command{
		Name:  "export",
		Args:  "--host claude|codex",
		Short: "write the rules in force for the agent program's own engine",
		Long: `Writes your rules into the agent program's own settings, so that they count where
permgate is not installed and where its hook is not called. Your own and managed rules
go into your settings of the program, those of the project into its settings.local.json;
session grants and grants with an end are never written.

Deny and ask rules come first: all that the program has words for. An allow rule is
written only if permgate proves that it would allow every call the program takes it
for, in every mode and whatever is on the disk. Every other rule is listed with the
reason, and still counts in the hook. Rules you wrote yourself are never touched, and
permgate takes none of what it wrote for a grant.

--check exits with 1 if rules were edited or are out of date; permgate uninstall removes
what was written. See docs/native.md. It changes what is asked about, so it needs a
terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate export --host claude --dry-run", "what would be written, and what would be lost"},
			{"permgate export --host claude --check", "whether what was written is up to date"},
			{"permgate export --host codex --yes", "rules for commands, in ~/.codex/rules/permgate.rules"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.host, "host", "", "agent program: claude, codex")
			o.WriteOptions.Register(fs)
			fs.BoolVar(&o.check, "check", false, "write nothing; exit with 1 if the settings differ from what would be written")
			fs.BoolVar(&o.json, "json", false, "print one JSON object; writes only with --yes")
			o.Summary = true
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *exportOptions) run(e *subcmd.Env, args []string) int {
	h := native.Lookup(o.host)
	switch {
	case len(args) > 0:
		return e.Fail("permgate help export", "unexpected operand %q", args[0])
	case o.host == "":
		return e.Fail(e.Cmd+" --host claude|codex", "which agent program?")
	case h == nil:
		return e.Fail(e.Cmd+" --host claude|codex", "%s: no rules of this program can be written", hookio.Escape(o.host))
	}
	x, err := newExport(e, h)
	if err != nil {
		return e.FailFile(err)
	}
	if o.check || o.json && !o.Yes {
		return x.checked(o)
	}
	if !o.json {
		x.print()
	}
	if done, code := e.Apply(&o.WriteOptions, x.changes...); !done {
		return code
	}
	if o.json {
		return e.PrintJSON(x.report())
	}
	if len(subcmd.Changed(x.changes)) == 0 {
		fmt.Fprintln(e.Out, "nothing to change")
	}
	for _, t := range x.targets {
		if t.change.Changed() {
			fmt.Fprintf(e.Out, "wrote %s%s\n", e.Path(t.change.Name), t.change.Kept(e))
		}
	}
	return subcmd.ExitOK
}

func (x *export) checked(o *exportOptions) int {
	code := subcmd.ExitOK
	if len(x.drift) > 0 && o.check {
		code = subcmd.ExitFindings
	}
	if o.json {
		if printed := x.e.PrintJSON(x.report()); printed != subcmd.ExitOK {
			return printed
		}
		return code
	}
	for _, d := range x.drift {
		fmt.Fprintln(x.e.Out, x.e.Short(d.String()))
	}
	if len(x.drift) == 0 {
		fmt.Fprintf(x.e.Out, "up to date: %s exported to %s\n", subcmd.Plural(x.count(), "rule", "rules"), x.title)
	}
	return code
}

func (x *export) count() (n int) {
	for _, t := range x.targets {
		n += len(t.want)
	}
	return n
}

// print says what is written, where, and what is not.
func (x *export) print() {
	e := x.e
	for _, t := range x.targets {
		if len(t.want) == 0 {
			continue
		}
		fmt.Fprintf(e.Out, "%s for %s\n", subcmd.Plural(len(t.want), "rule", "rules"), e.Path(t.change.Name))
		var rows [][]string
		for _, r := range t.want {
			from := "leaving the sandbox stays a question"
			if r.From != nil {
				from = e.Place(r.From.Pos)
			}
			rows = append(rows, []string{r.List.String(), hookio.Escape(r.Text), from})
		}
		e.Table("  ", rows)
	}
	if n := len(x.plan.Kept); n > 0 {
		fmt.Fprintf(e.Out, "%s already in a file that %s reads\n", subcmd.Plural(n, "rule is", "rules are"), x.title)
	}
	if len(x.plan.Losses) > 0 {
		e.Heading(fmt.Sprintf("not for %s: %s, which the hook alone obeys", x.title,
			subcmd.Plural(len(x.plan.Losses), "rule", "rules")))
	}
	var rows [][]string
	for _, l := range x.plan.Losses {
		rows = append(rows, []string{l.Rule.List.String(), hookio.Escape(l.Rule.Text), e.Place(l.Rule.Pos)},
			[]string{"    " + hookio.Escape(e.Short(l.Why))})
	}
	e.Table("  ", rows)
}

// An exportReport is what --json prints.
type exportReport struct {
	Host   string       `json:"host"`
	Source string       `json:"source"` // of what is known of the program's rules
	Rules  []exportLine `json:"rules"`
	Losses []exportLine `json:"losses"`
	Kept   []exportLine `json:"kept"`
	Drift  []exportLine `json:"drift"`
}

// An exportLine is one rule; place is where the rule is that it was made of.
type exportLine struct {
	Path  string `json:"path,omitempty"`
	List  string `json:"list"`
	Rule  string `json:"rule"`
	Place string `json:"place,omitempty"`
	Why   string `json:"why,omitempty"`
}

// String is a line of what differs.
func (l *exportLine) String() string {
	if l.Rule == "" {
		return l.Path + ": " + l.Why
	}
	return fmt.Sprintf("%s: %s %s %s", l.Path, l.List, hookio.Escape(l.Rule), l.Why)
}

func (x *export) report() *exportReport {
	r := &exportReport{x.h.Name, x.h.Source, []exportLine{}, []exportLine{}, []exportLine{}, x.drift}
	for _, t := range x.targets {
		for _, w := range t.want {
			place := ""
			if w.From != nil {
				place = w.From.Pos.String()
			}
			r.Rules = append(r.Rules, exportLine{t.change.Name, w.List.String(), w.Text, place, ""})
		}
	}
	for _, l := range x.plan.Losses {
		r.Losses = append(r.Losses, exportLine{"", l.Rule.List.String(), l.Rule.Text, l.Rule.Pos.String(), l.Why})
	}
	for _, k := range x.plan.Kept {
		r.Kept = append(r.Kept, exportLine{"", k.List.String(), k.Text, k.Pos.String(), ""})
	}
	return r
}

// export finds drift where something was exported before.
func (c *checkup) export(hosts []*hookio.Host) {
	for _, h := range hosts {
		to := native.Lookup(h.Name)
		if to == nil || !exported(c.Env, to) {
			continue
		}
		fix := "permgate export --host " + h.Name
		switch x, err := newExport(c.Env, to); {
		case err != nil:
			c.add(warn, "export", fix, "what was exported to %s cannot be checked: %v", h.Title, err)
		case len(x.drift) > 0:
			c.add(warn, "export", fix, "what was exported to %s is out of date or was edited: %s", h.Title,
				c.Short(x.drift[0].String()))
		default:
			c.add(fine, "export", "", "%s exported to %s", subcmd.Plural(x.count(), "rule", "rules"), h.Title)
		}
	}
}

// SayExport says how rules that were just written get to a program that others were exported to.
func SayExport(e *subcmd.Env) {
	for _, h := range native.Hosts() {
		if exported(e, h) {
			fmt.Fprintf(e.Out, "for %s's own engine, too: permgate export --host %s\n", hookio.Lookup(h.Name).Title, h.Name)
		}
	}
}

// owned reports whether a program reads a settings file by itself.
func (x *export) owned(file string) bool {
	if !x.h.InSettings || filepath.Base(file) == "permgate.json" {
		return false
	}
	dir, managed := filepath.Base(filepath.Dir(file)), x.e.World.ManagedDir
	known := load.ClaudeFolder(dir) || rules.Within(file, filepath.Dir(x.user))
	return known || len(managed) > 0 && rules.Within(file, managed[len(managed)-1])
}
