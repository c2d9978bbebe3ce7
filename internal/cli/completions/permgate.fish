# fish completion of permgate, written by: permgate completion fish

set -g __permgate_commands 'install' \
	'check' \
	'explain' \
	'allow' \
	'test' \
	'doctor' \
	'rules' \
	'rules add' \
	'rules remove' \
	'auto' \
	'auto eval' \
	'session' \
	'session show' \
	'session allow-all' \
	'session allow-edits' \
	'session allow-bash' \
	'session allow' \
	'session add-dir' \
	'session reset' \
	'trust' \
	'lint' \
	'init' \
	'import' \
	'log' \
	'replay' \
	'prove' \
	'policy' \
	'policy check' \
	'bench' \
	'recommend' \
	'report' \
	'upgrade' \
	'export' \
	'uninstall' \
	'state' \
	'schema' \
	'completion' \
	'help' \
	'version' \
	'hook'

set -g __permgate_takes 'install --host' \
	'install --scope' \
	'install --os' \
	'install --exe' \
	'check --jobs' \
	'check --exit-code' \
	'check --session' \
	'check --tool' \
	'check --host' \
	'check --event' \
	'check --cwd' \
	'check --home' \
	'check --state' \
	'check --agent' \
	'check --skill' \
	'check --permission-mode' \
	'check --settings' \
	'check --add-dir' \
	'check --allowedTools' \
	'check --disallowedTools' \
	'check --tools' \
	'explain --session' \
	'explain --tool' \
	'explain --host' \
	'explain --event' \
	'explain --cwd' \
	'explain --home' \
	'explain --state' \
	'explain --agent' \
	'explain --skill' \
	'explain --permission-mode' \
	'explain --settings' \
	'explain --add-dir' \
	'explain --allowedTools' \
	'explain --disallowedTools' \
	'explain --tools' \
	'allow --scope' \
	'allow --for' \
	'allow --pick' \
	'allow --session' \
	'allow --tool' \
	'allow --host' \
	'allow --event' \
	'allow --cwd' \
	'allow --home' \
	'allow --state' \
	'allow --agent' \
	'allow --skill' \
	'allow --permission-mode' \
	'allow --settings' \
	'allow --add-dir' \
	'allow --allowedTools' \
	'allow --disallowedTools' \
	'allow --tools' \
	'test --session' \
	'test --tool' \
	'test --host' \
	'test --event' \
	'test --cwd' \
	'test --home' \
	'test --state' \
	'test --agent' \
	'test --skill' \
	'test --permission-mode' \
	'test --settings' \
	'test --add-dir' \
	'test --allowedTools' \
	'test --disallowedTools' \
	'test --tools' \
	'doctor --host' \
	'rules --host' \
	'rules --cwd' \
	'rules --home' \
	'rules --agent' \
	'rules --skill' \
	'rules --permission-mode' \
	'rules --settings' \
	'rules --add-dir' \
	'rules --allowedTools' \
	'rules --disallowedTools' \
	'rules --tools' \
	'rules add --scope' \
	'rules add --host' \
	'rules remove --scope' \
	'rules remove --host' \
	'auto --add-dir' \
	'auto --agent' \
	'auto --allowedTools' \
	'auto --cwd' \
	'auto --disallowedTools' \
	'auto --home' \
	'auto --host' \
	'auto --settings' \
	'auto --skill' \
	'auto --tools' \
	'auto eval --add-dir' \
	'auto eval --agent' \
	'auto eval --allowedTools' \
	'auto eval --cwd' \
	'auto eval --disallowedTools' \
	'auto eval --home' \
	'auto eval --host' \
	'auto eval --settings' \
	'auto eval --skill' \
	'auto eval --tools' \
	'session --session' \
	'session --state' \
	'session --home' \
	'session show --session' \
	'session show --state' \
	'session show --home' \
	'session allow-all --session' \
	'session allow-all --state' \
	'session allow-all --home' \
	'session allow-edits --session' \
	'session allow-edits --state' \
	'session allow-edits --home' \
	'session allow-bash --session' \
	'session allow-bash --state' \
	'session allow-bash --home' \
	'session allow --session' \
	'session allow --state' \
	'session allow --home' \
	'session add-dir --session' \
	'session add-dir --state' \
	'session add-dir --home' \
	'session reset --session' \
	'session reset --state' \
	'session reset --home' \
	'trust --folder' \
	'trust --repo' \
	'trust --home' \
	'lint --severity' \
	'lint --host' \
	'init --profile' \
	'init --host' \
	'init --scope' \
	'import --from' \
	'import --scope' \
	'import --host' \
	'log --since' \
	'log --session' \
	'log --decision' \
	'log --project' \
	'log --tool' \
	'log --rule' \
	'log --host' \
	'log --last' \
	'log -n' \
	'log --state' \
	'log --home' \
	'replay --host' \
	'replay --since' \
	'replay --project' \
	'replay --policy' \
	'replay --against' \
	'replay --html' \
	'replay --jobs' \
	'replay --state' \
	'replay --home' \
	'prove --against' \
	'prove --policy' \
	'prove --tool' \
	'prove --never' \
	'prove --always' \
	'prove --format' \
	'prove --host' \
	'prove --permission-mode' \
	'prove --agent' \
	'prove --cwd' \
	'prove --home' \
	'policy check --against' \
	'policy check --host' \
	'policy check --home' \
	'bench --hook' \
	'bench --gates' \
	'bench --host' \
	'bench --labels' \
	'bench --mode' \
	'bench --sample' \
	'bench --list' \
	'bench --timeout' \
	'recommend --host' \
	'recommend --since' \
	'recommend --project' \
	'recommend --scope' \
	'recommend --permission-mode' \
	'recommend --most' \
	'recommend -n' \
	'recommend --unused' \
	'recommend --state' \
	'recommend --home' \
	'report --kind' \
	'report --expected' \
	'report --hide' \
	'report --keep' \
	'report --output' \
	'report -o' \
	'report --session' \
	'report --tool' \
	'report --host' \
	'report --event' \
	'report --cwd' \
	'report --home' \
	'report --state' \
	'report --agent' \
	'report --skill' \
	'report --permission-mode' \
	'report --settings' \
	'report --add-dir' \
	'report --allowedTools' \
	'report --disallowedTools' \
	'report --tools' \
	'upgrade --host' \
	'upgrade --scope' \
	'export --host' \
	'uninstall --host' \
	'uninstall --scope' \
	'hook --host' \
	'hook --event' \
	'hook --cwd' \
	'hook --home' \
	'hook --state' \
	'hook --agent' \
	'hook --skill' \
	'hook --permission-mode' \
	'hook --settings' \
	'hook --add-dir' \
	'hook --allowedTools' \
	'hook --disallowedTools' \
	'hook --tools'

set -g __permgate_anywhere 'install' 'doctor' 'rules add' 'rules remove' 'auto eval' 'session show' 'session allow-all' 'session allow-edits' 'session allow-bash' 'session allow' 'session add-dir' 'session reset' 'trust' 'lint' 'init' 'import' 'log' 'replay' 'prove' 'policy check' 'bench' 'recommend' 'upgrade' 'export' 'uninstall' 'state' 'schema' 'completion' 'help' 'version' 'hook'

