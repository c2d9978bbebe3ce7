package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type ruleEdit struct {
	subcmd.WriteOptions
	scope, host string

	// worked out from the operands
	list rules.List
	rule string
	h    *hookio.Host // nil when none is named
	p    *rules.Policy
}

func (o *ruleEdit) register(fs *pflag.FlagSet, scope, usage string) {
	fs.SetInterspersed(true) // options may also follow the rule
	fs.StringVar(&o.scope, "scope", scope, usage)
	fs.StringVar(&o.host, "host", "", "agent program whose settings folder is used; default: the first that exists of "+strings.Join(load.Roots[:], ", "))
	o.WriteOptions.Register(fs)
}

func rulesAddCommand(before **pflag.FlagSet) *subcmd.Command {
	var o ruleEdit
	return &subcmd.Command{
		Name:  "add",
		Args:  "LIST RULE",
		Short: "write a rule into a settings file",
		Long: `Adds the rule as the last entry of a list (allow, ask or deny) in the settings file
of a scope. Formatting and comments stay. permgate first checks the rule against all
others and says if it will have no effect, if it does not count in that file, and
which other rules lose their effect.

The change is shown as a diff, and with it each call of the log that it would decide
otherwise. It changes what is asked about, so it needs a terminal to confirm on, or
--yes.`,
		Examples: []subcmd.Example{
			{"permgate rules add allow 'Bash(npm test)'", "your own settings for this project"},
			{"permgate rules add deny 'Read(./.env)' --scope shared", "for everyone on the project"},
			{"permgate rules add ask 'Bash(git push:*)' --scope user --dry-run", "the change as a diff"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs, rules.Local.String(), "which settings: local, shared, user")
		},
		Operands: "list -",
		Run:      func(e *subcmd.Env, args []string) int { return o.run(e, args, *before, o.add) },
	}
}

func rulesRemoveCommand(before **pflag.FlagSet) *subcmd.Command {
	var o ruleEdit
	return &subcmd.Command{
		Name:  "remove",
		Args:  "LIST RULE",
		Short: "remove a rule from a settings file",
		Long: `Removes the rule from a list (allow, ask or deny) of the settings file it is in; spell
it exactly as it is there. Comments around it stay. Without --scope permgate looks in
the local, shared and user settings; if several files have the rule, choose one with
--scope.

The change is shown as a diff, and with it each call of the log that it would decide
otherwise. It changes what is asked about, so it needs a terminal to confirm on, or
--yes.`,
		Examples: []subcmd.Example{
			{"permgate rules remove allow 'Bash(npm test)'", "wherever it is"},
			{"permgate rules remove deny 'Read(./.env)' --scope shared", ""},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs, "", "which settings: local, shared, user; default: all of them")
		},
		Operands: "list -",
		Run:      func(e *subcmd.Env, args []string) int { return o.run(e, args, *before, o.remove) },
	}
}

// run checks what was typed, and edits. before has the options in front of the verb, where they have no effect.
func (o *ruleEdit) run(e *subcmd.Env, args []string, before *pflag.FlagSet, edits func(*subcmd.Env) int) int {
	misplaced := ""
	if before != nil {
		before.Visit(func(f *pflag.Flag) { misplaced = f.Name })
	}
	if misplaced != "" {
		return e.Fail(e.Cmd+" ... --"+misplaced, "--%s comes before the verb; options of a verb go after it", misplaced)
	}
	if code := o.operands(e, args); code != subcmd.ExitOK {
		return code
	}
	return edits(e)
}

// operands checks LIST RULE, scope and host, and loads the policy.
func (o *ruleEdit) operands(e *subcmd.Env, args []string) int {
	usage := e.Cmd + " allow|ask|deny 'Tool(pattern)'"
	if len(args) != 2 {
		what := "expected two operands, the list and the rule"
		if len(args) > 2 {
			what = "expected one list and one rule: quote a rule with spaces or parentheses"
		}
		return e.Fail(usage, "%s", what)
	}
	for _, list := range [...]rules.List{rules.Allow, rules.Ask, rules.Deny} {
		if args[0] == list.String() {
			o.list = list
		}
	}
	if o.list == rules.NoList {
		return e.Fail(usage, "unknown list %q; lists are allow, ask, deny", hookio.Escape(args[0]))
	}
	o.rule = strings.TrimSpace(args[1])
	switch o.scope {
	case "", rules.Local.String(), rules.Shared.String(), rules.User.String():
	case rules.Managed.String():
		return e.Fail("an administrator edits them by hand; permgate rules shows where they are",
			"this command does not change managed settings")
	default:
		return e.Fail("--scope local, shared or user", "unknown scope %q", hookio.Escape(o.scope))
	}
	var err error
	if o.h, err = gate.NamedHost(o.host); err != nil {
		return e.UnknownHost(err)
	}
	o.p = e.Policy(o.h)
	return subcmd.ExitOK
}

