package disk

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// passwdFile is where homes are looked up: os/user would link the C library.
const passwdFile = "/etc/passwd"

// PasswdHome returns the home directory of a user from the passwd file, ""
// when it has no entry there (macOS, directory services) or the entry is not absolute.
func PasswdHome(uid int) string { return passwdHome(passwdFile, uid) }

func passwdHome(file string, uid int) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	want := strconv.Itoa(uid)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// name:password:uid:gid:gecos:home:shell
		fields := strings.Split(lines.Text(), ":")
		if len(fields) >= 6 && fields[2] == want && strings.HasPrefix(fields[5], "/") {
			return fields[5]
		}
	}
	return ""
}