function __permgate_at --description 'the command and the operand the cursor is at'
	set -l at
	set -l operand 0
	set -l option 0
	set -l options 1
	set -l tokens (commandline -opc)
	for w in $tokens[2..]
		if test $option = 1
			set option 0
		else if test $options = 1; and string match -q -- '-?*' $w
			if test "$w" = --
				set options 0
				set operand (math "max($operand, 1)")
			else if not string match -q -- '*=*' $w; and contains -- "$at $w" $__permgate_takes
				set option 1
			end
		else if test $operand = 0; and contains -- (string trim "$at $w") $__permgate_commands
			set at (string trim "$at $w")
		else
			set operand (math "max($operand, 1)" + 1)
			contains -- "$at" $__permgate_anywhere; or set options 0
		end
	end
	echo "$at"
	echo $operand
	echo $options
end

# __permgate_in COMMAND options | PLACE | PLACE+
function __permgate_in
	set -l where (__permgate_at)
	test "$where[1]" = "$argv[1]"; or return 1
	switch $argv[2]
		case options
			test $where[3] = 1
		case '*+'
			test (math "max($where[2], 1)") -ge (string trim --right --chars=+ $argv[2])
		case '*'
			test (math "max($where[2], 1)") = $argv[2]
	end
end

function __permgate_agent
	printf '%s\t%s\n' antigravity 'Antigravity'
	printf '%s\t%s\n' claude 'Claude Code'
	printf '%s\t%s\n' codex 'Codex'
	printf '%s\t%s\n' copilot 'GitHub Copilot CLI'
	printf '%s\t%s\n' crush 'Crush'
	printf '%s\t%s\n' cursor 'Cursor'
	printf '%s\t%s\n' droid 'Factory Droid'
	printf '%s\t%s\n' gemini 'Gemini CLI'
	printf '%s\t%s\n' gen 'Gen'
	printf '%s\t%s\n' goose 'Goose'
	printf '%s\t%s\n' kilo 'Kilo'
	printf '%s\t%s\n' opencode 'opencode'
	printf '%s\t%s\n' qwen 'Qwen Code'
	printf '%s\t%s\n' san 'San'
	printf '%s\t%s\n' vscode 'VS Code'
end

function __permgate_check
	printf '%s\t%s\n' remove-root 'removes the root, a system directory or a home directory'
	printf '%s\t%s\n' overwrite-device 'overwrites a disk'
	printf '%s\t%s\n' overwrite-outside 'overwrites what is no plain file of the project'
	printf '%s\t%s\n' move-root 'moves the root, a system directory or a home away'
	printf '%s\t%s\n' replace-root 'replaces the root, a system directory or a home'
	printf '%s\t%s\n' kernel-key 'makes the kernel restart or stop at once'
	printf '%s\t%s\n' chmod-root 'changes modes or owners of the whole system'
	printf '%s\t%s\n' download-to-shell 'runs downloaded code without review'
	printf '%s\t%s\n' fork-bomb 'spawns itself endlessly (fork bomb)'
	printf '%s\t%s\n' recursive-remove 'deletes a directory and everything in it'
	printf '%s\t%s\n' unknown-option 'runs a destructive command with an unknown option'
	printf '%s\t%s\n' find-delete 'deletes every file that find matches'
	printf '%s\t%s\n' chmod-777 'makes a file writable and executable by everyone'
	printf '%s\t%s\n' dd-write 'overwrites a file or device block by block'
	printf '%s\t%s\n' disk-tool 'formats or repartitions a disk'
	printf '%s\t%s\n' shred 'overwrites files so that they cannot be recovered'
	printf '%s\t%s\n' crontab-remove 'deletes all scheduled commands of a user'
	printf '%s\t%s\n' device-write 'writes to a disk device'
	printf '%s\t%s\n' encrypted-disk 'changes an encrypted disk'
	printf '%s\t%s\n' git-reset-hard 'discards uncommitted changes'
	printf '%s\t%s\n' git-clean 'deletes untracked files'
	printf '%s\t%s\n' git-push-force 'overwrites or deletes what others have pushed'
	printf '%s\t%s\n' git-branch-delete 'deletes a branch that may not be merged'
	printf '%s\t%s\n' git-checkout-discard 'overwrites changed files with older versions'
	printf '%s\t%s\n' git-restore 'overwrites changed files with older versions'
	printf '%s\t%s\n' git-stash-drop 'deletes stashed work'
	printf '%s\t%s\n' git-rm-force 'deletes files and their uncommitted changes'
	printf '%s\t%s\n' git-objects-expire 'deletes the commits git keeps for recovery'
	printf '%s\t%s\n' git-rewrite-history 'rewrites every commit'
	printf '%s\t%s\n' vcs-discard 'discards changes or commits of a repository'
	printf '%s\t%s\n' git-index-overwrite 'overwrites changed files from the index or a tree'
	printf '%s\t%s\n' git-untracked-overwrite 'overwrites files that git does not track'
	printf '%s\t%s\n' git-worktree-remove 'deletes a worktree with what git does not have of it'
	printf '%s\t%s\n' database-drop 'deletes a database or everything in it'
	printf '%s\t%s\n' framework-reset 'drops or empties an application\'s database'
	printf '%s\t%s\n' secret-store-delete 'deletes secrets from a secret store'
	printf '%s\t%s\n' database-statement 'drops or empties data in a database'
	printf '%s\t%s\n' infra-destroy 'destroys infrastructure, or changes it without review'
	printf '%s\t%s\n' cluster-delete 'deletes or stops resources in a cluster'
	printf '%s\t%s\n' container-delete 'deletes container volumes, or everything unused'
	printf '%s\t%s\n' swarm-change 'takes a machine out of a swarm, or its rights'
	printf '%s\t%s\n' machine-delete 'deletes a virtual machine'
	printf '%s\t%s\n' cloud-delete 'deletes or stops resources in a cloud'
	printf '%s\t%s\n' platform-delete 'deletes or stops something on a hosting platform'
	printf '%s\t%s\n' code-host-delete 'deletes something on a code host or build service'
	printf '%s\t%s\n' registry-delete 'unpublishes a package from a registry'
	printf '%s\t%s\n' storage-delete 'deletes data stored on another machine'
	printf '%s\t%s\n' backup-delete 'deletes backups or snapshots'
	printf '%s\t%s\n' queue-delete 'deletes messages, topics or queues'
	printf '%s\t%s\n' http-delete 'asks a server to delete something'
	printf '%s\t%s\n' service-stop 'stops or disables a system service'
	printf '%s\t%s\n' machine-stop 'shuts down or restarts the machine'
	printf '%s\t%s\n' kill-all 'kills every process, or one the system needs'
	printf '%s\t%s\n' account-delete 'deletes a user or group account'
	printf '%s\t%s\n' network-cut 'removes firewall rules or cuts the network connection'
	printf '%s\t%s\n' volume-delete 'deletes a storage volume, pool or snapshot'
	printf '%s\t%s\n' windows-system 'changes or deletes by a system tool of Windows'
	printf '%s\t%s\n' windows-loader 'fetches or runs code by a tool of Windows not meant for it'
	printf '%s\t%s\n' linux-system 'changes the kernel, its guards or what runs by itself'
	printf '%s\t%s\n' tunnel 'lets the internet or another machine reach this one'
	printf '%s\t%s\n' macos-system 'changes macOS itself, its guards or other programs on it'
	printf '%s\t%s\n' secret-to-network 'sends a secret, or the environment, to another machine'
	printf '%s\t%s\n' cloud-credentials 'asks the cloud for this machine\'s credentials'
	printf '%s\t%s\n' download-then-run 'downloads a file and runs it without review'
	printf '%s\t%s\n' system-write 'changes a system file'
	printf '%s\t%s\n' container-host 'gives a container control of this machine'
	printf '%s\t%s\n' zsh-builtin 'uses a zsh builtin that bypasses the usual programs'
	printf '%s\t%s\n' escaped-option 'hides an option behind a backslash'
	printf '%s\t%s\n' keystroke-injection 'types into another terminal'
	printf '%s\t%s\n' remote-shell 'gives another machine a shell here'
	printf '%s\t%s\n' permgate-policy 'changes permgate\'s own rules, or stops it'
	printf '%s\t%s\n' agent-unchecked 'starts an agent with permissions of its own'
	printf '%s\t%s\n' powershell-remove 'deletes files or folders and everything in them'
	printf '%s\t%s\n' powershell-remove-root 'deletes a drive, the system or a home directory'
	printf '%s\t%s\n' powershell-download 'runs what it downloads'
	printf '%s\t%s\n' powershell-disk 'erases a disk or stops the machine'
	printf '%s\t%s\n' powershell-expression 'runs text as a command'
	complete -C (commandline -ct)
