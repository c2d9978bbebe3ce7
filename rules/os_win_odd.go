package rules

import "strings"

// winOdd says why a component may not name the file it seems to: NTFS streams,
// what Win32 cuts off, names of devices, names made up for DOS.
func winOdd(c string) string {
	switch {
	case c == "." || c == "..":
		return ""
	case strings.ContainsRune(c, ':'):
		return "names an alternate stream of a file"
	case strings.TrimRight(c, " .") != c:
		return "ends with a dot or space, which Windows strips"
	case strings.ContainsAny(c, `<>"|?*`):
		return "contains a character that is invalid in file names"
	case winShort(c):
		return "is a short name (8.3) of a file with a longer one"
	case winReserved(c):
		return "is a device name"
	}
	return ""
}

// winShort reports whether a component has the form of an 8.3 name: up to six
// characters, a tilde, a number; an extension of up to three.
func winShort(c string) bool {
	base, ext, _ := strings.Cut(c, ".")
	if len(base) > 8 || len(ext) > 3 || strings.Contains(ext, ".") {
		return false
	}
	tilde := strings.LastIndexByte(base, '~')
	return tilde > 0 && digits(base[tilde+1:])
}

// winReserved reports whether Win32 takes a component for a device, whatever
// extension it has.
func winReserved(c string) bool {
	base, _, _ := strings.Cut(c, ".")
	base = FoldPath(strings.TrimRight(base, " "))
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range [...]string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(base, port); ok {
			switch n {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}
