package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Loss says by which words a program deletes or stops what is no file of this
// machine: resources, clusters, accounts, services. It is data: a part of the
// program's Command, or a row of a table for programs of which no more is known.
//
// Its patterns are those of a Form. Words may follow one. The empty pattern is the bare program.
type Loss struct {
	Names  string     // base names, which may hold *; "" for all of the Command
	Of     LossFamily // of a row of a Command
	Values string     // options that take the next word, in addition to those of the Command
	Flags  string     // options that take none, likewise; commonFlags are never listed
	Style  Style      // SingleDash is the one that counts
	Dry    string     // options with which the program only says what it would do
	Verbs  []string
	Spares []string // patterns of what is harmless although a verb fits
	// Fits says what patterns cannot: it is asked where none of them fits.
	fits func(*reading) bool
}

// A LossFamily is the place of a table in lossFamilies: what one check asks about.
type LossFamily uint8

const (
	inTable     LossFamily = iota // the row is in the table of its family
	OfInfra                       // what a description of infrastructure names
	OfCluster                     // clusters, and what runs in them
	OfContainer                   // containers
	OfSwarm                       // machines that run containers together
	OfMachine                     // virtual machines
	OfCloud                       // clouds
	OfPlatform                    // platforms that host applications, and services that an application uses
	OfCodeHost                    // code hosts, and services that build what they hold
	OfRegistry                    // package registries
	OfStorage                     // what is stored elsewhere
	OfBackup                      // copies of the past
	OfQueue                       // message brokers and schedulers
	OfCall                        // clients that name what they call
	OfServices                    // services of the system
	OfPower                       // turning the machine off
	OfAccounts                    // users and groups
	OfNetwork                     // opening the firewall, cutting the network off
	OfVolumes                     // volumes, snapshots and pools
	OfWindows                     // what binds every program of a Windows machine, and what its own tools delete
	OfMac                         // the same of macOS
	OfLoaders                     // tools of Windows that fetch or run code, which they are not there for
	OfLinux                       // what binds every program of a Linux machine: the kernel, its guards, what it starts
	OfTunnels                     // ways from the internet to this machine
	OfVersions                    // changes and commits, in other version control than git's own commands
	OfAddresses                   // installing or running what is at an address
	OfDatabase                    // databases, without a statement; from here on the table is forms
	OfReset                       // what an application stores, through its framework
	OfSecrets                     // secret stores and keyrings
)

// commonFlags are options that take no value wherever they are known.
const commonFlags = "-yqfA yes force quiet verbose recursive all wait no-wait json assume-yes non-interactive " +
	"interactive debug auto-approve now ignore-not-found all-namespaces no-input skip-confirmation no-confirm"

// LossesOf returns the families of losses that a program has, a bit each.
// Where a file system folds case, so does the shell.
func LossesOf(name string) uint32 {
	if name == "" {
		return 0
	}
	name = strings.ToLower(name)                                        // nothing is copied where it is so already
	for _, start := range [...]string{"remove-", "stop-", "disable-"} { // cmdlets are known by the start of their names
		if strings.HasPrefix(name, start) {
			return ^uint32(0)
		}
	}
	return lossesIndexed(name)
}

// Loses reports whether a program deletes or stops something of a family. bare is
// set when it does so without a word that would tell it from a name.
func Loses(of LossFamily, name string, args []shell.Word) (loses, bare bool) {
	if of >= OfDatabase {
		return isOneOf(forms[of], name, args), false
	}
	e := Find(name)
	m := e.command()
	tables := [...][]Loss{nil, lossFamilies[of]}
	if m != nil {
		tables[0] = m.Rare().Losses
	}
	for _, rows := range tables {
		for i := range rows {
			row := &rows[i]
			about := row.Names == "" || row.about(name)
			if about && (row.Of == of || row.Of == inTable) && row.takes(m, args) {
				return true, len(row.Verbs) > 0 && row.Verbs[0] == ""
			}
		}
	}
	return false, false
}

// about reports whether the row is about a program, in any case.
func (l *Loss) about(name string) bool {
	for rest := l.Names; rest != ""; {
		var p string
		p, rest, _ = strings.Cut(rest, " ")
		if len(p) == len(name) && strings.EqualFold(p, name) {
			return true
		}
		if strings.HasSuffix(p, "*") && len(name) >= len(p) && strings.EqualFold(p[:len(p)-1], name[:len(p)-1]) {
			return true
		}
	}
	return false
}

