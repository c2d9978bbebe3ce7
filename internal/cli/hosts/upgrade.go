package hosts

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules/load"
)

type upgradeOptions struct {
	installOptions
	posture, all bool
}

// UpgradeCommand brings the recommended posture up to date.
func UpgradeCommand() *subcmd.Command {
	var o upgradeOptions
	return &subcmd.Command{
		Name:  "upgrade",
		Args:  "[--posture]",
		Short: "how to upgrade, and what is new in the recommended posture",
		Long: `permgate uses no network, so it does not upgrade itself: without options this prints
the command for each way of installing.

--posture shows the recommended keys of permgate.json that are new since the version
that wrote the file, with what each changes, and adds them. Keys you set keep their
values, and keys you removed stay away (--all adds those as well). To decline a new
key, write it with another value.

It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate upgrade", "the command to upgrade with"},
			{"permgate upgrade --posture --dry-run", "what is new since the file was written"},
			{"permgate upgrade --posture --host claude --all", "with the keys you removed"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.posture, "posture", false, "add new recommended keys to permgate.json")
			fs.BoolVar(&o.all, "all", false, "with --posture: keys you removed as well")
			o.register(fs)
			fs.Lookup("host").Usage = "only this agent program"
			fs.Lookup("scope").Usage = "whose permgate.json: user, managed"
		},
		Run: func(e *subcmd.Env, args []string) int {
			writes := o.all || o.DryRun || o.Yes || o.Diff
			switch {
			case len(args) > 0:
				return e.Fail("permgate help upgrade", "unexpected operand %q", args[0])
			case o.posture:
				return upgradePosture(e, &o)
			case writes || o.host != "":
				return e.Fail("permgate upgrade --posture", "these options go with --posture")
			}
			e.Prose(upgradeText(runtime.GOOS))
			return subcmd.ExitOK
		},
	}
}

// upgradeText says how the program is upgraded where it may have been installed, by system.
func upgradeText(goos string) string {
	const flags = `-trimpath -buildmode=exe -ldflags "-s -w" `
	ways := `  deb, rpm     sudo apt install ./permgate_*.deb    sudo dnf install ./permgate-*.rpm
  brew         brew upgrade permgate
  go install   CGO_ENABLED=0 go install ` + flags + `\
               ` + subcmd.Module + `@latest
  source       git pull && ./install.sh
  archive      unpack it elsewhere, then mv permgate over the old one: cp is no one step
`
	if goos == "windows" {
		ways = `  scoop        scoop update permgate
  winget       winget upgrade permgate
  go install   go install ` + flags + subcmd.Module + `@latest
  source       git pull, then powershell -ExecutionPolicy Bypass -File install.ps1
  archive      unpack it elsewhere, rename the old permgate.exe, then move the new one there
`
	}
	return `permgate uses no network and does not upgrade itself. Upgrade it the way it was
installed:

` + ways + `
Settings, session grants, trust records and the log stay. Then:

  permgate upgrade --posture   add what is new in the recommended posture
  permgate doctor              check binary, registrations, settings and log
`
}

func upgradePosture(e *subcmd.Env, o *upgradeOptions) int {
	hosts := hostsNamed(o.host)
	if hosts == nil {
		return e.Fail("permgate upgrade --posture --host "+agents.Names("|"), "%s: permgate cannot register with this program", o.host)
	}
	if o.scope != hookio.ForUser && o.scope != hookio.ForManaged {
		return e.Fail("--scope user or managed", "no recommended posture for scope %q", o.scope)
	}
	var p *upgradePlan
	done, code := e.Write(&o.WriteOptions, func() (changes []*subcmd.Change, err error) {
		again := p != nil
		if p, err = planUpgrade(e, o, hosts); err == nil && !again {
			for _, line := range p.removed {
				e.Wrapped("removed earlier, so not added: ", line)
			}
		}
		return p.changes, err
	})
	switch {
	case !done:
		return code
	case p.sections == 0:
		return e.Fail("permgate install --host "+cmp.Or(o.host, "NAME")+o.scopeFlag(), "permgate install wrote no posture yet")
	case len(subcmd.Changed(p.changes)) == 0:
		fmt.Fprintln(e.Out, "nothing to do: no recommended key is new")
	}
	for _, ch := range subcmd.Changed(p.changes) {
		fmt.Fprintf(e.Out, "upgraded %s%s\n", e.Path(ch.Name), ch.Kept(e))
	}
	return subcmd.ExitOK
}

type upgradePlan struct {
	changes  []*subcmd.Change
	docs     []*edit.Doc // of changes
	sections int         // that install wrote
	removed  []string    // keys that stay away, by program
}

// planUpgrade works out what the files become. Several programs may have a section in one.
func planUpgrade(e *subcmd.Env, o *upgradeOptions, hosts []*hookio.Host) (*upgradePlan, error) {
	p := &upgradePlan{}
	for _, h := range hosts {
		name, err := e.PostureFile(h, o.scope)
		if err != nil {
			return p, err
		}
		i := slices.IndexFunc(p.changes, func(ch *subcmd.Change) bool { return ch.Name == name })
		if i < 0 {
			ch, doc, err := subcmd.ReadForChange(e, name)
			if err != nil {
				return p, err
			}
			i, p.changes, p.docs = len(p.changes), append(p.changes, ch), append(p.docs, doc)
		}
		ch, doc := p.changes[i], p.docs[i]
		if !agents.Written(h, doc) {
			continue
		}
		p.sections++
		if gone := agents.Absent(h, doc).Removed; len(gone) > 0 && !o.all {
			p.removed = append(p.removed, h.Title+": "+keyNames(gone)+" (--all adds them)")
		}
		keys, err := agents.Recommend(h, doc, o.all)
		if err != nil {
			return p, err
		}
		ch.What = append(ch.What, newKeys(h, keys)...)
		ch.Text = doc.Bytes()
	}
	return p, nil
}

func newKeys(h *hookio.Host, keys []hookio.Recommended) (lines []string) {
	for _, k := range keys {
		doc := ""
		for i := range load.PostureKeys {
			if load.PostureKeys[i].Name == k.Name {
				doc = " (" + load.PostureKeys[i].Doc + ")"
			}
		}
		lines = append(lines, "posture for "+h.Title+": "+keyNames([]hookio.Recommended{k})+doc)
	}
	return lines
}

func keyNames(keys []hookio.Recommended) string {
	var out []string
	for _, k := range keys {
		out = append(out, k.Name+" "+strings.Trim(k.JSON, `"`))
	}
	return strings.Join(out, ", ")
}