func (o *ruleEdit) add(e *subcmd.Env) int {
	if why, near := wrongRule(o.rule, o.list); why != "" {
		hint := "permgate help patterns has the grammar"
		if near != "" {
			hint = e.Cmd + " " + o.list.String() + " " + subcmd.QuoteArg(near)
		}
		return e.Fail(hint, "%s", hookio.Escape(why))
	}
	name, err := e.SettingsFile(o.p, o.h, o.scope)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	if o.scope == rules.Shared.String() && o.users(e, name) {
		return e.Fail("use --scope user; --scope local is for calls made from here",
			"here in your home directory, %s applies to every project", e.Path(name))
	}
	now, doc, err := e.OpenSettings(o.p, o.scope, name)
	if err != nil {
		return e.FailFile(err)
	}
	if at := rulePlace(doc, o.list, o.rule); at != "" {
		fmt.Fprintf(e.Out, "nothing to do: %s is already in %s (%s)\n", hookio.Escape(o.rule), o.list, at)
		o.say(e, o.added(e, now))
		return subcmd.ExitOK
	}
	plan := func() ([]*subcmd.Change, error) {
		ch, err := e.AddRules(o.p, o.scope, name, o.list, o.rule)
		return []*subcmd.Change{ch}, err
	}
	planned, err := plan()
	if err != nil {
		return e.FailFile(err)
	}
	o.say(e, o.added(e, planned[0]))
	o.First = firstOn(e, &gate.Flags{})
	if done, code := e.Write(&o.WriteOptions, plan); !done {
		return code
	}
	fmt.Fprintf(e.Out, "added to %s in %s: %s\n", o.list, e.Path(name), hookio.Escape(o.rule))
	return subcmd.ExitOK
}

func (o *ruleEdit) say(e *subcmd.Env, notes []string) {
	for _, n := range notes {
		fmt.Fprint(e.Err, subcmd.Wrap("note: ", hookio.Escape(n), 0))
	}
}

func rulePlace(doc *edit.Doc, list rules.List, rule string) string {
	els := edit.Elements(edit.Member(&doc.Root, "permissions", list.String()))
	for i := range els {
		if edit.Text(&els[i]) == rule {
			pos := doc.Pos(&els[i])
			return pos[:strings.LastIndexByte(pos, ':')]
		}
	}
	return ""
}

// policyWith is the policy of calls made here, with one file changed. h may be nil.
func policyWith(e *subcmd.Env, h *hookio.Host, ch *subcmd.Change) *rules.Policy {
	w := e.WorldWith(ch)
	return load.Load(gate.LoadOptions(subcmd.CallOf(h), &gate.Flags{}, w), w.Files)
}

func (o *ruleEdit) added(e *subcmd.Env, ch *subcmd.Change) []string {
	after := policyWith(e, o.h, ch)
	var notes []string
	note := func(text string) { notes = append(notes, text) }
	if o.scope == rules.Local.String() && e.World.Files.Tracked(ch.Name) {
		note("git tracks " + e.Path(ch.Name) + ", so it is shared; remove it from the index: git rm --cached")
	}
	r := standsIn(after, ch.Name, o.list, o.rule)
	if r == nil {
		why := "it is in a place where no settings are read"
		for _, d := range after.Dropped {
			if d.Text == o.rule && d.Pos.File == e.World.OS.Canon(ch.Name) {
				why = e.Short(d.Why)
			}
		}
		return append(notes, "it does not count: "+why)
	}
	if !rules.KnownTool(r.Tool) {
		note("no tool called " + r.Tool + " is known; the rule matches only a tool with exactly that name")
	}
	was := algebra.Shadows(o.p)
	for _, s := range algebra.Shadows(after) {
		switch {
		case s.Rule == r:
			note("it has no effect: " + s.How() + places(e, &s))
		case (s.By == r || slices.Contains(s.With, r)) && !shadowed(was, s.Rule):
			note(s.Rule.Text + " (" + s.Rule.List.String() + ", " + e.Place(s.Rule.Pos) + ") has no effect any more: " + s.How())
		}
	}
	for _, f := range after.Faults {
		if f.Closed && o.list == rules.Allow {
			note("every allow becomes ask until this is fixed: " + e.Fault(&f))
			break
		}
	}
	if s := after.Posture.Enforce; s.Value == "false" {
		note("only managed denies are answered in observe mode (enforce: false, " + e.Place(s.Pos) + ")")
	}
	return notes
}

