# bash completion of permgate, written by: permgate completion bash

# The commands, and the options that take a value.
_permgate_is() {
	case $1 in
	'permgate install') ;;
	'permgate check') ;;
	'permgate explain') ;;
	'permgate allow') ;;
	'permgate test') ;;
	'permgate doctor') ;;
	'permgate rules') ;;
	'permgate rules add') ;;
	'permgate rules remove') ;;
	'permgate auto') ;;
	'permgate auto eval') ;;
	'permgate session') ;;
	'permgate session show') ;;
	'permgate session allow-all') ;;
	'permgate session allow-edits') ;;
	'permgate session allow-bash') ;;
	'permgate session allow') ;;
	'permgate session add-dir') ;;
	'permgate session reset') ;;
	'permgate trust') ;;
	'permgate lint') ;;
	'permgate init') ;;
	'permgate import') ;;
	'permgate log') ;;
	'permgate replay') ;;
	'permgate prove') ;;
	'permgate policy') ;;
	'permgate policy check') ;;
	'permgate bench') ;;
	'permgate recommend') ;;
	'permgate report') ;;
	'permgate upgrade') ;;
	'permgate export') ;;
	'permgate uninstall') ;;
	'permgate state') ;;
	'permgate schema') ;;
	'permgate completion') ;;
	'permgate help') ;;
	'permgate version') ;;
	'permgate hook') ;;
	*) return 1 ;;
	esac
}

