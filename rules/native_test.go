package rules

import "testing"

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