func (o *ruleEdit) removed(e *subcmd.Env, ch *subcmd.Change) []string {
	gone := standsIn(o.p, ch.Name, o.list, o.rule)
	if gone == nil {
		return nil
	}
	after := policyWith(e, o.h, ch)
	for _, r := range loaded(after) {
		if r.List == gone.List && algebra.Replaces(after, r, gone) {
			return []string{"the same calls are still covered by " + r.List.String() + ": " + r.Text +
				" (" + e.Place(r.Pos) + ")"}
		}
	}
	return nil
}

func standsIn(p *rules.Policy, file string, list rules.List, text string) *rules.Rule {
	file = p.OS.Canon(file)
	for _, r := range loaded(p) {
		if r.List == list && r.Text == text && r.Pos.File == file {
			return r
		}
	}
	return nil
}

// shadowed reports whether a rule had no effect before; its line may have moved.
func shadowed(list []algebra.Shadow, r *rules.Rule) bool {
	return slices.ContainsFunc(list, func(s algebra.Shadow) bool {
		return s.Rule.List == r.List && s.Rule.Text == r.Text && s.Rule.Pos.File == r.Pos.File
	})
}

// wrongRule says what is wrong with a rule to be written and the nearest right form, each "" for none. A tool that
// differs from a known one in case alone is wrong too: no call is named so.
func wrongRule(text string, list rules.List) (why, near string) {
	r, err := rules.ParseRule(text, list, rules.Local, rules.Pos{}, false)
	name, rest := text, ""
	if i := strings.IndexByte(text, '('); i >= 0 {
		name, rest = text[:i], text[i:]
	}
	switch meant := gate.MeantTool(name); {
	case err == nil && meant != "":
		return "tool names are exact, and no call is named " + name, meant + rest
	case hookio.Escape(text) != text:
		return "the rule contains an invisible character", ""
	case err == nil && r.Tool != "":
		if one, more, found := strings.Cut(text, "),"); found {
			next, err := rules.ParseRule(strings.TrimSpace(more), list, rules.Local, rules.Pos{}, false)
			if err == nil && rules.KnownTool(next.Tool) {
				return "this is several rules in one string, which matches nothing; add them one by one", one + ")"
			}
		}
		return "", ""
	}
	for _, try := range nearForms(text, name) {
		if _, err := rules.ParseRule(try, list, rules.Local, rules.Pos{}, false); err == nil && try != text {
			near = try
			break
		}
	}
	return err.Error(), near
}

// nearForms are what a malformed rule may have been meant as, the likeliest first.
func nearForms(text, name string) []string {
	var out []string
	open, last := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	known := func(tool string) string {
		if meant := gate.MeantTool(tool); meant != "" {
			return meant
		}
		if rules.KnownTool(tool) && !strings.ContainsAny(tool, "*?") {
			return tool
		}
		return ""
	}
	switch {
	case open > 0 && last < open:
		out = append(out, text+")")
	case open > 0 && last < len(text)-1:
		out = append(out, text[:last+1])
	case open > 0 && known(name) != "":
		out = append(out, known(name)) // nothing in the parentheses that would narrow it
	}
	if i := strings.IndexAny(text, " \t:"); i > 0 && open < 0 {
		if tool := known(text[:i]); tool != "" {
			out = append(out, tool+"("+strings.TrimSpace(text[i+1:])+")")
		} else if text[i] != ':' {
			out = append(out, "Bash("+text+")") // a command without its tool
		}
	}
	return out
}

// A standing is a place of a rule in a settings file that may be edited.
type standing struct {
	name, scope string
	list        rules.List
	at          string // file:line, as the user names it
}