end

function __permgate_decision
	printf '%s\t%s\n' allow ''
	printf '%s\t%s\n' ask ''
	printf '%s\t%s\n' deny ''
	printf '%s\t%s\n' silence ''
end

function __permgate_dir
	__fish_complete_directories (commandline -ct) ''
end

function __permgate_event
	printf '%s\t%s\n' PreToolUse ''
	printf '%s\t%s\n' PermissionRequest ''
end

function __permgate_file
	__fish_complete_path (commandline -ct)
end

function __permgate_format
	printf '%s\t%s\n' text ''
	printf '%s\t%s\n' json ''
	printf '%s\t%s\n' markdown ''
end

function __permgate_host
	printf '%s\t%s\n' opencode 'opencode'
	printf '%s\t%s\n' kilo 'Kilo'
	printf '%s\t%s\n' cursor 'Cursor'
	printf '%s\t%s\n' antigravity 'Antigravity'
	printf '%s\t%s\n' grok 'Grok Build'
	printf '%s\t%s\n' goose 'Goose'
	printf '%s\t%s\n' crush 'Crush'
	printf '%s\t%s\n' droid 'Factory Droid'
	printf '%s\t%s\n' codex 'Codex'
	printf '%s\t%s\n' gemini 'Gemini CLI'
	printf '%s\t%s\n' vscode 'VS Code'
	printf '%s\t%s\n' copilot 'GitHub Copilot CLI'
	printf '%s\t%s\n' caliban 'caliban'
	printf '%s\t%s\n' claude 'Claude Code'
	printf '%s\t%s\n' qwen 'Qwen Code'
	printf '%s\t%s\n' san 'San'
	printf '%s\t%s\n' gen 'Gen'
	printf '%s\t%s\n' core-agent 'core-agent'
	printf '%s\t%s\n' ex_athena 'ExAthena'
	printf '%s\t%s\n' generic 'an unknown host'
end

function __permgate_import_scope
	printf '%s\t%s\n' local ''
	printf '%s\t%s\n' shared ''
	printf '%s\t%s\n' user ''
	printf '%s\t%s\n' managed ''
end

function __permgate_init_scope
	printf '%s\t%s\n' shared ''
	printf '%s\t%s\n' local ''
end

function __permgate_install_scope
	printf '%s\t%s\n' user ''
	printf '%s\t%s\n' project ''
	printf '%s\t%s\n' managed ''
end

function __permgate_kind
	printf '%s\t%s\n' false-prompt ''
	printf '%s\t%s\n' missed ''
	printf '%s\t%s\n' other ''
end

function __permgate_list
	printf '%s\t%s\n' allow ''
	printf '%s\t%s\n' ask ''
	printf '%s\t%s\n' deny ''
end

function __permgate_mode
	printf '%s\t%s\n' bypassPermissions 'everything is allowed except what steps 1 and 2 stop'
	printf '%s\t%s\n' auto 'edits, and commands the classifier approves, are allowed'
	printf '%s\t%s\n' acceptEdits 'safe tools and edits are allowed, everything else is asked about'
	printf '%s\t%s\n' default 'safe tools are allowed, everything else is asked about'
	printf '%s\t%s\n' plan 'safe tools are allowed, everything else is denied'
	printf '%s\t%s\n' dontAsk 'safe tools are allowed, everything else is denied: no prompt is possible'
	printf '%s\t%s\n' explore 'safe tools are allowed, everything else is denied: for agents that only explore'
end

function __permgate_profile
	printf '%s\t%s\n' starter ''
	printf '%s\t%s\n' strict ''
end

function __permgate_program
	complete -C (commandline -ct)
end

function __permgate_schema
	printf '%s\t%s\n' permgate ''
	printf '%s\t%s\n' settings ''
end

function __permgate_scope
	printf '%s\t%s\n' local ''
	printf '%s\t%s\n' shared ''
	printf '%s\t%s\n' user ''
end

function __permgate_severity
	printf '%s\t%s\n' note ''
	printf '%s\t%s\n' warning ''
	printf '%s\t%s\n' error ''
end

function __permgate_shell
	printf '%s\t%s\n' bash ''
	printf '%s\t%s\n' zsh ''
	printf '%s\t%s\n' fish ''
end

function __permgate_system
	printf '%s\t%s\n' gen 'Gen (San)'
	printf '%s\t%s\n' caliban 'caliban'
	printf '%s\t%s\n' core-agent 'core-agent'
	printf '%s\t%s\n' ex_athena 'ExAthena'
	printf '%s\t%s\n' copilot 'GitHub Copilot CLI'
	printf '%s\t%s\n' codex 'OpenAI Codex CLI'
	printf '%s\t%s\n' opencode 'opencode'
end

function __permgate_tool
	printf '%s\t%s\n' Bash ''
	printf '%s\t%s\n' PowerShell ''
	printf '%s\t%s\n' Monitor ''
	printf '%s\t%s\n' Read ''
	printf '%s\t%s\n' Glob ''
	printf '%s\t%s\n' Grep ''
	printf '%s\t%s\n' LS ''
	printf '%s\t%s\n' LSP ''
	printf '%s\t%s\n' NotebookRead ''
	printf '%s\t%s\n' Edit ''
	printf '%s\t%s\n' Write ''
	printf '%s\t%s\n' NotebookEdit ''
	printf '%s\t%s\n' MultiEdit ''
	printf '%s\t%s\n' apply_patch ''
	printf '%s\t%s\n' WebFetch ''
	printf '%s\t%s\n' WebSearch ''
	printf '%s\t%s\n' Agent ''
	printf '%s\t%s\n' Task ''
	printf '%s\t%s\n' Skill ''
	printf '%s\t%s\n' MCP ''
	printf '%s\t%s\n' AskUserQuestion ''
	printf '%s\t%s\n' BashOutput ''
	printf '%s\t%s\n' KillShell ''
	printf '%s\t%s\n' KillBash ''
	printf '%s\t%s\n' TaskCreate ''
	printf '%s\t%s\n' TaskGet ''
	printf '%s\t%s\n' TaskList ''
	printf '%s\t%s\n' TaskUpdate ''
	printf '%s\t%s\n' TaskOutput ''
	printf '%s\t%s\n' TaskStop ''
	printf '%s\t%s\n' TodoRead ''
	printf '%s\t%s\n' TodoWrite ''
	printf '%s\t%s\n' EnterPlanMode ''
	printf '%s\t%s\n' ExitPlanMode ''
	printf '%s\t%s\n' EnterWorktree ''
	printf '%s\t%s\n' ExitWorktree ''
	printf '%s\t%s\n' SlashCommand ''
	printf '%s\t%s\n' ToolSearch ''
	printf '%s\t%s\n' SendMessage ''
	printf '%s\t%s\n' TeamCreate ''
	printf '%s\t%s\n' TeamDelete ''
	printf '%s\t%s\n' ListMcpResourcesTool ''
	printf '%s\t%s\n' ReadMcpResourceTool ''
	printf '%s\t%s\n' CronCreate ''
	printf '%s\t%s\n' CronDelete ''
	printf '%s\t%s\n' CronList ''
	printf '%s\t%s\n' RemoteTrigger ''
	printf '%s\t%s\n' StructuredOutput ''
	printf '%s\t%s\n' Sleep ''
	printf '%s\t%s\n' Brief ''
	printf '%s\t%s\n' Config ''
	printf '%s\t%s\n' Cd ''
	printf '%s\t%s\n' Memory ''
	printf '%s\t%s\n' Sampling ''
	printf '%s\t%s\n' Extension ''
	printf '%s\t%s\n' Sandbox ''
