package bashsafety

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The values of an analysis, documented where they are declared.
type (
	Env        = analysis.Env
	Entering   = analysis.Entering
	Parsed     = analysis.Parsed
	Analysis   = analysis.Analysis
	Subcommand = analysis.Subcommand
	Name       = analysis.Name
	ScriptText = analysis.ScriptText
	ScriptRef  = commands.ScriptRef
	Origin     = analysis.Origin
	Word       = shell.Word
	Span       = shell.Span
	Assign     = shell.Assign
	Effect     = shell.Effect
	EffectKind = shell.EffectKind
	Bound      = analysis.Bound
	Expansion  = shell.Expansion
	Contents   = shell.Contents
	Patching   = shell.Patching
	Doubt      = shell.Doubt
	Check      = analysis.Check
	Finding    = analysis.Finding
	Hint       = analysis.Hint
	Presence   = analysis.Presence
	Severity   = analysis.Severity
	About      = analysis.About
	Command    = commands.Command
	Meaning    = commands.Meaning
	Patch      = commands.Patch
	Way        = commands.Way
	Listing    = shell.Listing
)

// OnDrive reports whether a text begins as a path from the root of a drive of Windows does.
func OnDrive(text string) bool { return shell.OnDrive(text) }

// HoleMark marks an unknown part in Word.Text.
const HoleMark = shell.HoleMark

// MaxBytes is the longest text that is analysed whole.
const MaxBytes = shell.MaxBytes

// The kinds of effects.
const (
	Read      = shell.Read
	Write     = shell.Write
	Delete    = shell.Delete
	Execute   = shell.Execute
	Source    = shell.Source
	Network   = shell.Network
	Privilege = shell.Privilege
	GitChange = shell.GitChange
	GitRead   = shell.GitRead
	Unknown   = shell.Unknown
	Looks     = shell.Looks
)

// How far a command goes beyond its effects.
const (
	NotBound    = analysis.NotBound
	OnlyLocal   = analysis.OnlyLocal
	RunsProject = analysis.RunsProject
)

// Where the contents of a written folder come from.
const (
	FromElsewhere = shell.FromElsewhere
	FromFolder    = shell.FromFolder
	FromPatch     = shell.FromPatch
)

// HidesNothing marks a Doubt in whose place no command and no write can hide.
const HidesNothing = shell.HidesNothing

// How bad a finding is, and what it is about.
const (
	Suspicious   = analysis.Suspicious
	Destructive  = analysis.Destructive
	Catastrophic = analysis.Catastrophic

	AboutElse  = analysis.AboutElse
	AboutFiles = analysis.AboutFiles
	AboutGit   = analysis.AboutGit
)

// What a hint needs to find on the disk.
const (
	Anything    = analysis.Anything
	OneFile     = analysis.OneFile
	EmptyFolder = analysis.EmptyFolder
	InGit       = analysis.InGit
	NewToGit    = analysis.NewToGit
	Movable     = analysis.Movable
)

// AnyLetter is the pattern of one letter or digit that mktemp puts into a name.
const AnyLetter = commands.AnyLetter

// MayFindOption is why no rule covers a pattern that could find a file named like an option.
const MayFindOption = commands.MayFindOption

// Checks returns every check, the worst first, those of PowerShell last.
func Checks() []*Check { return checks.All() }

// CheckOfGit is a check of git commands, which the disk may tell from harmless ones.
func CheckOfGit(id string) *Check { return checks.OfGit(id) }

// Examples returns the commands that a check reports, and look-alikes that it lets pass.
func Examples(c *Check) (reported, passed []string) { return checks.Examples(c.ID) }

// EscapedOption is the id of the check of options that a backslash hides.
const EscapedOption = checks.EscapedOption

// Commands returns every command the tables know, family by family.
func Commands() []*Command { return commands.All() }

// MeaningOf reads the words of a rule as those of a call are read.
func MeaningOf(words []string, open bool) *Meaning { return commands.MeaningOf(words, open) }

// ReadPatch returns the files a patch names, and whether all of it is understood.
func ReadPatch(text string) (Patch, bool) { return commands.ReadPatch(text) }

// TellsVariables reports whether a command prints all variables.
func TellsVariables(sub *Subcommand) bool { return checks.TellsVariables(sub) }

// KnownProgram reports whether a name is one of a program that the tables know.
func KnownProgram(name string) bool {
	e := commands.Find(name)
	return e.Known()
}

// PlainSQL reports whether a text that may as well be a search for words is SQL that takes something away.
func PlainSQL(text string) bool { return lang.PlainSQL(text) }

// Deceptive reports a control character, or one that is not seen or turns the direction.
func Deceptive(s string) bool { return crosscheck.Deceptive(s) }

// GitInert reports whether a setting of git changes nothing of what reading does.
func GitInert(section, name, value string) bool { return commands.GitInert(section, name, value) }