func (o *ruleEdit) remove(e *subcmd.Env) int {
	all, bad := o.standings(e)
	hits := slices.DeleteFunc(slices.Clone(all), func(s standing) bool {
		return s.list != o.list || o.scope != "" && s.scope != o.scope
	})
	switch {
	case len(hits) == 0:
		return o.notThere(e, all, bad)
	case len(hits) > 1:
		var at []string
		for _, s := range hits {
			at = append(at, s.at+" ("+s.scope+")")
		}
		return e.Fail("choose one: --scope "+hits[0].scope+o.hostHint(hits), "%s is in several files: %s",
			hookio.Escape(o.rule), strings.Join(at, ", "))
	}
	name, scope := hits[0].name, hits[0].scope
	var last *subcmd.Change
	plan := func() ([]*subcmd.Change, error) {
		ch, doc, err := e.OpenSettings(o.p, scope, name)
		if err != nil {
			return nil, err
		}
		if _, err := doc.RemoveRule(o.list.String(), o.rule); err != nil {
			return nil, err
		}
		ch.Text = doc.Bytes()
		last = ch
		return []*subcmd.Change{ch}, nil
	}
	if _, err := plan(); err != nil {
		return e.FailFile(err)
	}
	o.say(e, o.removed(e, last))
	o.First = firstOn(e, &gate.Flags{})
	if done, code := e.Write(&o.WriteOptions, plan); !done {
		return code
	}
	fmt.Fprintf(e.Out, "removed from %s in %s (%s): %s\n", o.list, e.Path(name), scope, hookio.Escape(o.rule))
	return subcmd.ExitOK
}

// hostHint is the further option that tells files of one scope apart.
func (o *ruleEdit) hostHint(hits []standing) string {
	if hits[0].scope != hits[1].scope {
		return ""
	}
	return " --host " + strings.TrimPrefix(filepath.Base(filepath.Dir(hits[0].name)), ".")
}

// standings lists the rule's places in files that can be edited. bad are those that cannot be read.
func (o *ruleEdit) standings(e *subcmd.Env) (all []standing, bad []error) {
	for _, scope := range [...]string{rules.Local.String(), rules.Shared.String(), rules.User.String()} {
		for _, name := range e.SettingsFiles(o.p, o.h, scope) {
			if _, err := e.World.Files.Lstat(name); err != nil || scope == rules.Shared.String() && o.users(e, name) {
				continue
			}
			_, doc, err := subcmd.ReadForChange(e, name)
			if err != nil {
				if o.scope == "" || o.scope == scope {
					bad = append(bad, err)
				}
				continue
			}
			for _, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
				if at := rulePlace(doc, list, o.rule); at != "" {
					all = append(all, standing{name, scope, list, at})
				}
			}
		}
	}
	return all, bad
}

// users reports whether a file is the user's own settings, as the shared ones of the home directory are.
func (o *ruleEdit) users(e *subcmd.Env, name string) bool {
	return slices.Contains(e.SettingsFiles(o.p, nil, rules.User.String()), name)
}

func (o *ruleEdit) notThere(e *subcmd.Env, places []standing, bad []error) int {
	if len(bad) > 0 {
		return e.FailFile(bad[0])
	}
	where := "the settings of this project and user"
	if o.scope != "" {
		where = "the " + o.scope + " settings"
	}
	what := fmt.Sprintf("%s is not in %s of %s", hookio.Escape(o.rule), o.list, where)
	if len(places) > 0 {
		s := places[0]
		return e.Fail(fmt.Sprintf("permgate rules remove %s %s --scope %s", s.list, subcmd.QuoteArg(o.rule), s.scope),
			"%s; it is in %s of the %s settings, %s", what, s.list, s.scope, s.at)
	}
	all := loaded(o.p)
	for _, r := range all {
		if r.Text != o.rule {
			continue
		}
		hint := "permgate rules shows where every rule is; edit that file by hand"
		if r.Scope == rules.Managed {
			hint = "only an administrator changes managed settings, by hand"
		}
		return e.Fail(hint, "%s; it is in %s of the %s settings, %s", what, r.List, r.Scope, e.Place(r.Pos))
	}
	p := algebra.Of(o.p)
	for _, r := range all {
		if want, err := rules.ParseRule(o.rule, r.List, r.Scope, r.Pos, r.Claude); err == nil &&
			p.Covers(r, &want) && p.Covers(&want, r) {
			return e.Fail(fmt.Sprintf("permgate rules remove %s %s", r.List, subcmd.QuoteArg(r.Text)),
				"%s; it is spelt %s in %s, %s", what, hookio.Escape(r.Text), r.List, e.Place(r.Pos))
		}
	}
	return e.Fail("permgate rules lists the rules in force", "%s", what)
}

func loaded(p *rules.Policy) []*rules.Rule {
	return slices.Concat(pointers(p.Deny), pointers(p.Ask), pointers(p.Allow))
}