end

function __permgate_topic
	printf '%s\t%s\n' install 'register the hook with an agent program'
	printf '%s\t%s\n' check 'decide a call as the hook would, without running it'
	printf '%s\t%s\n' explain 'show every step, rule and finding behind a decision'
	printf '%s\t%s\n' allow 'write the rule that allows a call, or stops it'
	printf '%s\t%s\n' test 'run the project\'s policy tests'
	printf '%s\t%s\n' doctor 'check the binary, the registrations, the settings and the log'
	printf '%s\t%s\n' rules 'list the rules in force here and their sources'
	printf '%s\t%s\n' auto 'list what mode auto denies, asks about and allows here'
	printf '%s\t%s\n' session 'show or change what a running session may do beyond the settings'
	printf '%s\t%s\n' trust 'trust what this project\'s files grant'
	printf '%s\t%s\n' lint 'find mistakes in the settings files'
	printf '%s\t%s\n' init 'write a first policy for this project, with tests'
	printf '%s\t%s\n' import 'take over a policy of another permission system'
	printf '%s\t%s\n' log 'show every decision and its outcome'
	printf '%s\t%s\n' replay 'decide recorded calls again and count the answers'
	printf '%s\t%s\n' prove 'prove that a policy allows nothing that another one does not, or show the call'
	printf '%s\t%s\n' policy 'check a policy before it is rolled out to many machines'
	printf '%s\t%s\n' bench 'put labelled calls to any gate\'s hook, and compare it with permgate'
	printf '%s\t%s\n' recommend 'propose rules that would have spared prompts, from recorded calls'
	printf '%s\t%s\n' report 'write down a wrong decision, fit to be published'
	printf '%s\t%s\n' upgrade 'how to upgrade, and what is new in the recommended posture'
	printf '%s\t%s\n' export 'write the rules in force for the agent program\'s own engine'
	printf '%s\t%s\n' uninstall 'remove the hook again'
	printf '%s\t%s\n' state 'show or remove what permgate stores outside of settings'
	printf '%s\t%s\n' schema 'print the JSON Schema of permgate.json, or of the rules in settings.json'
	printf '%s\t%s\n' completion 'print the completion script of a shell'
	printf '%s\t%s\n' help 'explain a subcommand or a topic'
	printf '%s\t%s\n' version 'print the version, and how this binary was built'
	printf '%s\t%s\n' hook 'answer one hook call on standard input (run by agent programs)'
	printf '%s\t%s\n' patterns ''
	printf '%s\t%s\n' modes ''
	printf '%s\t%s\n' steps ''
	printf '%s\t%s\n' checks ''
	printf '%s\t%s\n' places ''
	printf '%s\t%s\n' lint-checks ''
	printf '%s\t%s\n' hosts ''
	printf '%s\t%s\n' posture ''
	printf '%s\t%s\n' observe ''
	printf '%s\t%s\n' exit-codes ''
end

complete -c permgate -e
complete -c permgate -f

# permgate
complete -c permgate -n '__permgate_in "" 1' -a install -d 'register the hook with an agent program'
complete -c permgate -n '__permgate_in "" 1' -a check -d 'decide a call as the hook would, without running it'
complete -c permgate -n '__permgate_in "" 1' -a explain -d 'show every step, rule and finding behind a decision'
complete -c permgate -n '__permgate_in "" 1' -a allow -d 'write the rule that allows a call, or stops it'
complete -c permgate -n '__permgate_in "" 1' -a test -d 'run the project\'s policy tests'
complete -c permgate -n '__permgate_in "" 1' -a doctor -d 'check the binary, the registrations, the settings and the log'
complete -c permgate -n '__permgate_in "" 1' -a rules -d 'list the rules in force here and their sources'
complete -c permgate -n '__permgate_in "" 1' -a auto -d 'list what mode auto denies, asks about and allows here'
complete -c permgate -n '__permgate_in "" 1' -a session -d 'show or change what a running session may do beyond the settings'
complete -c permgate -n '__permgate_in "" 1' -a trust -d 'trust what this project\'s files grant'
complete -c permgate -n '__permgate_in "" 1' -a lint -d 'find mistakes in the settings files'
complete -c permgate -n '__permgate_in "" 1' -a init -d 'write a first policy for this project, with tests'
complete -c permgate -n '__permgate_in "" 1' -a import -d 'take over a policy of another permission system'
complete -c permgate -n '__permgate_in "" 1' -a log -d 'show every decision and its outcome'
complete -c permgate -n '__permgate_in "" 1' -a replay -d 'decide recorded calls again and count the answers'
complete -c permgate -n '__permgate_in "" 1' -a prove -d 'prove that a policy allows nothing that another one does not, or show the call'
complete -c permgate -n '__permgate_in "" 1' -a policy -d 'check a policy before it is rolled out to many machines'
complete -c permgate -n '__permgate_in "" 1' -a bench -d 'put labelled calls to any gate\'s hook, and compare it with permgate'
complete -c permgate -n '__permgate_in "" 1' -a recommend -d 'propose rules that would have spared prompts, from recorded calls'
complete -c permgate -n '__permgate_in "" 1' -a report -d 'write down a wrong decision, fit to be published'
complete -c permgate -n '__permgate_in "" 1' -a upgrade -d 'how to upgrade, and what is new in the recommended posture'
complete -c permgate -n '__permgate_in "" 1' -a export -d 'write the rules in force for the agent program\'s own engine'
complete -c permgate -n '__permgate_in "" 1' -a uninstall -d 'remove the hook again'
complete -c permgate -n '__permgate_in "" 1' -a state -d 'show or remove what permgate stores outside of settings'
complete -c permgate -n '__permgate_in "" 1' -a schema -d 'print the JSON Schema of permgate.json, or of the rules in settings.json'
complete -c permgate -n '__permgate_in "" 1' -a completion -d 'print the completion script of a shell'
complete -c permgate -n '__permgate_in "" 1' -a help -d 'explain a subcommand or a topic'
complete -c permgate -n '__permgate_in "" 1' -a version -d 'print the version, and how this binary was built'
complete -c permgate -n '__permgate_in "" 1' -a hook -d 'answer one hook call on standard input (run by agent programs)'

