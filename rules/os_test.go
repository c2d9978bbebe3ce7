package rules

import (
	"testing"
)

func TestOSClean(t *testing.T) {
	for _, row := range []struct {
		os       OS
		in, want string
		doubt    bool
	}{
		{Linux, `C:\x`, `/repo/C:\x`, false},
		{MacOS, "/private/var/x", "/var/x", false},
		{MacOS, "/private/variable", "/private/variable", false},
		{MacOS, "/private", "/private", false},
		{MacOS, "/System/Volumes/Data", "/", false},
		{MacOS, "/System/Volumes/Data/System/Volumes/Data/private/tmp", "/tmp", false},
		{MacOS, "/System/Volumes/Database/x", "/System/Volumes/Database/x", false},
		{MacOS, "/x/..namedfork/rsrc", "/x", true},
		{MacOS, "/.vol/1/2", "/.vol/1/2", true},
		{MacOS, "/.volume", "/.volume", false},
		{MacOS, "a/.vol", "/repo/a/.vol", false},
		{Windows, `C:\`, "/c", false},
		{Windows, `C:`, "/c", true},
		{Windows, `c:\..\..\x`, "/c/x", false},
		{Windows, `D:/a//b/./c`, "/d/a/b/c", false},
		{Windows, `a\..\..\..\x`, "/x", false},
		{Windows, `~\x`, "/home/u/x", true},
		{Windows, `/d`, "/d", false},
		{Windows, `\d\x`, "/d/x", true},
		{Windows, `//d/x`, "/d/x", true},
		{Windows, `/dd/x`, "/dd/x", true},
		{Windows, `\\srv\share\a\..\b`, "/unc/srv/share/b", true},
		{Windows, `\\srv\D$\a`, "/d/a", true},
		{Windows, `\\?\UNC\srv\share\a`, "/unc/srv/share/a", true},
		{Windows, `\\?\GLOBALROOT\Device\a`, "/device/GLOBALROOT/Device/a", true},
		{Windows, `\\`, "/unc", true},
		{Windows, `\\?\`, "/device", true},
		{Windows, `/mnt/D/x`, "/d/x", true},
		{Windows, `/mnt/data/x`, "/mnt/data/x", true},
	} {
		got, doubt := row.os.Clean(row.in, "/repo", "/home/u")
		if got != row.want || (doubt != "") != row.doubt {
			t.Errorf("system %d: Clean(%q) = %q, %q; want %q, doubt %v", row.os, row.in, got, doubt, row.want, row.doubt)
		}
	}
}

func TestOSCanon(t *testing.T) {
	for _, row := range []struct {
		os       OS
		in, want string
	}{
		{Linux, `C:\x`, `C:\x`}, {Linux, "/private/etc", "/private/etc"}, {Linux, "", ""},
		{MacOS, "/private/tmp/p", "/tmp/p"}, {MacOS, "../x", "../x"},
		{Windows, `C:\Users\x`, "/c/Users/x"}, {Windows, `\\?\C:\Users\x`, "/c/Users/x"}, {Windows, `..\x`, "../x"}, {Windows, "/c/x", "/c/x"}, {Windows, "", ""},
	} {
		if got := row.os.Canon(row.in); got != row.want {
			t.Errorf("system %d: Canon(%q) = %q, want %q", row.os, row.in, got, row.want)
		}
	}
}

func TestOSTarget(t *testing.T) {
	for _, row := range []struct{ link, target, want string }{
		{"/d/x/link", `\y\z`, "/d/y/z"}, {`D:\x\link`, `\y`, "/d/y"}, {"/d/x/link", `c:\y`, "/c/y"}, {"/d/x/link", `..\y`, "../y"}, {"/d/link", `\\?\Volume{1}\`, "/device/Volume{1}"},
	} {
		if got := Windows.Target(row.link, row.target); got != row.want {
			t.Errorf("%s leads to %s: %q, want %q", row.link, row.target, got, row.want)
		}
	}
}

// A pattern may name a drive as people do.
func TestOSAnchor(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{`C:\Users\**`, "//c/Users/**"}, {`//C:/Users/**`, "//c/Users/**"}, {`//C/Users/**`, "//c/Users/**"}, {`C:/x`, "//c/x"},
		{`\\srv\share\**`, "//unc/srv/share/**"}, {`/src/**`, "/src/**"}, {`a\*b`, `a\*b`}, {"//home/x", "//home/x"},
	} {
		if got := Windows.anchor(row.in); got != row.want {
			t.Errorf("%q: %q, want %q", row.in, got, row.want)
		}
	}
}

// Clean is total, gives clean absolute paths, and finds no other when asked again.
func FuzzOSClean(f *testing.F) {
	for _, s := range []string{`C:\x`, `\\?\C:\x`, `\\.\pipe`, `//srv/c$/x`, "/private/etc", "/System/Volumes/Data/x", "/.nofollow/x", "a/..namedfork", "/mnt/c", "~", "C:..", `\`, "/??/C:/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for os, cwd := range map[OS]string{Linux: "/home/u/p", MacOS: "/Users/u/p", Windows: "/c/Users/u/p"} {
			got, _ := os.Clean(name, cwd, "/c/Users/u")
			if got == "" || got[0] != '/' || CleanPath(got, "/", "") != got && os != Linux {
				t.Fatalf("system %d: Clean(%q) = %q", os, name, got)
			}
			os.Effect(got, name, cwd, false)
			os.fold(name)
			if pattern := os.anchor(name); os != Windows && pattern != name {
				t.Fatalf("system %d: the pattern %q is read as %q", os, name, pattern)
			}
		}
	})
}

// TestNative: what Canon made of a name is spelled so that the system finds the same file.
func TestNative(t *testing.T) {
	for _, tt := range []struct {
		os         OS
		name, want string
	}{
		{Linux, "/c/dir", "/c/dir"},
		{MacOS, "/c/dir", "/c/dir"},
		{Windows, "/c", `C:\`},
		{Windows, "/c/dir/a b", `C:\dir\a b`},
		{Windows, `\c\users`, `C:\users`},
		{Windows, "/unc/server/share/x", `\\server\share\x`},
		{Windows, "/usr/bin", "/usr/bin"},
		{Windows, `C:\dir`, `C:\dir`},
		{Windows, "--allowedTools", "--allowedTools"},
		{Windows, `HKLM\SOFTWARE\Policies`, `HKLM\SOFTWARE\Policies`},
		{Windows, "", ""},
	} {
		if got := tt.os.Native(tt.name); got != tt.want {
			t.Errorf("%d %q: %q, want %q", tt.os, tt.name, got, tt.want)
		}
		if canon := tt.os.Canon(tt.want); tt.os == Windows && tt.name != "" && tt.name[0] == '/' && canon != tt.name {
			t.Errorf("%q is %q again", tt.want, canon)
		}
	}
}
