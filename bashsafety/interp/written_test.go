package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestWrittenThenRun: what a text writes to a file and then runs is seen by checks and deny rules, and raises no doubt.
func TestWrittenThenRun(t *testing.T) {
	for text, want := range map[string]bool{
		"echo 'rm -rf /srv/x' > x.sh && bash x.sh": true, "echo 'rm -rf /srv/x' > x.sh; chmod +x x.sh; ./x.sh": true,
		"cat > /tmp/x.sh <<'E'\n#!/bin/sh\nset -e\nrm -rf /srv/x\nE\nsh /tmp/x.sh": true, "printf '#!/bin/sh\\nrm -rf /srv/x\\n' > x && chmod 755 x && ./x": true,
		"printf '%s\\n' 'rm -rf /srv/x' >> x.sh\n. ./x.sh": true, "echo 'rm -rf /srv/x' | tee x.sh; bash -e x.sh a": true,
		"cat <<'E' | tee x.sh >/dev/null\nrm -rf /srv/x\nE\nsudo bash x.sh": true, "cat > x.py <<'E'\nimport os\nos.system('rm -rf /srv/x')\nE\npython3 x.py": true,
		"cat > x <<'E'\n#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('/srv/x')\nE\nchmod +x x; ./x": true,
		"echo 'bash y.sh' > x.sh; echo 'rm -rf /srv/x' > y.sh; bash x.sh":                                   true, "echo 'bash x.sh; rm -rf /srv/x' > x.sh; bash x.sh": true,
		"echo 'rm -rf /srv/x' > x.sh; bash < x.sh":                    true,
		"{ echo '#!/bin/sh'; echo 'rm -rf /srv/x'; } > x.sh; sh x.sh": true, "echo 'rm -rf /srv/x' > x; cp x y; sh y": true, "echo 'rm -rf /srv/x' > x; mv x y; chmod +x y; ./y": true,
		"echo 'rm -rf /srv/x' > x.sh": false, "echo 'rm -rf /srv/x' > x.sh; bash y.sh": false, "bash x.sh; echo 'rm -rf /srv/x' > x.sh": false,
		"echo 'echo rm -rf /srv/x' > x.sh; bash x.sh": false, "cat > x.sh <<'E'\n$BIN \"$@\" =(x)\nE\nbash x.sh": false,
		"echo 'rm -rf /srv/x' > notes.txt; cat notes.txt": false, "cat > x.py <<'E'\nprint('rm -rf /srv/x')\nE\npython3 x.py": false,
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Dir: "/w", Home: "/home/u"})
		shown := slices.ContainsFunc(s.Findings, func(f analysis.Finding) bool { return f.Check.ID == "recursive-remove" })
		if shown != want || len(s.Doubts) > 0 {
			t.Errorf("%s: %v, want %v; %v", text, shown, want, s.Doubts)
		}
	}
	// each file runs the next one twice
	var b strings.Builder
	for i := range 200 {
		n := strings.Repeat("x", i+1)
		b.WriteString("echo 'sh " + n + "x; sh " + n + "x' > " + n + "\n")
	}
	if s := bashsafety.Analyze(b.String()+"sh x", analysis.Env{Cwd: "/w", Dir: "/w"}); len(s.Subcommands) > 600 {
		t.Errorf("%d subcommands", len(s.Subcommands))
	}
}
