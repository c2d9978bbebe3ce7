package interp_test

import (
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestRunnersShow: what a shell or runner runs is a subcommand that deny rules and checks see.
func TestRunnersShow(t *testing.T) {
	for _, text := range []string{
		"csh -c 'rm -rf x'", "tcsh -fc 'rm -rf x'", "fish -c 'rm -rf x'", "fish -C 'rm -rf x'", "fish --init-command='rm -rf x' -c ls", "yash -c 'rm -rf x'",
		"ksh93 -c 'rm -rf x'", "pwsh -c 'rm -rf x'", "powershell.exe -NoProfile -Command rm -rf x", "nu -c 'rm -rf x'", "nu -c '^rm -rf x'", "nu -e 'rm -rf x'",
		"elvish -c 'rm -rf x'", "elvish -c 'e:rm -rf x'", "xonsh -c 'rm -rf x'", "osh -c 'rm -rf x'", "rc -c 'rm -rf x'", "es -c 'rm -rf x'", "cmd.exe /c 'rm -rf x'",
		"fish <<< 'rm -rf x'", "echo 'rm -rf x' | csh", "nu <<'E'\nrm -rf x\nE", "fish -c 'ls; and rm -rf x'; fish -c 'rm -rf x'",
		"expect -c 'spawn rm -rf x'", "expect <<< 'spawn rm -rf x'", "expect -c 'system rm -rf x'", "echo '!rm -rf x' | ed", "ed f <<< '1,$!rm -rf x'", "ed -s f <<'E'\nr !rm -rf x\nw\nE",
		"ex -sc '!rm -rf x' f", "vim '+!rm -rf x' f", "vim -c 'call system(\"rm -rf x\")' f", "nvim --headless -c '!rm -rf x' -c q", "emacs --batch --eval '(shell-command \"rm -rf x\")'",
		"dc <<< '!rm -rf x'", "dc -e '!rm -rf x'", "gdb -batch -ex 'shell rm -rf x'", "gdb -q <<< 'shell rm -rf x'", "lldb -o 'platform shell rm -rf x'",
		"m4 <<< 'syscmd(rm -rf x)'", "echo 'esyscmd(`rm -rf x`)' | m4", "xterm -e rm -rf x", "gnome-terminal -- rm -rf x", "kitty rm -rf x", "wezterm start -- bash -c 'rm -rf x'",
		"tmux new-session 'rm -rf x'", "tmux run-shell 'rm -rf x'", "byobu new 'rm -rf x'", "screen -dm rm -rf x", "nix develop -c rm -rf x", "nix shell n#x --command sh -c 'rm -rf x'",
		"nix run n#x -- rm -rf x", "rtk rm -rf x", "rtk proxy rm -rf x", "devbox run rm -rf x", "hyperfine 'rm -rf x'", "hyperfine --prepare 'rm -rf x' ls",
		"make -f - <<< 'a: ; rm -rf x'", "make -f- <<'E'\na:\n\t@-rm -rf x\nE", "make -f /dev/stdin <<< 'X=$(shell rm -rf x)'", "R -e 'system(\"rm -rf x\")'",
		"octave <<< 'system(\"rm -rf x\")'", "groovy -e '\"rm -rf x\".execute()'", "scala -e '\"rm -rf x\".!'", "ipython -c '!rm -rf x'", "ghci -e 'System.Process.system \"rm -rf x\"'",
		"wsl.exe -e rm -rf x", "tsp rm -rf x", "pueue add 'rm -rf x'", "socat - EXEC:'rm -rf x'", "env -S 'rm -rf' x", "env -vS rm -rf x", "env -S -S'rm -rf' x",
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Dir: "/w", Home: "/home/u"})
		shown := slices.ContainsFunc(s.Subcommands, func(sub analysis.Subcommand) bool {
			return sub.Program == "rm" && len(sub.Argv) > 2 && sub.Argv[1].Text == "-rf" && sub.Argv[2].Text == "x"
		})
		if !shown {
			t.Errorf("%s: rm is not seen", text)
		}
		if provenText(text) {
			t.Errorf("%s: proven to only read", text)
		}
	}
}

// TestRunnersRuin: removing the home through one of them is catastrophic.
func TestRunnersRuin(t *testing.T) {
	for _, text := range []string{
		"fish -c 'rm -rf ~'", "csh -c 'rm -rf /'", "tmux new-session 'rm -rf ~'", "hyperfine 'rm -rf /'", "xterm -e rm -rf /", "nix develop -c rm -rf /", "rtk rm -rf /",
		"pwsh -c 'rm -rf /'", "expect -c 'exec rm -rf /'", "ed <<< '!rm -rf /'", "make -f - <<< 'a: ; rm -rf /'", "gdb -batch -ex 'shell rm -rf /'", "env -S 'rm -rf' /",
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Dir: "/w", Home: "/home/u"})
		if !slices.ContainsFunc(s.Findings, func(f analysis.Finding) bool { return f.Check.Severity == analysis.Catastrophic }) {
			t.Errorf("%s: no catastrophic finding", text)
		}
	}
}

// TestRunnersSilent: look-alikes have no finding and no doubt, and run nothing that a rule about rm would see.
func TestRunnersSilent(t *testing.T) {
	for _, text := range []string{
		"vim --version", "expect -v", "fish --version", "fish -c ls", "fish -c 'ls | wc -l; pwd'", "nu -c 'ls'", "hyperfine --version", "hyperfine 'ls' 'ls -a'", "nix --version", "nix build .#rm",
		"rtk git status", "rtk gain", "kitty --version", "make -n", "make -f x.mk", "gdb --version", "R --version", "ipython x.py", "tmux ls", "env A=b ls", "env -S 'cat x'",
		"ed --version", "m4 --version", "echo 'rm -rf x' > notes.txt", "go test ./...", "cmd --help", "pwsh -Version", "xterm -version",
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Dir: "/w", Home: "/home/u"})
		for i := range s.Subcommands {
			if s.Subcommands[i].Program == "rm" {
				t.Errorf("%s: rm is seen", text)
			}
		}
		if len(s.Findings) > 0 || len(s.Doubts) > 0 {
			t.Errorf("%s: %v %v", text, s.Findings, s.Doubts)
		}
	}
	for _, text := range []string{"fish --version", "env -S 'cat x'", "env -i ls", "env -u A ls", "hyperfine --version", "kitty --version", "fish -n x.fish"} {
		if !provenText(text) {
			t.Errorf("%s: not proven to only read", text)
		}
	}
}

// TestLaunchersStay: what launches a command is found where its index says, whatever rounds of a loop were dropped.
func TestLaunchersStay(t *testing.T) {
	for _, text := range []string{
		"for f in a b; do watch cp ~/other/b\nuv run tar xf -C ; done", "for f in a b; do watch cp a b; uv run pytest; done",
		"for f in a b; do touch x; uv run pytest; done; poetry run mypy",
	} {
		a := bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/home/u"})
		for i := range a.Subcommands {
			sub := &a.Subcommands[i]
			if sub.By > i || sub.By > 0 && !a.Subcommands[sub.By-1].Launcher {
				t.Errorf("%q: %s is launched by %d of %d", text, sub.Program, sub.By-1, len(a.Subcommands))
			}
		}
	}
}
