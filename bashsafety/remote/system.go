package remote

import "github.com/permgate--owner/permgate/bashsafety/commands"

// serviceStops are the programs that stop services of the system.
var serviceStops = []deletion{
	{
		programs: "systemctl", values: "-tpnosHM type state property lines output signal kill-whom host machine root job-mode what", dry: "dry-run", flags: "-ral now full user",
		verbs: []string{
			"stop|disable|mask|kill|isolate|exit|clean|revert|preset-all !--user",
			"poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate",
		},
	},
	{programs: "service rc-service", verbs: []string{"* stop|force-stop|zap"}},
	{programs: "invoke-rc.d", verbs: []string{"* stop"}},
	{programs: "rc-update update-rc.d chkconfig", values: "level", verbs: []string{"del|delete", "* remove|disable|off", " --del"}},
	{programs: "initctl", values: "system", verbs: []string{"stop|emit"}},
	{
		programs: "launchctl", verbs: []string{"bootout|unload|remove|disable|kill|stop|reboot"}, flags: "-wF", values: "-SD",
		spares: []string{"bootout|disable gui/*|user/*", "kill * gui/*|user/*", "unload *LaunchAgents*"},
	},
	{programs: "sv", values: "-w", verbs: []string{"stop|down|d|exit|kill|force-stop|force-shutdown|k"}},
	{programs: "supervisorctl", values: "-csup configuration serverurl username password", verbs: []string{"stop|shutdown|remove|clear"}},
	{programs: "monit", values: "-cg", verbs: []string{"stop|quit|unmonitor"}},
	{programs: "nginx", verbs: []string{" -s=stop|quit"}, values: "-scgp"},
	{programs: "apachectl apache2ctl httpd apache2 squid", verbs: []string{"stop|graceful-stop", " -k=stop|graceful-stop|shutdown|kill"}, values: "-kfd"},
	{programs: "caddy varnishadm", values: "-STn address", verbs: []string{"stop"}},
	{programs: "loginctl", verbs: []string{"terminate-*|kill-*|poweroff|reboot|halt|suspend|hibernate"}},
	{programs: "stop-service stop-computer restart-computer remove-service suspend-service", style: commands.SingleDash, dry: "whatif", verbs: []string{""}},
	{programs: "sc", verbs: []string{"stop|delete", "\\\\* stop|delete"}},
	{programs: "net", verbs: []string{"stop"}},
	{programs: "fuser", values: "n namespace", verbs: []string{" -k -m|--mount"}},
	{programs: "pm2", verbs: []string{"delete|del|stop all", "kill"}},
}

// machineStops are the programs that turn the machine off.
var machineStops = []deletion{
	{programs: "shutdown", dry: "show k", values: "-th", verbs: []string{" !-c"}, spares: []string{"/a", "** /a"}},
	{programs: "reboot halt poweroff", dry: "wtmp-only w", flags: "-h", verbs: []string{""}},
	{programs: "init telinit", verbs: []string{"0|1|6|s|S|single $"}},
	{programs: "pm-suspend pm-hibernate zzz", verbs: []string{""}},
	{programs: "systemsetup", style: commands.SingleDash, verbs: []string{" -setremotelogin=off"}, values: "setremotelogin"},
}

// accountDeletions are the programs that remove users and groups.
var accountDeletions = []deletion{
	{programs: "userdel deluser groupdel delgroup remove-localuser remove-aduser remove-adgroup remove-localgroup", style: commands.SingleDash, dry: "whatif", verbs: []string{""}},
	{programs: "pw", verbs: []string{"userdel|groupdel", "user|group del"}},
	{programs: "dscl", style: commands.SingleDash, verbs: []string{" -delete"}},
	{programs: "sysadminctl", style: commands.SingleDash, verbs: []string{" -deleteUser"}},
	{programs: "dseditgroup", values: "-outTnpar", verbs: []string{" -o=delete"}},
	{programs: "net", verbs: []string{"user|localgroup|group|share|use ** /delete|/del"}},
	{programs: "ipa samba-tool", verbs: []string{"*-del", "user|group|computer|ou delete"}},
	{programs: "usermod", verbs: []string{" -L|--lock"}},
	{programs: "passwd", verbs: []string{" -d|--delete", " -l|--lock"}},
	{programs: "gpasswd", verbs: []string{" -d|--delete"}},
	{programs: "chpasswd", verbs: []string{""}},
	{programs: "ldapdelete", dry: "n", values: "-DHwyfxbs", verbs: []string{""}},
}

