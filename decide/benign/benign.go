// Package benign judges what the parts of a shell text do with each other and with the world, for the proofs that a
// text only reads or is benign, and for the built-in lists of mode auto. It looks at effects, never at places or rules.
package benign

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// OutputStays reports whether the output of a command goes only to commands that
// neither send nor execute it.
func OutputStays(script *bashsafety.Analysis, sub *bashsafety.Subcommand) bool {
	for i := range script.Subcommands {
		to := &script.Subcommands[i]
		if gets := feeds(script, sub, to) || fedAside(sub, to); gets && !onlyStores(to) {
			return false
		}
	}
	return true
}

// feeds reports whether to reads the output of from through a pipe.
func feeds(script *bashsafety.Analysis, from, to *bashsafety.Subcommand) bool {
	return slices.ContainsFunc(to.From, func(i int) bool {
		return i < len(script.Subcommands) && &script.Subcommands[i] == from
	})
}

// fedAside reports whether to may get what from reads without a pipe between
// them: from sets variables to it, or to reads a process substitution.
func fedAside(from, to *bashsafety.Subcommand) bool {
	switch from.Program {
	case "read", "mapfile", "readarray":
		return true
	}
	return slices.Contains(to.Via, ">()")
}

// onlyStores reports whether a command does no more with what it is fed than to
// read it or to write it to files.
func onlyStores(s *bashsafety.Subcommand) bool {
	if s.Unproven() == "" {
		return true
	}
	return !sendsOrRuns(s) && s.Does(bashsafety.Write)
}

// sendsOrRuns reports whether a command talks to another machine or runs what it
// is given; one that no table knows may.
func sendsOrRuns(s *bashsafety.Subcommand) bool {
	if !s.Known() || s.Launcher || !s.Plain() {
		return true
	}
	for i := range s.Effects {
		switch s.Effects[i].Kind {
		case bashsafety.Network, bashsafety.Execute, bashsafety.Source, bashsafety.Unknown, bashsafety.Privilege:
			return true
		}
	}
	return false
}

// FillsDisk reports whether a text writes what a device or a loop gives without an end.
func FillsDisk(script *bashsafety.Analysis) bool {
	subs := script.Subcommands
	endless, writes := false, false
	for i := range subs {
		here := false
		for _, e := range subs[i].Effects {
			here = here || e.Kind == bashsafety.Write
			endless = endless || e.Kind == bashsafety.Read && strings.HasPrefix(e.Path, "/dev/")
		}
		writes = writes || here
		endless = endless || here && slices.ContainsFunc(subs[i].From, func(k int) bool { return subs[k].When.Endless })
	}
	return endless && writes
}

// PrintsOn reports whether a text that writes has a program that may print without an end.
func PrintsOn(script *bashsafety.Analysis) bool {
	subs := script.Subcommands
	if !slices.ContainsFunc(subs, func(s bashsafety.Subcommand) bool { return s.Unending() }) {
		return false
	}
	return slices.ContainsFunc(subs, func(s bashsafety.Subcommand) bool { return s.Does(bashsafety.Write) })
}

// StaysAsNamed reports whether a write puts nothing below what the words name.
func StaysAsNamed(s *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	return !e.Recursive || e.InPlace || s.ChangesModes()
}

// Carried lists what a command that copies or moves takes along; where it names
// anything that is not known, nothing.
func Carried(sub *bashsafety.Subcommand) (all []*bashsafety.Contents) {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		source := e.Kind == bashsafety.Read || e.Kind == bashsafety.Delete
		switch {
		case !sub.Carries() || source && !e.Known:
			return nil
		case source:
			all = append(all, &bashsafety.Contents{Kind: bashsafety.FromFolder, From: e.Path})
		}
	}
	return all
}

// FollowsRedirects reports whether a curl may be led to another address: by
// --location, or by -L among its short options.
func FollowsRedirects(curl *bashsafety.Subcommand) bool {
	for i := range curl.Argv {
		t := curl.Argv[i].Text
		short := len(t) > 1 && t[0] == '-' && t[1] != '-'
		if strings.HasPrefix(t, "--loc") || short && strings.Contains(t, "L") {
			return true
		}
	}
	return false
}

// CouldConnect reports whether an unknown name could be /dev/tcp/HOST/PORT.
func CouldConnect(name string) bool {
	return name == "" || strings.HasPrefix(name, "/dev") ||
		strings.HasPrefix(name, bashsafety.HoleMark) || strings.HasPrefix(name, "/"+bashsafety.HoleMark)
}

// RunsAsOther reports whether a command runs as another user. A lookup only reads.
func RunsAsOther(s *bashsafety.Subcommand) bool {
	switch s.Program {
	case "sudo", "sudoedit", "doas", "su", "runuser", "pkexec", "run0", "gsudo", "runas", "su-exec", "gosu":
		return !s.ReadOnly && !s.Contained()
	}
	return s.Does(bashsafety.Privilege)
}

// SendsPlain reports whether a command connects to an address without encryption.
func SendsPlain(s *bashsafety.Subcommand) bool {
	return slices.ContainsFunc(s.Effects, func(e bashsafety.Effect) bool {
		if e.Kind != bashsafety.Network {
			return false
		}
		head, _, hole := strings.Cut(e.Path, bashsafety.HoleMark)
		_, after, _ := strings.Cut(head, "://")
		return Unencrypted(head) && (!hole || strings.ContainsAny(after, "/?#"))
	})
}

// Unencrypted reports whether a URL is one of plain http, and not surely one of
// this machine.
func Unencrypted(url string) bool {
	url = strings.TrimLeft(url, " \t\r\n")
	if len(url) < len("http:") || !strings.EqualFold(url[:len("http:")], "http:") {
		return false
	}
	u := rules.ParseURL(url)
	local := u.Host == "localhost" || u.Host == "[::1]" || u.Host == "::1" || u.Host == "0.0.0.0" ||
		strings.HasSuffix(u.Host, ".localhost") || strings.HasPrefix(u.Host, "127.")
	return !u.Sure || !local
}

// Emptied is the folder of which an effect deletes every file by a pattern, "" for none.
func Emptied(e *bashsafety.Effect) string {
	at := strings.LastIndexByte(e.Path, '/') + 1
	if e.Kind != bashsafety.Delete || !e.Glob || at == 0 || strings.Trim(e.Path[at:], "*?.") != "" {
		return ""
	}
	return e.Path[:max(at-1, 1)]
}
