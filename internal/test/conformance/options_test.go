package conformance

import "testing"

// TestOptionsThatRun: what an option, a variable, a script or a setting makes a program run here.
func TestOptionsThatRun(t *testing.T) {
	runHarms(t,
		// sed and awk
		"sed 's|x|H|pe' a.txt", "sed -E 's#^.*$#H#e;p' a.txt", "sed 'y/a/b/;s|.*|H|ep' a.txt",
		"printf 'H' | sed -n 'e;p'", "sed 1e <<< 'H'", "echo 'H' | sed 's/x/x/e'", "sed -f - a.txt <<< '1e H'", "sed -f /dev/stdin a.txt <<'E'\n1e H\nE",
		"sed --file=- a.txt <<< '1e H'", "sed -f <(echo '1e H') a.txt", "awk -f - <<< 'BEGIN{system(\"H\")}'", "awk -f <(echo 'BEGIN{system(\"H\")}')",
		// variables
		"export GIT_PAGER='H'; git log", "GIT_PAGER='H'; git log", "declare -x GIT_PAGER='H'; git log", "env GIT_PAGER='H' git log",
		"LESSOPEN='|H' less a.txt", "LESSOPEN='|-H' less a.txt", "LESSCLOSE='H' less a.txt", "LESS='+!H' less a.txt", "GIT_EXTERNAL_DIFF='H' git diff",
		"FZF_DEFAULT_OPTS=\"--preview 'H'\" fzf", "TAR_OPTIONS='--checkpoint-action=exec=H' tar cf x.tar a.txt", "MAKEFLAGS='--eval=x:;H' make x",
		"MAKEFILES=<(echo 'x:;H') make x", "GIT_CONFIG_PARAMETERS=\"'core.pager'='H'\" git -p log", "CC='H' make", "make CC='H'", "VIMINIT=':!H' vim a.txt",
		"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='H' git -p log", "npm_config_script_shell='H' npm test",
		// git
		"git -c pager.log='H' log", "git -c interactive.diffFilter='H' add -p", "git -c merge.x.driver='H' merge y", "git -c browser.x.cmd='H' help -w log",
		"git config alias.x '!H'; git x",
		// ssh
		"ssh -F <(echo 'ProxyCommand H') h", "ssh -F /dev/stdin h <<< 'ProxyCommand H'", "ssh -o 'Match exec \"H\"' h", "ssh -oKnownHostsCommand='H' h",
		"scp -oProxyCommand='H' a.txt h:", "sftp -o ProxyCommand='H' h", "rsync -e 'ssh -o ProxyCommand=\"H\"' a.txt h:b",
		// programs
		"fzf --preview 'H'", "fzf < a.txt --preview='H' --select-1", "fzf --bind 'start:execute(H)'", "fzf --bind 'start:become(H)'", "fzf --bind='start:reload:H'",
		"fzf --bind 'a:up,start:execute-silent[H]'", "fzf --bind 'start:transform-query(H)'", "less -p '!H' a.txt", "rpm --pipe 'H' -qa", "rpm --eval '%(H)'",
		"rpm -E '%(H)'", "rpmspec -E '%(H)'", "tmux set-hook -g x 'run-shell \"H\"'", "tmux bind x run 'H'", "tmux bind-key x run-shell 'H'", "tmux if-shell -F 1 \"run-shell 'H'\"",
		"tmux -f <(echo 'run \"H\"') new -d", "i3-msg exec 'H'", "swaymsg exec 'H'", "dpkg --pre-invoke='H' -i x", "apt -o APT::Update::Pre-Invoke::='H' update",
		"apt-get -oDpkg::Pre-Invoke::='H' install x", "latexmk -pdflatex='H'", "latexmk -e 'system(\"H\")'", "pdflatex -shell-escape '\\write18{H}'",
		"just -f <(printf 'x:\\n  H\\n') x", "make -f <(printf 'x:\\n\\t H\\n')", "printf 'x:\\n\\t H\\n' | make -f - x", "make -E 'x:;H' x", "make --eval='x:;H' x",
		"parallel --tagstring '{= system(\"H\") =}' echo ::: 1", "parallel --rpl '{x} system(\"H\")' echo {x} ::: 1", "ansible localhost -m shell -a 'H'",
		"ansible localhost -i hosts -a 'H'", "npm explore jest -- H", "npx cross-env-shell 'H'", "npx tsup --onSuccess 'H'", "npx concurrently 'H'",
		"mvn exec:exec -Dexec.executable=sh -Dexec.args='-c \"H\"'", "cargo --config 'target.x.runner=[\"sh\",\"-c\",\"H\"]' run",
		"distrobox enter b -- H", "toolbox run H", "npm pkg set scripts.x='H'; npm run x",
	)
}