# permgate install
complete -c permgate -n '__permgate_in "install" options' -l host -x -a '(__permgate_agent)' -d 'agent program: antigravity, claude, codex, copilot, crush, cursor, droid, gemini, gen, goose, kilo, opencode, qwen, san, vscode'
complete -c permgate -n '__permgate_in "install" options' -l scope -x -a '(__permgate_install_scope)' -d 'which settings: user, project, managed'
complete -c permgate -n '__permgate_in "install" options' -l dry-run -d 'show what would change and write nothing'
complete -c permgate -n '__permgate_in "install" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "install" options' -l diff -d 'show the change as a diff as well'
complete -c permgate -n '__permgate_in "install" options' -l list -d 'list agent programs: installed? registered? experimental?'
complete -c permgate -n '__permgate_in "install" options' -l experimental -d 'register with a program that permgate was never run with'
complete -c permgate -n '__permgate_in "install" options' -l observe -d 'log every call, answer only managed denies'
complete -c permgate -n '__permgate_in "install" options' -l enforce -d 'end --observe'
complete -c permgate -n '__permgate_in "install" options' -l posture -d 'write only the posture: a plugin has the hooks'
complete -c permgate -n '__permgate_in "install" options' -l print -d 'print the files of --scope managed for another machine'
complete -c permgate -n '__permgate_in "install" options' -l os -x -a '(__permgate_system)' -d 'with --print: its system, linux, macos or windows'
complete -c permgate -n '__permgate_in "install" options' -l exe -x -d 'with --print: the `path` of permgate there'

# permgate check
complete -c permgate -n '__permgate_in "check" options' -l lines -d 'read one payload per line, print one result per line'
complete -c permgate -n '__permgate_in "check" options' -l jobs -x -d 'with --lines: use `N` cores (default all)'
complete -c permgate -n '__permgate_in "check" options' -l shell -d 'the operand is shell text, - the one on standard input'
complete -c permgate -n '__permgate_in "check" options' -l quiet -s q -d 'print nothing: the exit code is the answer'
complete -c permgate -n '__permgate_in "check" options' -l exit-code -x -d 'exit code of silence, which is 1 like ask: silence=`N`'
complete -c permgate -n '__permgate_in "check" options' -l session -x -d 'with the grants of this session: its `ID`'
complete -c permgate -n '__permgate_in "check" options' -l classify -d 'in mode auto, run your classifier as the hook would'
complete -c permgate -n '__permgate_in "check" options' -l tool -x -a '(__permgate_tool)' -d 'tool to call instead of Bash'
complete -c permgate -n '__permgate_in "check" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "check" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "check" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "check" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "check" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "check" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "check" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "check" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "check" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "check" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "check" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "check" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "check" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "check" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "check" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "check" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "check" 1' -a '(__permgate_program)'
complete -c permgate -n '__permgate_in "check" 2+' -a '(__permgate_file)'

# permgate explain
complete -c permgate -n '__permgate_in "explain" options' -l last -d 'the `N`th last call in the log instead of one given here'
complete -c permgate -n '__permgate_in "explain" options' -l session -x -d 'with the grants of this session: its `ID`'
complete -c permgate -n '__permgate_in "explain" options' -l html -d 'print a page for a browser'
complete -c permgate -n '__permgate_in "explain" options' -l classify -d 'in mode auto, run your classifier as the hook would'
complete -c permgate -n '__permgate_in "explain" options' -l tool -x -a '(__permgate_tool)' -d 'tool to call instead of Bash'
complete -c permgate -n '__permgate_in "explain" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "explain" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "explain" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "explain" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "explain" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "explain" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "explain" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "explain" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "explain" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "explain" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "explain" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "explain" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "explain" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "explain" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "explain" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "explain" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "explain" 1' -a '(__permgate_check)'
complete -c permgate -n '__permgate_in "explain" 2+' -a '(__permgate_file)'

# permgate allow
complete -c permgate -n '__permgate_in "allow" options' -l deny -d 'propose a deny rule instead'
complete -c permgate -n '__permgate_in "allow" options' -l ask -d 'propose an ask rule instead'
complete -c permgate -n '__permgate_in "allow" options' -l scope -x -a '(__permgate_scope)' -d 'settings file to write to: local, shared or user'
complete -c permgate -n '__permgate_in "allow" options' -l for-session -d 'grant it for one session instead: that of --last, of --session, or the newest here'
complete -c permgate -n '__permgate_in "allow" options' -l for -x -d 'grant it for one session, and for a `time` such as 90m or 2h'
complete -c permgate -n '__permgate_in "allow" options' -l once -d 'grant it for one session, and for one call: the next one that needs it'
complete -c permgate -n '__permgate_in "allow" options' -l stem -d 'take the stem rule if there is one'
complete -c permgate -n '__permgate_in "allow" options' -l pick -x -d 'take the rules with these `numbers`, separated by commas'
complete -c permgate -n '__permgate_in "allow" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "allow" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "allow" options' -l last -d 'the `N`th last call in the log instead of one given here'
complete -c permgate -n '__permgate_in "allow" options' -l session -x -d 'with --last or --for-session: this session, its id or the start of it'
complete -c permgate -n '__permgate_in "allow" options' -l tool -x -a '(__permgate_tool)' -d 'tool to call instead of Bash'
complete -c permgate -n '__permgate_in "allow" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "allow" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "allow" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "allow" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "allow" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "allow" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "allow" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "allow" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "allow" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "allow" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "allow" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "allow" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "allow" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "allow" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "allow" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "allow" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "allow" 1' -a '(__permgate_program)'
complete -c permgate -n '__permgate_in "allow" 2+' -a '(__permgate_file)'

# permgate test
complete -c permgate -n '__permgate_in "test" options' -l verbose -s v -d 'also print tests that pass'
complete -c permgate -n '__permgate_in "test" options' -l coverage -d 'list the rules without a test'
complete -c permgate -n '__permgate_in "test" options' -l user -d 'also run your own tests, from the settings folder in your home directory'
complete -c permgate -n '__permgate_in "test" options' -l record -d 'add the given call and its decision to the project\'s tests'
complete -c permgate -n '__permgate_in "test" options' -l last -d 'with --record: the `N`th last call in the log instead of one given here'
complete -c permgate -n '__permgate_in "test" options' -l session -x -d 'with --last: from this session, its id or the start of it'
complete -c permgate -n '__permgate_in "test" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "test" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "test" options' -l tool -x -a '(__permgate_tool)' -d 'tool to call instead of Bash'
complete -c permgate -n '__permgate_in "test" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "test" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "test" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "test" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "test" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "test" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "test" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "test" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "test" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "test" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "test" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "test" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "test" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "test" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "test" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "test" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "test" 1+' -a '(__permgate_file)'

# permgate doctor
complete -c permgate -n '__permgate_in "doctor" options' -l host -x -a '(__permgate_agent)' -d 'only this agent program: antigravity, claude, codex, copilot, crush, cursor, droid, gemini, gen, goose, kilo, opencode, qwen, san, vscode'
complete -c permgate -n '__permgate_in "doctor" options' -l json -d 'print one JSON object for every line'

