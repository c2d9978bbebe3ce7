package powershell

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What a text is proven by to only read: cmdlets whose every parameter the table lists, programs that are the same on
// all systems and given words that reach them as they are written, and nothing that is assigned but variables.

const (
	// psPrograms are the programs whose tables hold for PowerShell, too. Many others have a namesake on Windows that
	// does something else: find, sort, expand, timeout.
	psPrograms = "git gh rg jq node npm pnpm yarn dotnet go cargo rustc rustup python pip docker kubectl terraform whoami"
	// psExact are those of them that no batch file starts, which would read their words once more.
	psExact = "git gh rg jq"
	// psElsewhere are aliases that other systems have a program for, which does more than the cmdlet.
	psElsewhere = "compare man help write ps mount history h"
)

// unprove takes the proof from the commands that were listed since from.
func (p *psParser) unprove(from int, why string) {
	for i := from; i < len(p.a.Subcommands); i++ {
		if sub := &p.a.Subcommands[i]; sub.ReadOnly {
			sub.ReadOnly, sub.Unread = false, why
		}
	}
}

// otherwise says why the tables of bash do not prove that a program only reads; n is the number of commands that it
// was found to run, itself included.
func (p *psParser) otherwise(c *psCommand, n int) string {
	name := strings.TrimSuffix(strings.ToLower(c.words[0].Text), ".exe")
	switch {
	case n != 1 || len(p.via) > 0 || p.span != nil || c.call == '.':
		return "it runs another command"
	case !shell.Listed(psPrograms, name):
		return name + " may be another program on another system"
	}
	passes := "\"\r\n&|<>^%!"
	if shell.Listed(psExact, name) {
		passes = "\""
	}
	for i := range c.words[1:] {
		w := &c.words[i+1]
		for _, part := range append([]psWord{*w}, w.more...) {
			unknown := !part.Known && part.folder == "" || part.splat || part.block
			if t := part.Text; unknown || t == "" || strings.ContainsAny(t, passes) || strings.HasSuffix(t, `\`) {
				return "a word of " + name + " may be read as several, or is not known"
			}
		}
	}
	return ""
}

// unread says why a cmdlet is not proven to only read, "" when it is.
func (b *psCall) unread() string {
	typed, fed := strings.ToLower(psBase(b.c.words[0].Text)), b.c.flow.piped && b.c.flow.open
	switch {
	case b.cmd.reads == "":
		return b.cmd.name + " does more than read"
	case len(b.p.via) > 0 || b.p.span != nil || b.c.call == '.':
		return "another shell runs it"
	case shell.Listed(psElsewhere, typed) && len(b.c.words) > 1:
		return typed + " is another program on other systems"
	case b.cmd.does == psReads && fed && !(b.c.flow.strings && b.cmd.name == "Select-String"):
		return "what comes through the pipe may name a file"
	case b.cmd.does == psReads && slices.ContainsFunc(b.values(b.cmd.paths), b.namesEnvironment):
		return "it prints the environment, which may contain secrets"
	case b.cmd.does == psMoves && !b.goesToKnown():
		return "where it goes is not known"
	}
	for i := range b.given {
		if why := b.given[i].unread(b.cmd); why != "" {
			return why + " of " + b.cmd.name
		}
	}
	if typed == "sort" || typed == "diff" { // elsewhere they read files of that name
		for _, w := range b.values(b.cmd.pos) {
			b.touch(shell.Read, &w, false)
		}
		b.p.a.Subcommands[len(b.p.a.Subcommands)-1].Effects = b.all
	}
	return ""
}

// unread says why a parameter may do more than read.
func (g *psGiven) unread(cmd *cmdlet) string {
	if g.name == "" {
		return "a parameter that is not listed"
	}
	known := g.name == psExtra || slices.ContainsFunc([]string{cmd.paths, cmd.pos, cmd.flags, cmd.reads, psSwitch, psCommon},
		func(list string) bool { return shell.Listed(list, g.name) })
	if !known {
		return "the parameter -" + g.name
	}
	for i := range g.words {
		w := &g.words[i]
		if shell.Listed("Get-Command Get-Help", cmd.name) && strings.ContainsAny(w.Text, `/\`) {
			return "a script"
		}
		dashed := w.bare && strings.HasPrefix(w.Text, "-") && !shell.Number(w.Text[1:])
		loose := g.name == psExtra && !w.block && cmd.does != psReads
		if w.splat || dashed || loose {
			return "a word"
		}
	}
	return ""
}

// namesEnvironment reports whether a word is on the drive of the environment.
func (b *psCall) namesEnvironment(w psWord) bool {
	_, drive := b.p.file(&w, false)
	return drive == "env" || drive == "environment"
}

// goesToKnown reports whether Set-Location names a folder.
func (b *psCall) goesToKnown() bool {
	to := b.values(b.cmd.paths)
	return len(to) == 1 && !slices.ContainsFunc(to, func(w psWord) bool {
		file, drive := b.p.file(&w, false)
		return drive != "" || !file.Known
	})
}