_permgate_takes() {
	case $1 in
	'permgate install --host' | 'permgate install --scope' | 'permgate install --os' | 'permgate install --exe') ;;
	'permgate check --jobs' | 'permgate check --exit-code' | 'permgate check --session' | 'permgate check --tool' | 'permgate check --host' | 'permgate check --event' | 'permgate check --cwd' | 'permgate check --home' | 'permgate check --state' | 'permgate check --agent' | 'permgate check --skill' | 'permgate check --permission-mode' | 'permgate check --settings' | 'permgate check --add-dir' | 'permgate check --allowedTools' | 'permgate check --disallowedTools' | 'permgate check --tools') ;;
	'permgate explain --session' | 'permgate explain --tool' | 'permgate explain --host' | 'permgate explain --event' | 'permgate explain --cwd' | 'permgate explain --home' | 'permgate explain --state' | 'permgate explain --agent' | 'permgate explain --skill' | 'permgate explain --permission-mode' | 'permgate explain --settings' | 'permgate explain --add-dir' | 'permgate explain --allowedTools' | 'permgate explain --disallowedTools' | 'permgate explain --tools') ;;
	'permgate allow --scope' | 'permgate allow --for' | 'permgate allow --pick' | 'permgate allow --session' | 'permgate allow --tool' | 'permgate allow --host' | 'permgate allow --event' | 'permgate allow --cwd' | 'permgate allow --home' | 'permgate allow --state' | 'permgate allow --agent' | 'permgate allow --skill' | 'permgate allow --permission-mode' | 'permgate allow --settings' | 'permgate allow --add-dir' | 'permgate allow --allowedTools' | 'permgate allow --disallowedTools' | 'permgate allow --tools') ;;
	'permgate test --session' | 'permgate test --tool' | 'permgate test --host' | 'permgate test --event' | 'permgate test --cwd' | 'permgate test --home' | 'permgate test --state' | 'permgate test --agent' | 'permgate test --skill' | 'permgate test --permission-mode' | 'permgate test --settings' | 'permgate test --add-dir' | 'permgate test --allowedTools' | 'permgate test --disallowedTools' | 'permgate test --tools') ;;
	'permgate doctor --host') ;;
	'permgate rules --host' | 'permgate rules --cwd' | 'permgate rules --home' | 'permgate rules --agent' | 'permgate rules --skill' | 'permgate rules --permission-mode' | 'permgate rules --settings' | 'permgate rules --add-dir' | 'permgate rules --allowedTools' | 'permgate rules --disallowedTools' | 'permgate rules --tools') ;;
	'permgate rules add --scope' | 'permgate rules add --host') ;;
	'permgate rules remove --scope' | 'permgate rules remove --host') ;;
	'permgate auto --add-dir' | 'permgate auto --agent' | 'permgate auto --allowedTools' | 'permgate auto --cwd' | 'permgate auto --disallowedTools' | 'permgate auto --home' | 'permgate auto --host' | 'permgate auto --settings' | 'permgate auto --skill' | 'permgate auto --tools') ;;
	'permgate auto eval --add-dir' | 'permgate auto eval --agent' | 'permgate auto eval --allowedTools' | 'permgate auto eval --cwd' | 'permgate auto eval --disallowedTools' | 'permgate auto eval --home' | 'permgate auto eval --host' | 'permgate auto eval --settings' | 'permgate auto eval --skill' | 'permgate auto eval --tools') ;;
	'permgate session --session' | 'permgate session --state' | 'permgate session --home') ;;
	'permgate session show --session' | 'permgate session show --state' | 'permgate session show --home') ;;
	'permgate session allow-all --session' | 'permgate session allow-all --state' | 'permgate session allow-all --home') ;;
	'permgate session allow-edits --session' | 'permgate session allow-edits --state' | 'permgate session allow-edits --home') ;;
	'permgate session allow-bash --session' | 'permgate session allow-bash --state' | 'permgate session allow-bash --home') ;;
	'permgate session allow --session' | 'permgate session allow --state' | 'permgate session allow --home') ;;
	'permgate session add-dir --session' | 'permgate session add-dir --state' | 'permgate session add-dir --home') ;;
	'permgate session reset --session' | 'permgate session reset --state' | 'permgate session reset --home') ;;
	'permgate trust --folder' | 'permgate trust --repo' | 'permgate trust --home') ;;
	'permgate lint --severity' | 'permgate lint --host') ;;
	'permgate init --profile' | 'permgate init --host' | 'permgate init --scope') ;;
	'permgate import --from' | 'permgate import --scope' | 'permgate import --host') ;;
	'permgate log --since' | 'permgate log --session' | 'permgate log --decision' | 'permgate log --project' | 'permgate log --tool' | 'permgate log --rule' | 'permgate log --host' | 'permgate log --last' | 'permgate log -n' | 'permgate log --state' | 'permgate log --home') ;;
	'permgate replay --host' | 'permgate replay --since' | 'permgate replay --project' | 'permgate replay --policy' | 'permgate replay --against' | 'permgate replay --html' | 'permgate replay --jobs' | 'permgate replay --state' | 'permgate replay --home') ;;
	'permgate prove --against' | 'permgate prove --policy' | 'permgate prove --tool' | 'permgate prove --never' | 'permgate prove --always' | 'permgate prove --format' | 'permgate prove --host' | 'permgate prove --permission-mode' | 'permgate prove --agent' | 'permgate prove --cwd' | 'permgate prove --home') ;;
	'permgate policy check --against' | 'permgate policy check --host' | 'permgate policy check --home') ;;
	'permgate bench --hook' | 'permgate bench --gates' | 'permgate bench --host' | 'permgate bench --labels' | 'permgate bench --mode' | 'permgate bench --sample' | 'permgate bench --list' | 'permgate bench --timeout') ;;
	'permgate recommend --host' | 'permgate recommend --since' | 'permgate recommend --project' | 'permgate recommend --scope' | 'permgate recommend --permission-mode' | 'permgate recommend --most' | 'permgate recommend -n' | 'permgate recommend --unused' | 'permgate recommend --state' | 'permgate recommend --home') ;;
	'permgate report --kind' | 'permgate report --expected' | 'permgate report --hide' | 'permgate report --keep' | 'permgate report --output' | 'permgate report -o' | 'permgate report --session' | 'permgate report --tool' | 'permgate report --host' | 'permgate report --event' | 'permgate report --cwd' | 'permgate report --home' | 'permgate report --state' | 'permgate report --agent' | 'permgate report --skill' | 'permgate report --permission-mode' | 'permgate report --settings' | 'permgate report --add-dir' | 'permgate report --allowedTools' | 'permgate report --disallowedTools' | 'permgate report --tools') ;;
	'permgate upgrade --host' | 'permgate upgrade --scope') ;;
	'permgate export --host') ;;
	'permgate uninstall --host' | 'permgate uninstall --scope') ;;
	'permgate hook --host' | 'permgate hook --event' | 'permgate hook --cwd' | 'permgate hook --home' | 'permgate hook --state' | 'permgate hook --agent' | 'permgate hook --skill' | 'permgate hook --permission-mode' | 'permgate hook --settings' | 'permgate hook --add-dir' | 'permgate hook --allowedTools' | 'permgate hook --disallowedTools' | 'permgate hook --tools') ;;
	*) return 1 ;;
	esac
}