// Takes reports whether one of the readings of the words after the program fits.
func (l *Loss) Takes(args []shell.Word) bool { return l.takes(nil, args) }

func (l *Loss) takes(m *Command, args []shell.Word) bool {
	r, doubtful := l.read(m, args, false)
	if !r.loses() && doubtful {
		r, _ = l.read(m, args, true)
	}
	return r.loses()
}

// Gives reports, of the reading that takes an option which is not listed for one
// without a value, whether one of the options of a pattern is given, and its operands.
// dry is set when the program only says what it would do.
func (l *Loss) Gives(args []shell.Word, options string) (given bool, operands []*shell.Word, dry bool) {
	r, _ := l.read(nil, args, false)
	return r.given(options, false), r.words, r.dry
}

// read takes the words after the program apart. An option that is not listed, which the second
// result reports, takes no value, when greedy is set the next word that is no option.
func (l *Loss) read(m *Command, args []shell.Word, greedy bool) (r reading, doubtful bool) {
	own := Command{Values: l.Values, Flags: l.Flags}
	grammars := []*Command{{Flags: commonFlags}, {Flags: l.Dry}, &own}
	if m != nil {
		grammars = []*Command{grammars[0], m, grammars[1], &own}
	}
	a := parseLoosely(args, l.Style, greedy, grammars)
	r.row, r.opts = l, a.Opts
	for _, i := range a.Operands {
		r.words = append(r.words, &args[i])
	}
	r.dry = r.onlyTells(&own)
	return r, len(a.Unknown) > 0
}

// onlyTells reports whether the program is only asked for its help, or what it would do.
func (r *reading) onlyTells(own *Command) bool {
	if r.onlySays("help") || !shell.Listed(own.Values, "h") && !shell.Listed(own.Flags, "h") && r.onlySays("h") {
		return true
	}
	return r.saysOne(r.row.Dry)
}

// loses reports whether the reading is described by the row.
func (r *reading) loses() bool {
	if r.dry || len(r.words) > 0 && r.words[0].Known && r.words[0].Text == "help" {
		return false
	}
	if slices.ContainsFunc(r.row.Spares, r.fitsPattern) {
		return false
	}
	return slices.ContainsFunc(r.row.Verbs, r.fitsPattern) || r.row.fits != nil && r.row.fits(r)
}

// lossVerbs are the verbs by which the programs of clouds and platforms take
// something away, stop it or make it as new, whatever they do it to. Where one of
// them means something harmless, the program's row spares it.
const lossVerbs = "abandon cancel deactivate deallocate decommission delete deletion deprovision deregister " +
	"destroy detach disable disassociate disconnect dissociate erase evict expire forget kill killall leave poweroff " +
	"purge reboot regenerate reject remove reset retire revoke rm shutdown stop suspend terminate unassign " +
	"unbind undeploy uninstall unmap unpublish unregister unset wipe withdraw"

// plainVerbs are verbs that a name or a text follows, and no other verb.
const plainVerbs = "list ls describe show read get view help query create update set add start explain status ssh " +
	"login invoke exec wait publish call execute submit apply"

// plainStarts are verbs that say the same at the start of a word: get-thing-to-delete.
const plainStarts = "get list describe create update set put add start show import export enable test validate"

// plainVerb reports whether no other verb follows a word.
func plainVerb(w *shell.Word) bool {
	return w.Known && (shell.Listed(plainVerbs, w.Text) || shell.StartsWithAny(w.Text, "get-", "list-", "describe-"))
}

// saysLoss reports whether a word is, or may be, a verb that takes away, alone or
// as a part: admin-disable-user, functions:delete, DeleteInstance. What comes
// after a verb that does not is what it is done to: list-deleted, create-reset.
func saysLoss(w *shell.Word) bool {
	text := shell.LiteralPrefix(w)
	if strings.ContainsAny(text, "/.=,@ ") {
		return false
	}
	if first := text[:shell.PartEnd(text)]; len(first) < len(text) && shell.Listed(plainStarts, strings.ToLower(first)) {
		return false
	}
	for text != "" {
		n := shell.PartEnd(text)
		part := strings.ToLower(text[:n])
		if shell.Listed(lossVerbs, part) || n == len(text) && !w.Known && strings.Contains(" "+lossVerbs, " "+part) {
			return true
		}
		text = strings.TrimLeft(text[n:], "-_:")
	}
	return false
}
