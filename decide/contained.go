package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
)

// contained says why a command in a container, or the one that brings it there, may
// show what is secret: the files of a container are not looked at one by one.
func contained(sub *bashsafety.Subcommand) (why string) {
	for i := range sub.Argv {
		w := &sub.Argv[i]
		if sub.Contained && !w.Known {
			return "it reads an unknown file in a container"
		}
		spellings(w.Text, func(name string) {
			at := strings.TrimPrefix(path.Clean("/"+name), "/var")
			if guard.IsSecretPlace(at) || tellsOfProcesses(at) {
				why = "it reads a file in a container that may contain keys or tokens"
			}
			if sub.Contained && name[0] == '/' && holdsSecrets(at) && !listsNames(sub.Program) {
				why = "it reads a folder in a container that may contain keys or tokens"
			}
		})
	}
	return why
}

// tellsOfProcesses reports whether a file of /proc may show the environment or the
// memory of a process: all but the plain facts about the machine.
func tellsOfProcesses(at string) bool {
	return strings.HasPrefix(at, "/proc/") && at != "/proc/cpuinfo" && at != "/proc/meminfo"
}

// holdsSecrets reports whether the places of keys in a container lie below a folder.
func holdsSecrets(folder string) bool {
	switch folder {
	case "", "/", "/etc", "/home", "/proc", "/root", "/run":
		return true
	}
	return false
}

// listsNames reports whether a program shows no more of a folder than its names.
func listsNames(program string) bool {
	switch program {
	case "ls", "stat", "find", "du", "df", "tree", "test", "[", "file":
		return true
	}
	return false
}