# The commands that take options behind operands.
_permgate_anywhere() {
	case $1 in
	'permgate install' | 'permgate doctor' | 'permgate rules add' | 'permgate rules remove' | 'permgate auto eval' | 'permgate session show' | 'permgate session allow-all' | 'permgate session allow-edits' | 'permgate session allow-bash' | 'permgate session allow' | 'permgate session add-dir' | 'permgate session reset' | 'permgate trust' | 'permgate lint' | 'permgate init' | 'permgate import' | 'permgate log' | 'permgate replay' | 'permgate prove' | 'permgate policy check' | 'permgate bench' | 'permgate recommend' | 'permgate upgrade' | 'permgate export' | 'permgate uninstall' | 'permgate state' | 'permgate schema' | 'permgate completion' | 'permgate help' | 'permgate version' | 'permgate hook') ;;
	*) return 1 ;;
	esac
}

# What can stand at a place, by kind.
_permgate_offer() {
	local w
	while IFS= read -r w; do
		COMPREPLY+=("$w")
	done < <(compgen "$@" -- "$cur")
}

_permgate_values() {
	case $1 in
	agent)
		_permgate_offer -W 'antigravity claude codex copilot crush cursor droid gemini gen goose kilo opencode qwen san vscode'
		;;
	check)
		_permgate_offer -W 'remove-root overwrite-device overwrite-outside move-root replace-root kernel-key chmod-root download-to-shell fork-bomb recursive-remove unknown-option find-delete chmod-777 dd-write disk-tool shred crontab-remove device-write encrypted-disk git-reset-hard git-clean git-push-force git-branch-delete git-checkout-discard git-restore git-stash-drop git-rm-force git-objects-expire git-rewrite-history vcs-discard git-index-overwrite git-untracked-overwrite git-worktree-remove database-drop framework-reset secret-store-delete database-statement infra-destroy cluster-delete container-delete swarm-change machine-delete cloud-delete platform-delete code-host-delete registry-delete storage-delete backup-delete queue-delete http-delete service-stop machine-stop kill-all account-delete network-cut volume-delete windows-system windows-loader linux-system tunnel macos-system secret-to-network cloud-credentials download-then-run system-write container-host zsh-builtin escaped-option keystroke-injection remote-shell permgate-policy agent-unchecked powershell-remove powershell-remove-root powershell-download powershell-disk powershell-expression'
		_permgate_offer -c
		;;
	decision)
		_permgate_offer -W 'allow ask deny silence'
		;;
	dir)
		compopt -o filenames 2>/dev/null
		_permgate_offer -d
		;;
	event)
		_permgate_offer -W 'PreToolUse PermissionRequest'
		;;
	file)
		compopt -o filenames 2>/dev/null
		_permgate_offer -f
		;;
	format)
		_permgate_offer -W 'text json markdown'
		;;
	host)
		_permgate_offer -W 'opencode kilo cursor antigravity grok goose crush droid codex gemini vscode copilot caliban claude qwen san gen core-agent ex_athena generic'
		;;
	import_scope)
		_permgate_offer -W 'local shared user managed'
		;;
	init_scope)
		_permgate_offer -W 'shared local'
		;;
	install_scope)
		_permgate_offer -W 'user project managed'
		;;
	kind)
		_permgate_offer -W 'false-prompt missed other'
		;;
	list)
		_permgate_offer -W 'allow ask deny'
		;;
	mode)
		_permgate_offer -W 'bypassPermissions auto acceptEdits default plan dontAsk explore'
		;;
	profile)
		_permgate_offer -W 'starter strict'
		;;
	program)
		_permgate_offer -c
		;;
	schema)
		_permgate_offer -W 'permgate settings'
		;;
	scope)
		_permgate_offer -W 'local shared user'
		;;
	severity)
		_permgate_offer -W 'note warning error'
		;;
	shell)
		_permgate_offer -W 'bash zsh fish'
		;;
	system)
		_permgate_offer -W 'gen caliban core-agent ex_athena copilot codex opencode'
		;;
	tool)
		_permgate_offer -W 'Bash PowerShell Monitor Read Glob Grep LS LSP NotebookRead Edit Write NotebookEdit MultiEdit apply_patch WebFetch WebSearch Agent Task Skill MCP AskUserQuestion BashOutput KillShell KillBash TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop TodoRead TodoWrite EnterPlanMode ExitPlanMode EnterWorktree ExitWorktree SlashCommand ToolSearch SendMessage TeamCreate TeamDelete ListMcpResourcesTool ReadMcpResourceTool CronCreate CronDelete CronList RemoteTrigger StructuredOutput Sleep Brief Config Cd Memory Sampling Extension Sandbox'
		;;
	topic)
		_permgate_offer -W 'install check explain allow test doctor rules auto session trust lint init import log replay prove policy bench recommend report upgrade export uninstall state schema completion help version hook patterns modes steps checks places lint-checks hosts posture observe exit-codes'
		;;
	esac
}