// networkCuts are the programs that open the firewall or cut the network off.
var networkCuts = []deletion{
	{
		programs: "iptables ip6tables iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft ebtables arptables", values: "-tsw table",
		flags: "-vn", verbs: []string{" -F|--flush", " -X|--delete-chain", " -D|--delete", " -P|--policy ~DROP"},
	},
	{programs: "nft", values: "-fI", dry: "check c", verbs: []string{"flush|delete|destroy|reset"}},
	{programs: "ufw", dry: "dry-run", verbs: []string{"disable|reset|delete", "route delete"}},
	{programs: "firewall-cmd", values: "zone", flags: "permanent", verbs: []string{" --remove-*", " --panic-on", " --delete-*"}},
	{programs: "pfctl", values: "-afiktTKsDoF", verbs: []string{" -d", " -F"}},
	{programs: "ipfw", verbs: []string{"** flush|delete"}},
	{
		programs: "ip", values: "-nfbd netns family batch", style: commands.SingleDash, flags: "4 6 s d br brief color",
		verbs: []string{"* d|de|del|dele|delet|delete|f|fl|flu|flus|flush", "l|li|lin|link s|se|set ** down"},
	},
	{programs: "ifconfig", verbs: []string{"* down|delete|-alias|destroy", "* * delete"}},
	{programs: "ifdown", verbs: []string{""}},
	{programs: "route", flags: "-n", verbs: []string{"del|delete|flush", "-n del|delete|flush"}},
	{
		programs: "nmcli", values: "-fmegw fields mode escape get-values wait",
		verbs: []string{
			"c|co|con|conn|connection d|de|del|dele|delet|delete|do|dow|down", "n|net|netw|networking off|of", "r|ra|radio ** off", "d|dev|device d|di|dis|disc*|de|del*",
		},
	},
	{programs: "networkctl", verbs: []string{"down|delete"}},
	{programs: "wg-quick", verbs: []string{"down"}},
	{programs: "brctl ovs-vsctl", verbs: []string{"delbr|delif|del-*", "** del-br|del-port|emer-reset"}},
	{programs: "netsh", verbs: []string{"advfirewall reset", "advfirewall set * state off", "** delete|reset"}},
}

// volumeDeletions are the programs that remove volumes, snapshots and pools.
var volumeDeletions = []deletion{
	{programs: "lvremove vgremove pvremove lvreduce vgreduce", dry: "test t", verbs: []string{""}, values: "-L size"},
	{programs: "lvm", dry: "test t", verbs: []string{"lvremove|vgremove|pvremove|lvreduce|vgreduce"}},
	{programs: "zfs", dry: "n", flags: "-rRfvp", verbs: []string{"destroy|rollback"}},
	{programs: "zpool", dry: "n", verbs: []string{"destroy|labelclear|remove|detach|offline"}},
	{programs: "btrfs", verbs: []string{"su*|subvolume del*", "d*|device rem*|del*", "qgroup destroy"}},
	{programs: "mdadm", verbs: []string{" --stop|-S", " --remove|-r", " --fail|-f", " --zero-superblock"}, values: "-lnc"},
	{programs: "umount", values: "-tO types test-opts", verbs: []string{" -a|--all"}},
	{programs: "dmsetup", verbs: []string{"remove|remove_all|wipe_table|clear"}},
	{programs: "losetup", verbs: []string{" -D|--detach-all", " -d|--detach"}},
	{programs: "cryptsetup", values: "-dSck", verbs: []string{"erase|luksErase|luksKillSlot|luksRemoveKey|luksFormat|reencrypt"}},
	{programs: "nvme", verbs: []string{"delete-ns|format|sanitize|detach-ns"}},
	{programs: "stratis", verbs: []string{"pool|filesystem|fs|blockdev destroy", "filesystem|fs snapshot destroy"}},
	{programs: "diskutil", verbs: []string{"apfs deleteVolume|deleteContainer|deleteVolumeGroup|deleteSnapshot", "ap* delete*", "eraseDisk|eraseVolume|secureErase|zeroDisk"}},
	{programs: "iscsiadm", values: "-mTpo op", verbs: []string{" -o=delete", " --op=delete"}},
	{programs: "remove-partition clear-disk format-volume remove-virtualdisk remove-storagepool", style: commands.SingleDash, dry: "whatif", verbs: []string{""}},
}
