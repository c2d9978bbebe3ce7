package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set at link time by a release build: -ldflags "-X permgate/internal/cli.release=1.0.0".
var release string

func versionCommand() *Command {
	return &Command{
		Name:  "version",
		Short: "print the version",
		Run: func(e *env, args []string) int {
			fmt.Fprintf(e.out, "permgate %s %s/%s\n", version(), runtime.GOOS, runtime.GOARCH)
			return exitOK
		},
	}
}

// Version is the version of this binary, as the log and permgate version give it.
func Version() string { return version() }

func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	if len(revision) >= 12 {
		return "devel-" + revision[:12] + dirty
	}
	return "devel"
}
