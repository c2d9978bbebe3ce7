package disk

import (
	"strconv"
	"strings"
)

// passwdFile is where homes are looked up: os/user would link the C library.
const passwdFile = "/etc/passwd"

// maxPasswd bounds the passwd file, in bytes.
const maxPasswd = 16 << 20

// PasswdHome returns the home directory of a user from the passwd file, ""
// when it has no entry there (macOS, directory services) or the entry is not absolute.
func PasswdHome(uid int) string { return passwdHome(passwdFile, uid) }

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