# permgate rules
complete -c permgate -n '__permgate_in "rules" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "rules" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "rules" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "rules" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "rules" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "rules" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "rules" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "rules" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "rules" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "rules" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "rules" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "rules" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "rules" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "rules" 1' -a add -d 'write a rule into a settings file'
complete -c permgate -n '__permgate_in "rules" 1' -a remove -d 'remove a rule from a settings file'

# permgate rules add
complete -c permgate -n '__permgate_in "rules add" options' -l scope -x -a '(__permgate_scope)' -d 'which settings: local, shared, user'
complete -c permgate -n '__permgate_in "rules add" options' -l host -x -a '(__permgate_host)' -d 'agent program whose settings folder is used'
complete -c permgate -n '__permgate_in "rules add" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "rules add" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "rules add" 1' -a '(__permgate_list)'

# permgate rules remove
complete -c permgate -n '__permgate_in "rules remove" options' -l scope -x -a '(__permgate_scope)' -d 'which settings: local, shared, user'
complete -c permgate -n '__permgate_in "rules remove" options' -l host -x -a '(__permgate_host)' -d 'agent program whose settings folder is used'
complete -c permgate -n '__permgate_in "rules remove" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "rules remove" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "rules remove" 1' -a '(__permgate_list)'

# permgate auto
complete -c permgate -n '__permgate_in "auto" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "auto" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "auto" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "auto" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "auto" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "auto" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "auto" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "auto" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "auto" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "auto" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "auto" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "auto" 1' -a eval -d 'decide labelled calls in mode auto, and compare'

# permgate auto eval
complete -c permgate -n '__permgate_in "auto eval" options' -l json -d 'print one JSON object, with every wrong answer'
complete -c permgate -n '__permgate_in "auto eval" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "auto eval" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "auto eval" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "auto eval" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "auto eval" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "auto eval" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "auto eval" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "auto eval" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "auto eval" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "auto eval" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "auto eval" options' -l classify -d 'in mode auto, run your classifier as the hook would'
complete -c permgate -n '__permgate_in "auto eval" 1+' -a '(__permgate_file)'

# permgate session
complete -c permgate -n '__permgate_in "session" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'
complete -c permgate -n '__permgate_in "session" options' -l json -d 'print JSON'
complete -c permgate -n '__permgate_in "session" 1' -a show -d 'show the grants and when they end'
complete -c permgate -n '__permgate_in "session" 1' -a allow-all -d 'allow every call that deny rules, step 2 and writes outside the workspace do not stop'
complete -c permgate -n '__permgate_in "session" 1' -a allow-edits -d 'allow Edit, Write and NotebookEdit in the workspace'
complete -c permgate -n '__permgate_in "session" 1' -a allow-bash -d 'allow every Bash command'
complete -c permgate -n '__permgate_in "session" 1' -a allow -d 'allow what a rule matches'
complete -c permgate -n '__permgate_in "session" 1' -a add-dir -d 'make a directory part of the workspace'
complete -c permgate -n '__permgate_in "session" 1' -a reset -d 'remove all grants, and forget what you said yes to'

# permgate session show
complete -c permgate -n '__permgate_in "session show" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session show" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session show" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'
complete -c permgate -n '__permgate_in "session show" options' -l json -d 'print JSON'

# permgate session allow-all
complete -c permgate -n '__permgate_in "session allow-all" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session allow-all" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session allow-all" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session allow-all" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session allow-all" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'

# permgate session allow-edits
complete -c permgate -n '__permgate_in "session allow-edits" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session allow-edits" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session allow-edits" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session allow-edits" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session allow-edits" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'

# permgate session allow-bash
complete -c permgate -n '__permgate_in "session allow-bash" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session allow-bash" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session allow-bash" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session allow-bash" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session allow-bash" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'

# permgate session allow
complete -c permgate -n '__permgate_in "session allow" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session allow" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session allow" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session allow" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session allow" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'

# permgate session add-dir
complete -c permgate -n '__permgate_in "session add-dir" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session add-dir" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session add-dir" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session add-dir" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session add-dir" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'
complete -c permgate -n '__permgate_in "session add-dir" 1' -a '(__permgate_dir)'

# permgate session reset
complete -c permgate -n '__permgate_in "session reset" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "session reset" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "session reset" options' -l session -x -d 'the session: its `ID`, or the start of a logged one'
complete -c permgate -n '__permgate_in "session reset" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "session reset" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for that folder'
complete -c permgate -n '__permgate_in "session reset" options' -l saved -d 'also remove the allow rules in the project\'s settings.local.json'

# permgate trust
complete -c permgate -n '__permgate_in "trust" options' -l list -d 'list files and whether they are trusted'
complete -c permgate -n '__permgate_in "trust" options' -l diff -d 'show what changed since files with new grants were trusted'
complete -c permgate -n '__permgate_in "trust" options' -l revoke -d 'stop trusting this project, in all its work trees'
complete -c permgate -n '__permgate_in "trust" options' -l folder -x -a '(__permgate_dir)' -d 'record a folder named by HOME, XDG_STATE_HOME or CLAUDE_CONFIG_DIR'
complete -c permgate -n '__permgate_in "trust" options' -l repo -x -a '(__permgate_dir)' -d 'record a git repository of yours as it is now'
complete -c permgate -n '__permgate_in "trust" options' -l home -x -a '(__permgate_dir)' -d 'record your home directory, or name it in your hooks if you have no passwd entry'
complete -c permgate -n '__permgate_in "trust" options' -l json -d 'list the files and their grants as JSON'
complete -c permgate -n '__permgate_in "trust" options' -l dry-run -d 'show what would be trusted and record nothing'
complete -c permgate -n '__permgate_in "trust" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "trust" 1' -a '(__permgate_dir)'

# permgate lint
complete -c permgate -n '__permgate_in "lint" options' -l json -d 'print one JSON object for every finding'
complete -c permgate -n '__permgate_in "lint" options' -l sarif -d 'print SARIF 2.1.0'
complete -c permgate -n '__permgate_in "lint" options' -l fix -d 'fix what can be fixed'
complete -c permgate -n '__permgate_in "lint" options' -l list -d 'list the checks'
complete -c permgate -n '__permgate_in "lint" options' -l severity -x -a '(__permgate_severity)' -d 'lowest severity to show: note, warning or error'
complete -c permgate -n '__permgate_in "lint" options' -l host -x -a '(__permgate_host)' -d 'agent program whose section of permgate.json counts'
complete -c permgate -n '__permgate_in "lint" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "lint" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "lint" 1+' -a '(__permgate_file)'

# permgate init
complete -c permgate -n '__permgate_in "init" options' -l profile -x -a '(__permgate_profile)' -d 'how much is allowed: starter, strict'
complete -c permgate -n '__permgate_in "init" options' -l host -x -a '(__permgate_host)' -d 'agent program whose settings folder is used, see permgate help hosts'
complete -c permgate -n '__permgate_in "init" options' -l scope -x -a '(__permgate_init_scope)' -d 'local (settings.local.json, your own) or shared (settings.json)'
complete -c permgate -n '__permgate_in "init" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "init" options' -l yes -d 'do not ask on the terminal'

