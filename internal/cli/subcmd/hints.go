package subcmd

import (
	"runtime"

	"github.com/permgate--owner/permgate/hookio"
)

// What only a person can do is told as it is typed on this system.

const windows = runtime.GOOS == "windows"

// AsAdmin is a command that needs the rights of the administrator.
func AsAdmin(command string) string {
	if windows {
		return "in a terminal that was opened as administrator: " + command
	}
	return "sudo " + command
}

// AdminExample is an example of such a command.
func AdminExample(command, what string) Example {
	if windows {
		return Example{command, what + "; as administrator"}
	}
	return Example{AsAdmin(command), what}
}

// NotOthers are the commands that take from others what they may do to a file: mode is what chmod is told.
func NotOthers(mode, name string) string {
	if windows {
		name = quoteArgNT(name)
		return "icacls " + name + " /inheritance:d, then icacls " + name + " /remove:g *S-1-1-0 *S-1-5-11 *S-1-5-32-545"
	}
	return "chmod " + mode + " " + QuoteArg(name)
}

// TakeOver is the command that makes a folder the user's.
func TakeOver(dir string) string {
	if windows {
		return AsAdmin("takeown /r /f " + quoteArgNT(dir))
	}
	return "sudo chown -R $(id -u) " + QuoteArg(dir)
}

func quoteArgNT(name string) string { return `"` + hookio.Escape(name) + `"` } // as cmd and PowerShell read it: no name has quotes
