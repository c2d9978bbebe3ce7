package gate

import (
	"io/fs"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
)

// TestOwnSource: a file outside the project that only the user can have written is
// sourced as bash would run it; every other one is asked about.
func TestOwnSource(t *testing.T) {
	tree := func() *fakefs.FS {
		files := practicalTree()
		for _, name := range [...]string{
			"/home/dev/.nvm/nvm.sh", "/home/dev/v/bin/activate", "/tmp/own.sh", "/tmp/mine/a.sh", "/tmp/open.sh", "/home/dev/open/a.sh",
		} {
			files.Write(name, "true\n")
		}
		files.Own("/home/dev", 1000)
		files.Own("/tmp/own.sh", 1000)
		files.Own("/tmp/open.sh", 1000)
		files.Own("/tmp/mine", 1000)
		files.Write("/tmp/theirs/a.sh", "true\n")
		files.Own("/tmp/theirs", 1001)
		files.File("/tmp/open.sh").Mode |= 0o002
		files.File("/home/dev/open").Mode |= 0o020
		files.Link("/home/dev/link.sh", "/tmp/theirs/a.sh")
		files.Write("/home/dev/pipe", "").Mode |= fs.ModeNamedPipe
		files.Write("/home/dev/.env", "A=1\n")
		return files
	}
	const asks = "2"
	for command, want := range map[string]string{
		"source ~/.nvm/nvm.sh":                  "7",
		". ~/.nvm/nvm.sh && nvm use && node -v": "7",
		`. "$HOME/.nvm/nvm.sh"`:                 "7",
		"source ~/v/bin/activate && pip list":   "7",
		". /tmp/own.sh":                         "7",
		"bash /tmp/own.sh":                      "7",
		". /tmp/mine/a.sh":                      "7",
		`bash -c '. ~/.nvm/nvm.sh && node -v'`:  "7",
		". ~/v/bin/none":                        asks,
		"cd ~/v/bin && . activate":              asks,
		". ~/v/bin":                             asks,
		". ~/pipe":                              asks,
		". ~/link.sh":                           asks,
		". ~/open/a.sh":                         asks,
		". /tmp/open.sh":                        asks,
		". /tmp/theirs/a.sh":                    asks,
		`. "$X"`:                                asks,
		". ~/v/bin/*":                           asks,
		"echo 'rm -rf x' > ~/.nvm/nvm.sh; . ~/.nvm/nvm.sh":      asks,
		"cp a ~/v/bin/; . ~/v/bin/activate":                     asks,
		"echo x > /tmp/own.sh; . /tmp/own.sh":                   asks,
		"mv ~/v ~/w; ln -s /tmp/theirs ~/v; . ~/v/bin/activate": asks,
		"curl -o /tmp/own.sh https://x.io; . /tmp/own.sh":       asks,
		"tar -C ~/v -xf a.tar; . ~/v/bin/activate":              asks,
		"git -C ~/v pull; . ~/v/bin/activate":                   asks,
		`echo x > "$Y"; . /tmp/own.sh`:                          asks,
		"echo x | tee /tmp/own.sh | . /tmp/own.sh":              asks,
	} {
		if _, v := practical(t, tree(), command); v.Step != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step, want, v.Reason)
		}
		files := tree()
		files.Write(practicalKey, `{}`)
		if _, v := practical(t, files, command); v.Step != asks && command != "bash /tmp/own.sh" {
			t.Errorf("strict: %s: step %s, want 2: %s", command, v.Step, v.Reason)
		}
	}
}