# permgate import
complete -c permgate -n '__permgate_in "import" options' -l from -x -a '(__permgate_system)' -d 'whose policy it is'
complete -c permgate -n '__permgate_in "import" options' -l scope -x -a '(__permgate_import_scope)' -d 'which settings: local, shared, user, managed'
complete -c permgate -n '__permgate_in "import" options' -l host -x -a '(__permgate_host)' -d 'agent program whose settings folder is used'
complete -c permgate -n '__permgate_in "import" options' -l check -d 'write nothing'
complete -c permgate -n '__permgate_in "import" options' -l json -d 'print the report as JSON'
complete -c permgate -n '__permgate_in "import" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "import" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "import" 1+' -a '(__permgate_file)'

# permgate log
complete -c permgate -n '__permgate_in "log" options' -l follow -s f -d 'keep showing new calls until interrupted'
complete -c permgate -n '__permgate_in "log" options' -l since -x -d 'only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04'
complete -c permgate -n '__permgate_in "log" options' -l session -x -d 'only this session: its id or the start of it'
complete -c permgate -n '__permgate_in "log" options' -l decision -x -a '(__permgate_decision)' -d 'only allow, ask, deny or silence'
complete -c permgate -n '__permgate_in "log" options' -l project -x -a '(__permgate_dir)' -d 'only calls of this project: a `directory`'
complete -c permgate -n '__permgate_in "log" options' -l tool -x -a '(__permgate_tool)' -d 'only this tool'
complete -c permgate -n '__permgate_in "log" options' -l rule -x -d 'only calls decided by this rule, place or check'
complete -c permgate -n '__permgate_in "log" options' -l host -x -a '(__permgate_host)' -d 'only this agent program'
complete -c permgate -n '__permgate_in "log" options' -l last -s n -x -d 'only the last N calls'
complete -c permgate -n '__permgate_in "log" options' -l stats -d 'print statistics'
complete -c permgate -n '__permgate_in "log" options' -l json -d 'print the stored lines'
complete -c permgate -n '__permgate_in "log" options' -l csv -d 'print CSV with a header, for spreadsheets'
complete -c permgate -n '__permgate_in "log" options' -l state -x -a '(__permgate_dir)' -d 'folder of the log'
complete -c permgate -n '__permgate_in "log" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for the folder of the log'

# permgate replay
complete -c permgate -n '__permgate_in "replay" options' -l host -x -a '(__permgate_host)' -d 'read this program\'s session files'
complete -c permgate -n '__permgate_in "replay" options' -l since -x -d 'only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04'
complete -c permgate -n '__permgate_in "replay" options' -l project -x -a '(__permgate_dir)' -d 'only calls of this project: a `directory`'
complete -c permgate -n '__permgate_in "replay" options' -l lines -d 'read one hook payload per line from standard input'
complete -c permgate -n '__permgate_in "replay" options' -l policy -x -a '(__permgate_file)' -d 'decide under the settings of this `DIR|FILE`'
complete -c permgate -n '__permgate_in "replay" options' -l against -x -a '(__permgate_file)' -d 'compare with the settings of this `DIR|FILE|GITREF`, or now'
complete -c permgate -n '__permgate_in "replay" options' -l json -d 'print the report as JSON'
complete -c permgate -n '__permgate_in "replay" options' -l html -x -a '(__permgate_file)' -d 'write the report as a page to this `file`, too'
complete -c permgate -n '__permgate_in "replay" options' -l jobs -x -d 'use `N` cores (default all)'
complete -c permgate -n '__permgate_in "replay" options' -l state -x -a '(__permgate_dir)' -d 'folder of the log'
complete -c permgate -n '__permgate_in "replay" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for the folders of log and session files'
complete -c permgate -n '__permgate_in "replay" 1+' -a '(__permgate_file)'

# permgate prove
complete -c permgate -n '__permgate_in "prove" options' -l against -x -a '(__permgate_file)' -d 'compare with the settings of this `DIR|FILE|GITREF`, or now'
complete -c permgate -n '__permgate_in "prove" options' -l policy -x -a '(__permgate_file)' -d 'the settings of this `DIR|FILE|GITREF`, not those in force'
complete -c permgate -n '__permgate_in "prove" options' -l tool -x -a '(__permgate_tool)' -d 'calls of this tool only'
complete -c permgate -n '__permgate_in "prove" options' -l equivalent -d 'prove that it is no stricter either'
complete -c permgate -n '__permgate_in "prove" options' -l as-is -d 'compare a revision with what is in force now'
complete -c permgate -n '__permgate_in "prove" options' -l never -x -d 'prove that nothing this `RULE` matches is ever allowed'
complete -c permgate -n '__permgate_in "prove" options' -l always -x -d 'prove that all this `RULE` matches is allowed'
complete -c permgate -n '__permgate_in "prove" options' -l format -x -a '(__permgate_format)' -d 'text, json or markdown (default text)'
complete -c permgate -n '__permgate_in "prove" options' -l json -d 'the same as --format json'
complete -c permgate -n '__permgate_in "prove" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "prove" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "prove" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "prove" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "prove" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "prove" options' -l home -x -a '(__permgate_dir)' -d 'home directory'

# permgate policy
complete -c permgate -n '__permgate_in "policy" 1' -a check -d 'lint, test and prove a folder of managed settings'

# permgate policy check
complete -c permgate -n '__permgate_in "policy check" options' -l against -x -a '(__permgate_file)' -d 'compare with this `DIR|GITREF`, or now'
complete -c permgate -n '__permgate_in "policy check" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "policy check" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "policy check" 1+' -a '(__permgate_file)'

# permgate bench
complete -c permgate -n '__permgate_in "bench" options' -l hook -x -d 'a hook to run, a `COMMAND` for sh'
complete -c permgate -n '__permgate_in "bench" options' -l gates -x -a '(__permgate_file)' -d 'hooks to run, with names, a `FILE`'
complete -c permgate -n '__permgate_in "bench" options' -l host -x -a '(__permgate_host)' -d 'the program whose hooks they are'
complete -c permgate -n '__permgate_in "bench" options' -l labels -x -a '(__permgate_file)' -d 'labelled calls, a `FILE`'
complete -c permgate -n '__permgate_in "bench" options' -l mode -x -a '(__permgate_mode)' -d 'mode of the calls whose line has none'
complete -c permgate -n '__permgate_in "bench" options' -l sample -x -d 'put `N` of the calls, spread over them'
complete -c permgate -n '__permgate_in "bench" options' -l list -x -d 'print at most `N` calls of a list'
complete -c permgate -n '__permgate_in "bench" options' -l timeout -x -d 'what a hook may take for one call'
complete -c permgate -n '__permgate_in "bench" options' -l json -d 'print the report, with every answer, as JSON'