func (c *checkup) newPosture(h *hookio.Host, regs []registered) {
	for _, scope := range [...]string{hookio.ForUser, hookio.ForManaged} {
		managed := scope == hookio.ForManaged
		if !slices.ContainsFunc(regs, func(r registered) bool { return (r.Scope == hookio.ForManaged) == managed }) {
			continue
		}
		name, err := c.PostureFile(h, scope)
		if err != nil {
			continue
		}
		doc, err := edit.Parse(name, c.ReadText(name))
		if err != nil { // said of the settings
			continue
		}
		fix := "permgate upgrade --posture"
		if managed {
			fix = subcmd.AsAdmin(fix + " --scope managed")
		}
		absent := agents.Absent(h, doc)
		switch {
		case !agents.Written(h, doc):
			c.add(fine, h.Name, "", "no recommended posture in %s; permgate install --host %s adds it", c.Path(name), h.Name)
		case len(absent.New) > 0:
			c.add(warn, h.Name, fix, "%s lacks what is new in the recommended posture: %s", c.Path(name), keyNames(absent.New))
		case len(absent.Removed) > 0:
			c.add(fine, h.Name, "", "%s leaves out recommended keys: %s; %s --all adds them", c.Path(name), keyNames(absent.Removed), fix)
		}
	}
}
