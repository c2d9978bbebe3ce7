// Package remote recognises the commands that delete data or stop machines
// elsewhere: in clouds, clusters, databases and other services.
package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A deletion is what is known of one program that deletes or stops what is no
// file of this machine: resources, clusters, accounts, services. It is data,
// one literal a program, and speaks of argv alone, so that a program without a
// Command can have one.
//
// A pattern is blank-separated and describes a command from the word after the
// program on:
//
//	destroy      that word; rm|remove is one of several, delete-* any such word
//	*            any word
//	**           any words that are no verb of their own, none included
//	$            no word follows
//	-f|--force   that option, wherever it is; long ones may be abbreviated
//	--size=0     that option with that value, attached or as the next word
//	!--check     not with that option
//	~TEXT        a word holds that text; !~TEXT none does
//	@            a word that says one of lossVerbs
//
// Words may follow a pattern. The empty pattern is the bare program.
type deletion struct {
	programs string         // base names; a name may hold *
	values   string         // options that take the next word, as in Command.Values
	flags    string         // options that take none, as in Command.Flags; commonFlags are never listed
	style    commands.Style // SingleDash is the one that counts
	dry      string         // options with which the program only says what it would do
	verbs    []string
	spares   []string // patterns of what is harmless although a verb fits
	// fits says what patterns cannot: it is asked where none of them fits.
	fits func(*reading) bool
}

// A Family is the place of a table in deletionFamilies.
type Family uint8

const (
	OfInfra Family = iota
	OfCluster
	OfContainer
	OfMachine
	OfCloud
	OfPlatform
	OfCodeHost
	OfRegistry
	OfStorage
	OfBackup
	OfQueue
	ofCall
	OfServices
	OfPower
	OfAccounts
	OfNetwork
	OfVolumes
)

// deletionFamilies are the tables. The index of their programs is generated: a
// walk over them would touch every page of them for every command.
var deletionFamilies = [...][]deletion{
	OfInfra:     infraDeletions,
	OfCluster:   clusterDeletions,
	OfContainer: containerDeletions,
	OfMachine:   machineDeletions,
	OfCloud:     cloudDeletions,
	OfPlatform:  platformDeletions,
	OfCodeHost:  codeHostDeletions,
	OfRegistry:  registryDeletions,
	OfStorage:   storageDeletions,
	OfBackup:    backupDeletions,
	OfQueue:     queueDeletions,
	ofCall:      callDeletions,
	OfServices:  serviceStops,
	OfPower:     machineStops,
	OfAccounts:  accountDeletions,
	OfNetwork:   networkCuts,
	OfVolumes:   volumeDeletions,
}

// commonFlags are options that take no value wherever they are known.
const commonFlags = "-yqfA yes force quiet verbose recursive all wait no-wait json assume-yes non-interactive " +
	"interactive debug auto-approve now ignore-not-found all-namespaces no-input skip-confirmation no-confirm"

// A reading is one way to take the argv of a program apart: what an option that
// is not listed does with the next word is not known.
type reading struct {
	row   *deletion
	words []*shell.Word // that are neither options nor their values
	opts  []argOption
	// dry is set when the program is only asked what it would do, or how it is used.
	dry bool
}

// An argOption is an option of a reading.
type argOption struct {
	name  string      // without dashes; of a hole what it starts with
	value *shell.Word // nil for none
	hole  bool        // the name is not known to its end
	sure  bool        // it is surely an option, not the value of the one before it
}

// Deleting reports the subcommands that one of the rows describes, run by
// themselves or as words of a program that may run them: doppler run -- tofu destroy.
func Deleting(s *interp.Analysis, of Family) []interp.Finding { return described(s, of, false) }

// Stopping is deleting for programs whose names are words of everyday, which
// only count where they are the command.
func Stopping(s *interp.Analysis, of Family) []interp.Finding { return described(s, of, true) }

func described(s *interp.Analysis, of Family, itself bool) []interp.Finding {
	rows := deletionFamilies[of]
	return RunningTools(s, func(t *interp.Tool) bool {
		if t.Deletions&(1<<of) == 0 {
			return false
		}
		own := len(t.Args)+1 == len(s.Subcommands[t.Sub].Argv)
		if itself && !own {
			return false
		}
		for k := range rows {
			if row := &rows[k]; row.about(t.Name) && row.deletes(t.Args) && (own || !row.bare()) {
				return true
			}
		}
		return false
	})
}

// bare reports whether the program itself is what deletes, without a word that
// would tell it from a name.
func (d *deletion) bare() bool { return len(d.verbs) > 0 && d.verbs[0] == "" }

// about reports whether the row is about a program. Where a file system folds
// case, so does the shell.
func (d *deletion) about(name string) bool {
	for rest := d.programs; rest != ""; {
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

// deletes reports whether one of the readings of the words after the program deletes.
func (d *deletion) deletes(args []shell.Word) bool {
	r, doubtful := d.read(args, false)
	if r.deletes() {
		return true
	}
	if doubtful {
		r, _ = d.read(args, true)
		return r.deletes()
	}
	return false
}

func (r *reading) deletes() bool {
	if r.dry || len(r.words) > 0 && r.words[0].Known && r.words[0].Text == "help" {
		return false
	}
	for _, p := range r.row.spares {
		if r.fitsPattern(p) {
			return false
		}
	}
	for _, p := range r.row.verbs {
		if r.fitsPattern(p) {
			return true
		}
	}
	return r.row.fits != nil && r.row.fits(r)
}

//go:generate go test . -run Index -update