# permgate recommend
complete -c permgate -n '__permgate_in "recommend" options' -l host -x -a '(__permgate_host)' -d 'read this program\'s session files'
complete -c permgate -n '__permgate_in "recommend" options' -l since -x -d 'only since: 90s, 30m, 2h, 7d, 2w, 2026-11-20 or 2026-11-20T15:04'
complete -c permgate -n '__permgate_in "recommend" options' -l project -x -a '(__permgate_dir)' -d 'only calls of this project: a `directory`'
complete -c permgate -n '__permgate_in "recommend" options' -l lines -d 'read one hook payload per line from standard input'
complete -c permgate -n '__permgate_in "recommend" options' -l scope -x -a '(__permgate_scope)' -d 'settings file to write to: local, shared or user'
complete -c permgate -n '__permgate_in "recommend" options' -l permission-mode -x -a '(__permgate_mode)' -d 'decide the calls in this mode, not in that of each'
complete -c permgate -n '__permgate_in "recommend" options' -l most -s n -x -d 'propose at most `N` rules'
complete -c permgate -n '__permgate_in "recommend" options' -l wide -d 'propose rules for a whole tool too'
complete -c permgate -n '__permgate_in "recommend" options' -l rare -d 'propose what was asked in one session only too'
complete -c permgate -n '__permgate_in "recommend" options' -l unused -x -d 'report allow rules that matched nothing for `DAYS`'
complete -c permgate -n '__permgate_in "recommend" options' -l json -d 'print the proposals as JSON and write nothing'
complete -c permgate -n '__permgate_in "recommend" options' -l dry-run -d 'print the proposals and write nothing'
complete -c permgate -n '__permgate_in "recommend" options' -l yes -d 'write the exact rules without asking on the terminal'
complete -c permgate -n '__permgate_in "recommend" options' -l state -x -a '(__permgate_dir)' -d 'folder of the log'
complete -c permgate -n '__permgate_in "recommend" options' -l home -x -a '(__permgate_dir)' -d 'home directory, for the folders of log and session files'
complete -c permgate -n '__permgate_in "recommend" 1+' -a '(__permgate_file)'

# permgate report
complete -c permgate -n '__permgate_in "report" options' -l kind -x -a '(__permgate_kind)' -d 'what is wrong: false-prompt, missed or other (default by the decision)'
complete -c permgate -n '__permgate_in "report" options' -l expected -x -d 'one `sentence`: what you expected'
complete -c permgate -n '__permgate_in "report" options' -l hide -x -d 'replace this `name`, too'
complete -c permgate -n '__permgate_in "report" options' -l keep -x -d 'leave this `name` as it is'
complete -c permgate -n '__permgate_in "report" options' -l output -s o -x -a '(__permgate_file)' -d 'write the block to this new `file`'
complete -c permgate -n '__permgate_in "report" options' -l last -d 'the `N`th last call in the log instead of one given here'
complete -c permgate -n '__permgate_in "report" options' -l session -x -d 'with the grants of this session: its `ID`'
complete -c permgate -n '__permgate_in "report" options' -l tool -x -a '(__permgate_tool)' -d 'tool to call instead of Bash'
complete -c permgate -n '__permgate_in "report" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "report" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "report" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "report" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "report" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "report" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "report" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "report" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "report" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "report" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "report" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "report" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "report" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "report" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "report" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
complete -c permgate -n '__permgate_in "report" 1' -a '(__permgate_program)'
complete -c permgate -n '__permgate_in "report" 2+' -a '(__permgate_file)'

# permgate upgrade
complete -c permgate -n '__permgate_in "upgrade" options' -l posture -d 'add new recommended keys to permgate.json'
complete -c permgate -n '__permgate_in "upgrade" options' -l all -d 'with --posture: keys you removed as well'
complete -c permgate -n '__permgate_in "upgrade" options' -l host -x -a '(__permgate_agent)' -d 'only this agent program'
complete -c permgate -n '__permgate_in "upgrade" options' -l scope -x -a '(__permgate_install_scope)' -d 'whose permgate.json: user, managed'
complete -c permgate -n '__permgate_in "upgrade" options' -l dry-run -d 'show what would change and write nothing'
complete -c permgate -n '__permgate_in "upgrade" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "upgrade" options' -l diff -d 'show the change as a diff as well'

# permgate export
complete -c permgate -n '__permgate_in "export" options' -l host -x -a '(__permgate_host)' -d 'agent program: claude, codex'
complete -c permgate -n '__permgate_in "export" options' -l dry-run -d 'print the change as a diff and write nothing'
complete -c permgate -n '__permgate_in "export" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "export" options' -l check -d 'write nothing'
complete -c permgate -n '__permgate_in "export" options' -l json -d 'print one JSON object'

# permgate uninstall
complete -c permgate -n '__permgate_in "uninstall" options' -l host -x -a '(__permgate_agent)' -d 'agent program: antigravity, claude, codex, copilot, crush, cursor, droid, gemini, gen, goose, kilo, opencode, qwen, san, vscode'
complete -c permgate -n '__permgate_in "uninstall" options' -l scope -x -a '(__permgate_install_scope)' -d 'which settings: user, project, managed'
complete -c permgate -n '__permgate_in "uninstall" options' -l dry-run -d 'show what would change and write nothing'
complete -c permgate -n '__permgate_in "uninstall" options' -l yes -d 'do not ask on the terminal'
complete -c permgate -n '__permgate_in "uninstall" options' -l diff -d 'show the change as a diff as well'
complete -c permgate -n '__permgate_in "uninstall" options' -l backups -d 'also remove backups of the files, and make none'

# permgate state
complete -c permgate -n '__permgate_in "state" options' -l clean -d 'remove log, session grants and trust records'
complete -c permgate -n '__permgate_in "state" options' -l backups -d 'with --clean: the backups of project files as well'
complete -c permgate -n '__permgate_in "state" options' -l dry-run -d 'list the files and remove nothing'
complete -c permgate -n '__permgate_in "state" options' -l yes -d 'do not ask on the terminal'

# permgate schema
complete -c permgate -n '__permgate_in "schema" 1' -a '(__permgate_schema)'

# permgate completion
complete -c permgate -n '__permgate_in "completion" 1' -a '(__permgate_shell)'

# permgate help
complete -c permgate -n '__permgate_in "help" 1' -a '(__permgate_topic)'

# permgate version
complete -c permgate -n '__permgate_in "version" options' -l json -d 'print JSON'

# permgate hook
complete -c permgate -n '__permgate_in "hook" options' -l host -x -a '(__permgate_host)' -d 'calling agent program, see permgate help hosts'
complete -c permgate -n '__permgate_in "hook" options' -l event -x -a '(__permgate_event)' -d 'hook event, if the payload does not name it'
complete -c permgate -n '__permgate_in "hook" options' -l cwd -x -a '(__permgate_dir)' -d 'working directory of the call'
complete -c permgate -n '__permgate_in "hook" options' -l home -x -a '(__permgate_dir)' -d 'home directory'
complete -c permgate -n '__permgate_in "hook" options' -l state -x -a '(__permgate_dir)' -d 'folder of the session state'
complete -c permgate -n '__permgate_in "hook" options' -l agent -x -d 'decide as this subagent'
complete -c permgate -n '__permgate_in "hook" options' -l skill -x -d 'restrict to the allowed-tools of this skill'
complete -c permgate -n '__permgate_in "hook" options' -l permission-mode -x -a '(__permgate_mode)' -d 'mode to decide in'
complete -c permgate -n '__permgate_in "hook" options' -l headless -d 'no prompt is possible: ask becomes deny'
complete -c permgate -n '__permgate_in "hook" options' -l allow-dangerously-skip-permissions -d 'let --permission-mode bypassPermissions count'
complete -c permgate -n '__permgate_in "hook" options' -l settings -x -a '(__permgate_file)' -d 'additional settings file'
complete -c permgate -n '__permgate_in "hook" options' -l add-dir -x -a '(__permgate_dir)' -d 'additional directory writes may go to, relative to the cwd'
complete -c permgate -n '__permgate_in "hook" options' -l allowedTools -x -d 'allow rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "hook" options' -l disallowedTools -x -d 'deny rules, separated by commas or spaces'
complete -c permgate -n '__permgate_in "hook" options' -l tools -x -d 'the only tools there are: names or rules, separated like those'
