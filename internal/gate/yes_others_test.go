package gate

import (
	"errors"
	"strconv"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
)

// TestOthersAnswer: a hook of another program may answer the dialog, and so may one in a file that cannot be read.
func TestOthersAnswer(t *testing.T) {
	const file = "/home/dev/.claude/settings.json"
	p := &rules.Policy{Sources: []rules.Source{{Path: file}, {Path: "/home/dev/.gone.json"}}}
	for command, want := range map[string]bool{
		"permgate hook --host claude --event PermissionRequest":                                            false,
		"/usr/bin/permgate hook --host claude":                                                             false,
		"'/home/my dir/permgate' hook --host claude":                                                       false,
		"& 'C:\\bin\\permgate.exe' hook --host claude":                                                     false,
		`GOMAXPROCS=1 permgate hook --host claude`:                                                         false,
		`/bin/sh -c 'GOMAXPROCS=1 "$@" || { echo "x" >&2; exit 2; }' permgate /opt/permgate hook --host x`: false,
		"/opt/yes":                               true,
		"/home/dev/permgate/scripts/yes.sh":      true,
		"/home/dev/not-permgate hook":            true,
		"yes # permgate":                         true,
		"yes; permgate hook --host claude":       true,
		"yes && /usr/bin/permgate hook --host x": true,
		"":                                       true,
	} {
		fs := fakefs.New(nil)
		fs.Write(file, `{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":`+strconv.Quote(command)+`}]}]}}`)
		if got := othersAnswer(p, World{Files: fs}); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
	fs := fakefs.New(nil)
	fs.Write(file, `{}`)
	if othersAnswer(p, World{Files: fs}) {
		t.Error("without a hook")
	}
	fs.File(file).Err = errors.New("cannot be read")
	if !othersAnswer(p, World{Files: fs}) {
		t.Error("a file that cannot be read")
	}
}
