package disk

import (
	"strconv"
	"strings"
)

// passwdFile is where homes are looked up: os/user would link the C library. It is
// a variable for the linker: tests that run the program itself name another one.
var passwdFile = "/etc/passwd"

// maxPasswd bounds the passwd file, in bytes.
const maxPasswd = 16 << 20

// passwdHome returns the home directory of a user from a passwd file, "" when it
// has no entry there or the entry is not absolute.
func passwdHome(file string, uid int) string {
	data, err := Disk{}.ReadFile(file, maxPasswd)
	if err != nil {
		return ""
	}
	want := strconv.Itoa(uid)
	for line := range strings.Lines(string(data)) {
		// name:password:uid:gid:gecos:home:shell
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ":")
		if len(fields) >= 6 && fields[2] == want && strings.HasPrefix(fields[5], "/") {
			return fields[5]
		}
	}
	return ""
}
