package redact

import "testing"

// TestDrive: a backslash separates in a path on a drive, and joins what a shell joins elsewhere.
func TestDrive(t *testing.T) {
	for text, want := range map[string]string{
		`C:\users\me\Temp\go-test-script3894770072\script-log\app`: "",
		`"C:\\users\\go-test-script3894770072\\script-log\\app"`:   "",
		`C:\users\my-Zk93hXq7TbLw2Rm5VcYd\x`:                       `C:\users\my-[redacted]\x`,
		`my-Zk93h\Xq7TbLw2Rm5VcYd`:                                 `my-[redacted]`,
		`x:y my-Zk93h\Xq7TbLw2Rm5VcYd`:                             `x:y my-[redacted]`,
		`C:\x my-Zk93h\Xq7TbLw2Rm5VcYd`:                            `C:\x my-[redacted]`,
	} {
		got, found := Text(text)
		if want == "" {
			want = text
		}
		if got != want || found != (want != text) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