_permgate() {
	local cur=${COMP_WORDS[COMP_CWORD]} at=permgate operand=0 options=1 option= i w
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		w=${COMP_WORDS[i]}
		if [[ $w == = ]]; then
			continue
		elif [[ -n $option ]]; then
			option=
		elif [[ -n $options && $w == -- ]]; then
			options= operand=$((operand ? operand : 1))
		elif [[ -n $options && $w == -?* ]]; then
			_permgate_takes "$at $w" && option=$w
		elif [[ $operand == 0 ]] && _permgate_is "$at $w"; then
			at="$at $w"
		else
			operand=$((operand ? operand + 1 : 2))
			_permgate_anywhere "$at" || options=
		fi
	done
	[[ $cur == = ]] && cur=
	[[ -n $options && -z $option && $cur == -* ]] && option=-
	((operand)) || operand=1
	case "$at $option" in
	'permgate ')
		[[ $operand == 1 ]] && _permgate_offer -W 'install check explain allow test doctor rules auto session trust lint init import log replay prove policy bench recommend report upgrade export uninstall state schema completion help version hook'
		;;
	'permgate install --host') _permgate_values agent ;;
	'permgate install --scope') _permgate_values install_scope ;;
	'permgate install --os') _permgate_values system ;;
	'permgate install -') _permgate_offer -W '--host --scope --dry-run --yes --diff --list --experimental --observe --enforce --posture --print --os --exe' ;;
	'permgate check --tool') _permgate_values tool ;;
	'permgate check --host') _permgate_values host ;;
	'permgate check --event') _permgate_values event ;;
	'permgate check --cwd') _permgate_values dir ;;
	'permgate check --home') _permgate_values dir ;;
	'permgate check --state') _permgate_values dir ;;
	'permgate check --permission-mode') _permgate_values mode ;;
	'permgate check --settings') _permgate_values file ;;
	'permgate check --add-dir') _permgate_values dir ;;
	'permgate check -') _permgate_offer -W '--lines --jobs --shell --quiet -q --exit-code --session --classify --tool --json --host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate check ')
		case $operand in
		1) _permgate_values program ;;
		*) _permgate_values file ;;
		esac
		;;
	'permgate explain --tool') _permgate_values tool ;;
	'permgate explain --host') _permgate_values host ;;
	'permgate explain --event') _permgate_values event ;;
	'permgate explain --cwd') _permgate_values dir ;;
	'permgate explain --home') _permgate_values dir ;;
	'permgate explain --state') _permgate_values dir ;;
	'permgate explain --permission-mode') _permgate_values mode ;;
	'permgate explain --settings') _permgate_values file ;;
	'permgate explain --add-dir') _permgate_values dir ;;
	'permgate explain -') _permgate_offer -W '--last --session --html --classify --tool --json --host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate explain ')
		case $operand in
		1) _permgate_values check ;;
		*) _permgate_values file ;;
		esac
		;;
	'permgate allow --scope') _permgate_values scope ;;
	'permgate allow --tool') _permgate_values tool ;;
	'permgate allow --host') _permgate_values host ;;
	'permgate allow --event') _permgate_values event ;;
	'permgate allow --cwd') _permgate_values dir ;;
	'permgate allow --home') _permgate_values dir ;;
	'permgate allow --state') _permgate_values dir ;;
	'permgate allow --permission-mode') _permgate_values mode ;;
	'permgate allow --settings') _permgate_values file ;;
	'permgate allow --add-dir') _permgate_values dir ;;
	'permgate allow -') _permgate_offer -W '--deny --ask --scope --for-session --for --once --stem --pick --dry-run --yes --last --session --tool --json --host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate allow ')
		case $operand in
		1) _permgate_values program ;;
		*) _permgate_values file ;;
		esac
		;;
	'permgate test --tool') _permgate_values tool ;;
	'permgate test --host') _permgate_values host ;;
	'permgate test --event') _permgate_values event ;;
	'permgate test --cwd') _permgate_values dir ;;
	'permgate test --home') _permgate_values dir ;;
	'permgate test --state') _permgate_values dir ;;
	'permgate test --permission-mode') _permgate_values mode ;;
	'permgate test --settings') _permgate_values file ;;
	'permgate test --add-dir') _permgate_values dir ;;
	'permgate test -') _permgate_offer -W '--verbose -v --coverage --user --record --last --session --dry-run --yes --tool --json --host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate test ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate doctor --host') _permgate_values agent ;;
	'permgate doctor -') _permgate_offer -W '--host --json' ;;
	'permgate rules --host') _permgate_values host ;;
	'permgate rules --cwd') _permgate_values dir ;;
	'permgate rules --home') _permgate_values dir ;;
	'permgate rules --permission-mode') _permgate_values mode ;;
	'permgate rules --settings') _permgate_values file ;;
	'permgate rules --add-dir') _permgate_values dir ;;
	'permgate rules -') _permgate_offer -W '--json --host --cwd --home --agent --skill --permission-mode --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate rules ')
		[[ $operand == 1 ]] && _permgate_offer -W 'add remove'
		;;
	'permgate rules add --scope') _permgate_values scope ;;
	'permgate rules add --host') _permgate_values host ;;
	'permgate rules add -') _permgate_offer -W '--scope --host --dry-run --yes' ;;
	'permgate rules add ')
		case $operand in
		1) _permgate_values list ;;
		esac
		;;
	'permgate rules remove --scope') _permgate_values scope ;;
	'permgate rules remove --host') _permgate_values host ;;
	'permgate rules remove -') _permgate_offer -W '--scope --host --dry-run --yes' ;;
	'permgate rules remove ')
		case $operand in
		1) _permgate_values list ;;
		esac
		;;
	'permgate auto --add-dir') _permgate_values dir ;;
	'permgate auto --cwd') _permgate_values dir ;;
	'permgate auto --home') _permgate_values dir ;;
	'permgate auto --host') _permgate_values host ;;
	'permgate auto --settings') _permgate_values file ;;
	'permgate auto -') _permgate_offer -W '--json --add-dir --agent --allowedTools --cwd --disallowedTools --home --host --settings --skill --tools' ;;
	'permgate auto ')
		[[ $operand == 1 ]] && _permgate_offer -W 'eval'
		;;
	'permgate auto eval --add-dir') _permgate_values dir ;;
	'permgate auto eval --cwd') _permgate_values dir ;;
	'permgate auto eval --home') _permgate_values dir ;;
	'permgate auto eval --host') _permgate_values host ;;
	'permgate auto eval --settings') _permgate_values file ;;
	'permgate auto eval -') _permgate_offer -W '--json --add-dir --agent --allowedTools --cwd --disallowedTools --home --host --settings --skill --tools --classify' ;;
	'permgate auto eval ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate session --state') _permgate_values dir ;;
	'permgate session --home') _permgate_values dir ;;
	'permgate session -') _permgate_offer -W '--session --state --home --json' ;;
	'permgate session ')
		[[ $operand == 1 ]] && _permgate_offer -W 'show allow-all allow-edits allow-bash allow add-dir reset'
		;;
	'permgate session show --state') _permgate_values dir ;;
	'permgate session show --home') _permgate_values dir ;;
	'permgate session show -') _permgate_offer -W '--session --state --home --json' ;;
	'permgate session allow-all --state') _permgate_values dir ;;
	'permgate session allow-all --home') _permgate_values dir ;;
	'permgate session allow-all -') _permgate_offer -W '--dry-run --yes --session --state --home' ;;
	'permgate session allow-edits --state') _permgate_values dir ;;
	'permgate session allow-edits --home') _permgate_values dir ;;
	'permgate session allow-edits -') _permgate_offer -W '--dry-run --yes --session --state --home' ;;
	'permgate session allow-bash --state') _permgate_values dir ;;
	'permgate session allow-bash --home') _permgate_values dir ;;
	'permgate session allow-bash -') _permgate_offer -W '--dry-run --yes --session --state --home' ;;
	'permgate session allow --state') _permgate_values dir ;;
	'permgate session allow --home') _permgate_values dir ;;
	'permgate session allow -') _permgate_offer -W '--dry-run --yes --session --state --home' ;;
	'permgate session add-dir --state') _permgate_values dir ;;
	'permgate session add-dir --home') _permgate_values dir ;;
	'permgate session add-dir -') _permgate_offer -W '--dry-run --yes --session --state --home' ;;
	'permgate session add-dir ')
		case $operand in
		1) _permgate_values dir ;;
		esac
		;;
	'permgate session reset --state') _permgate_values dir ;;
	'permgate session reset --home') _permgate_values dir ;;
	'permgate session reset -') _permgate_offer -W '--dry-run --yes --session --state --home --saved' ;;
	'permgate trust --folder') _permgate_values dir ;;
	'permgate trust --repo') _permgate_values dir ;;
	'permgate trust --home') _permgate_values dir ;;
	'permgate trust -') _permgate_offer -W '--list --diff --revoke --folder --repo --home --json --dry-run --yes' ;;
	'permgate trust ')
		case $operand in
		1) _permgate_values dir ;;
		esac
		;;
	'permgate lint --severity') _permgate_values severity ;;
	'permgate lint --host') _permgate_values host ;;
	'permgate lint -') _permgate_offer -W '--json --sarif --fix --list --severity --host --dry-run --yes' ;;
	'permgate lint ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate init --profile') _permgate_values profile ;;
	'permgate init --host') _permgate_values host ;;
	'permgate init --scope') _permgate_values init_scope ;;
	'permgate init -') _permgate_offer -W '--profile --host --scope --dry-run --yes' ;;
	'permgate import --from') _permgate_values system ;;
	'permgate import --scope') _permgate_values import_scope ;;
	'permgate import --host') _permgate_values host ;;
	'permgate import -') _permgate_offer -W '--from --scope --host --check --json --dry-run --yes' ;;
	'permgate import ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate log --decision') _permgate_values decision ;;
	'permgate log --project') _permgate_values dir ;;
	'permgate log --tool') _permgate_values tool ;;
	'permgate log --host') _permgate_values host ;;
	'permgate log --state') _permgate_values dir ;;
	'permgate log --home') _permgate_values dir ;;
	'permgate log -') _permgate_offer -W '--follow -f --since --session --decision --project --tool --rule --host --last -n --stats --json --csv --state --home' ;;
	'permgate replay --host') _permgate_values host ;;
	'permgate replay --project') _permgate_values dir ;;
	'permgate replay --policy') _permgate_values file ;;
	'permgate replay --against') _permgate_values file ;;
	'permgate replay --html') _permgate_values file ;;
	'permgate replay --state') _permgate_values dir ;;
	'permgate replay --home') _permgate_values dir ;;
	'permgate replay -') _permgate_offer -W '--host --since --project --lines --policy --against --json --html --jobs --state --home' ;;
	'permgate replay ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate prove --against') _permgate_values file ;;
	'permgate prove --policy') _permgate_values file ;;
	'permgate prove --tool') _permgate_values tool ;;
	'permgate prove --format') _permgate_values format ;;
	'permgate prove --host') _permgate_values host ;;
	'permgate prove --permission-mode') _permgate_values mode ;;
	'permgate prove --cwd') _permgate_values dir ;;
	'permgate prove --home') _permgate_values dir ;;
	'permgate prove -') _permgate_offer -W '--against --policy --tool --equivalent --as-is --never --always --format --json --host --permission-mode --agent --headless --cwd --home' ;;
	'permgate policy ')
		[[ $operand == 1 ]] && _permgate_offer -W 'check'
		case $operand in
		esac
		;;
	'permgate policy check --against') _permgate_values file ;;
	'permgate policy check --host') _permgate_values host ;;
	'permgate policy check --home') _permgate_values dir ;;
	'permgate policy check -') _permgate_offer -W '--against --host --home' ;;
	'permgate policy check ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate bench --gates') _permgate_values file ;;
	'permgate bench --host') _permgate_values host ;;
	'permgate bench --labels') _permgate_values file ;;
	'permgate bench --mode') _permgate_values mode ;;
	'permgate bench -') _permgate_offer -W '--hook --gates --host --labels --mode --sample --list --timeout --json' ;;
	'permgate recommend --host') _permgate_values host ;;
	'permgate recommend --project') _permgate_values dir ;;
	'permgate recommend --scope') _permgate_values scope ;;
	'permgate recommend --permission-mode') _permgate_values mode ;;
	'permgate recommend --state') _permgate_values dir ;;
	'permgate recommend --home') _permgate_values dir ;;
	'permgate recommend -') _permgate_offer -W '--host --since --project --lines --scope --permission-mode --most -n --wide --rare --unused --json --dry-run --yes --state --home' ;;
	'permgate recommend ')
		case $operand in
		*) _permgate_values file ;;
		esac
		;;
	'permgate report --kind') _permgate_values kind ;;
	'permgate report --output' | 'permgate report -o') _permgate_values file ;;
	'permgate report --tool') _permgate_values tool ;;
	'permgate report --host') _permgate_values host ;;
	'permgate report --event') _permgate_values event ;;
	'permgate report --cwd') _permgate_values dir ;;
	'permgate report --home') _permgate_values dir ;;
	'permgate report --state') _permgate_values dir ;;
	'permgate report --permission-mode') _permgate_values mode ;;
	'permgate report --settings') _permgate_values file ;;
	'permgate report --add-dir') _permgate_values dir ;;
	'permgate report -') _permgate_offer -W '--kind --expected --hide --keep --output -o --last --session --tool --host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	'permgate report ')
		case $operand in
		1) _permgate_values program ;;
		*) _permgate_values file ;;
		esac
		;;
	'permgate upgrade --host') _permgate_values agent ;;
	'permgate upgrade --scope') _permgate_values install_scope ;;
	'permgate upgrade -') _permgate_offer -W '--posture --all --host --scope --dry-run --yes --diff' ;;
	'permgate export --host') _permgate_values host ;;
	'permgate export -') _permgate_offer -W '--host --dry-run --yes --check --json' ;;
	'permgate uninstall --host') _permgate_values agent ;;
	'permgate uninstall --scope') _permgate_values install_scope ;;
	'permgate uninstall -') _permgate_offer -W '--host --scope --dry-run --yes --diff --backups' ;;
	'permgate state -') _permgate_offer -W '--clean --backups --dry-run --yes' ;;
	'permgate schema ')
		case $operand in
		1) _permgate_values schema ;;
		esac
		;;
	'permgate completion ')
		case $operand in
		1) _permgate_values shell ;;
		esac
		;;
	'permgate help ')
		case $operand in
		1) _permgate_values topic ;;
		esac
		;;
	'permgate version -') _permgate_offer -W '--json' ;;
	'permgate hook --host') _permgate_values host ;;
	'permgate hook --event') _permgate_values event ;;
	'permgate hook --cwd') _permgate_values dir ;;
	'permgate hook --home') _permgate_values dir ;;
	'permgate hook --state') _permgate_values dir ;;
	'permgate hook --permission-mode') _permgate_values mode ;;
	'permgate hook --settings') _permgate_values file ;;
	'permgate hook --add-dir') _permgate_values dir ;;
	'permgate hook -') _permgate_offer -W '--host --event --cwd --home --state --agent --skill --permission-mode --headless --allow-dangerously-skip-permissions --settings --add-dir --allowedTools --disallowedTools --tools' ;;
	esac
}

complete -F _permgate permgate
