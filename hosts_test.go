package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"permgate/hookio"
	"permgate/internal/agents"
)

// TestEveryHost runs the scripts of testdata/hosts once for every host that
// has a registration.
func TestEveryHost(t *testing.T) {
	for _, h := range agents.Hosts() {
		t.Run(h.Name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 filepath.Join("testdata", "hosts"),
				RequireExplicitExec: true,
				Setup:               func(env *testscript.Env) error { return setupHost(env, h) },
				Cmds:                hostCommands,
			})
		})
	}
}

func setupHost(env *testscript.Env, h *hookio.Host) error {
	if err := setup(env); err != nil {
		return err
	}
	dirs := agents.Dirs{
		Home: env.Getenv("HOME"), Project: env.Cd, Getenv: func(string) string { return "" },
		Exists: func(string) bool { return false },
	}
	user, _ := dirs.Place(h, hookio.ForUser)
	project, _ := dirs.Place(h, hookio.ForProject)
	foreign := filepath.Join(env.WorkDir, "foreign.json")
	env.Setenv("NAME", h.Name)
	env.Setenv("FILE", user.Name)
	env.Setenv("PROJECT_FILE", project.Name)
	env.Setenv("FOREIGN", foreign)
	env.Setenv("EVENTS", strconv.Itoa(len(h.Register.Events)))
	return os.WriteFile(foreign, []byte(others(h, user)), 0o600)
}

// others is a settings file in the form of a host that somebody wrote by hand.
func others(h *hookio.Host, p agents.Place) string {
	event := h.Register.Events[0].Name
	entry := `{"matcher": "x", "hooks": [{"type": "command", "command": "others.sh"}]}`
	if h.Register.Flat {
		entry = `{"command": "others.sh"}`
	}
	list := `"` + event + "\": [\n        " + entry + " // and this\n    ],\n"
	if p.Root == "" {
		return "{\n    // mine\n    " + list + "}\n"
	}
	return "{\n    // mine\n    \"theme\": \"dark\",\n    \"" + p.Root + "\": {" + list + "},\n}\n"
}

// hostCommands are the commands testscript lacks.
var hostCommands = map[string]func(*testscript.TestScript, bool, []string){
	// copy copies a file to a place whose folder need not be there yet.
	"copy": func(ts *testscript.TestScript, neg bool, args []string) {
		ts.Check(os.MkdirAll(filepath.Dir(args[1]), 0o755))
		ts.Check(os.WriteFile(args[1], []byte(ts.ReadFile(args[0])), 0o600))
	},
	// matches is grep on a file that need not be there.
	"matches": func(ts *testscript.TestScript, neg bool, args []string) {
		text, err := os.ReadFile(args[1])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			ts.Fatalf("%v", err)
		}
		if regexp.MustCompile(args[0]).Match(text) == neg {
			ts.Fatalf("%s: %q found: %v\n%s", args[1], args[0], !neg, text)
		}
	},
	// glob reports whether a pattern names any file.
	"glob": func(ts *testscript.TestScript, neg bool, args []string) {
		names, err := filepath.Glob(args[0])
		ts.Check(err)
		if (len(names) > 0) == neg {
			ts.Fatalf("%s: %s", args[0], strings.Join(names, " "))
		}
	},
}
