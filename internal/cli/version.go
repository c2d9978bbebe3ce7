package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/spf13/pflag"
)

// release is set at link time by a release build, as TestRelease builds:
//
//	-ldflags "-X github.com/permgate--owner/permgate/internal/cli.release=1.0.0"
var release string

func versionCommand() *subcmd.Command {
	json := false
	return &subcmd.Command{
		Name:  "version",
		Short: "print the version, and how this binary was built",
		Long: `The version is that of the release, of the module "go install" fetched, or, of a build
from a clone, "devel" and the commit. What the toolchain did not record is left out.`,
		Examples: []subcmd.Example{{"permgate version --json", "the same as one JSON object"}},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&json, "json", false, "print JSON")
		},
		Run: func(e *subcmd.Env, _ []string) int {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{GoVersion: runtime.Version()}
			}
			b := buildOf(info)
			if json {
				return e.PrintObject(b.object())
			}
			fmt.Fprintf(e.Out, "permgate %s %s/%s\n", Version(), runtime.GOOS, runtime.GOARCH)
			for _, l := range b.lines() {
				if l[1] != "" {
					e.Columns(fmt.Sprintf("%-8s", l[0]), 8, l[1])
				}
			}
			return subcmd.ExitOK
		},
	}
}

// Version is the version of this binary, as the log and permgate version give it.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return moduleVersion(info)
}

// moduleVersion is the version of a build that is no release build.
func moduleVersion(info *debug.BuildInfo) string {
	b := buildOf(info)
	v := info.Main.Version
	// of a clone the toolchain makes a version of date and commit, unless the commit has a tag
	if v != "" && v != "(devel)" && (b.time == "" || !strings.Contains(v, b.short())) {
		return strings.TrimPrefix(v, "v")
	}
	if b.commit == "" {
		return "devel"
	}
	return "devel-" + b.short() + b.dirty
}

// A build is what the toolchain recorded in a binary.
type build struct {
	commit, dirty, time string // dirty is "+dirty" or empty; time is that of the commit
	flags               []debug.BuildSetting
	goVersion, module   string
}

// shortCommit is how many characters of a commit are part of a version.
const shortCommit = 12

func (b *build) short() string { return b.commit[:min(len(b.commit), shortCommit)] }

func buildOf(info *debug.BuildInfo) *build {
	b := &build{goVersion: info.GoVersion, module: info.Main.Path}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				b.dirty = "+dirty"
			}
		case "-trimpath", "-buildmode", "-ldflags", "-tags", "-race", "CGO_ENABLED":
			b.flags = append(b.flags, s)
		}
	}
	if b.commit == "" {
		b.commit = pseudoCommit(info.Main.Version)
	}
	return b
}

// pseudoCommit is the commit in a pseudo-version, as of v0.0.0-20261123090523-079be0436d54; "" for others.
func pseudoCommit(v string) string {
	parts := strings.Split(v, "-")
	commit := parts[len(parts)-1]
	if len(parts) < 3 || len(commit) != shortCommit || strings.Trim(commit, "0123456789abcdef") != "" {
		return ""
	}
	return commit
}

func (b *build) lines() [][2]string {
	commit := b.commit + b.dirty
	if b.time != "" {
		commit += " (" + b.time + ")"
	}
	var flags []string
	for _, s := range b.flags {
		value := s.Value
		if strings.ContainsAny(value, " \t") {
			value = subcmd.QuoteArg(value)
		}
		flags = append(flags, s.Key+"="+value)
	}
	return [][2]string{{"commit", commit}, {"go", b.goVersion}, {"build", strings.Join(flags, " ")}, {"module", b.module}}
}

func (b *build) object() *subcmd.Object {
	o, flags := &subcmd.Object{}, &subcmd.Object{}
	o.Add("version", Version(), "os", runtime.GOOS, "arch", runtime.GOARCH, "commit", subcmd.Opt(b.commit),
		"commit_time", subcmd.Opt(b.time))
	if b.commit != "" {
		o.Add("dirty", b.dirty != "")
	}
	for _, s := range b.flags {
		flags.Add(s.Key, s.Value)
	}
	o.Add("go", subcmd.Opt(b.goVersion), "build", flags, "module", subcmd.Opt(b.module))
	return o
}
