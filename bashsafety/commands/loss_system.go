package commands

// serviceStops are the programs that stop services of the system.
var serviceStops = []Loss{
	{Names: "service rc-service", Verbs: []string{"* stop|force-stop|zap"}},
	{Names: "invoke-rc.d", Verbs: []string{"* stop"}},
	{Names: "rc-update update-rc.d chkconfig", Values: "level", Verbs: []string{"del|delete", "* remove|disable|off", " --del"}},
	{Names: "initctl", Values: "system", Verbs: []string{"stop|emit"}},
	{Names: "sv", Values: "-w", Verbs: []string{"stop|down|d|exit|kill|force-stop|force-shutdown|k"}},
	{Names: "supervisorctl", Values: "-csup configuration serverurl username password", Verbs: []string{"stop|shutdown|remove|clear"}},
	{Names: "monit", Values: "-cg", Verbs: []string{"stop|quit|unmonitor"}},
	{Names: "nginx", Verbs: []string{" -s=stop|quit"}, Values: "-scgp"},
	{Names: "apachectl apache2ctl httpd apache2 squid", Verbs: []string{"stop|graceful-stop", " -k=stop|graceful-stop|shutdown|kill"}, Values: "-kfd"},
	{Names: "caddy varnishadm", Values: "-STn address", Verbs: []string{"stop"}},
	{Names: "stop-service stop-computer restart-computer remove-service suspend-service", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
	{Names: "sc", Verbs: []string{"stop|delete", "\\\\* stop|delete"}},
	{Names: "net", Verbs: []string{"stop"}},
	{Names: "fuser", Values: "n namespace", Verbs: []string{" -k -m|--mount"}},
	{Names: "pm2", Verbs: []string{"delete|del|stop all", "kill"}},
}

// machineStops are the programs that turn the machine off.
var machineStops = []Loss{
	{Names: "pm-suspend pm-hibernate zzz", Verbs: []string{""}},
}

// accountDeletions are the programs that remove users and groups.
var accountDeletions = []Loss{
	{Names: "userdel deluser groupdel delgroup remove-localuser remove-aduser remove-adgroup remove-localgroup", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
	{Names: "pw", Verbs: []string{"userdel|groupdel", "user|group del"}},
	{Names: "dscl", Style: SingleDash, Verbs: []string{" -delete"}},
	{Names: "sysadminctl", Style: SingleDash, Verbs: []string{" -deleteUser"}},
	{Names: "dseditgroup", Values: "-outTnpar", Verbs: []string{" -o=delete"}},
	{Names: "net", Verbs: []string{"user|localgroup|group|share|use ** /delete|/del"}},
	{Names: "ipa samba-tool", Verbs: []string{"*-del", "user|group|computer|ou delete"}},
	{Names: "gpasswd", Verbs: []string{" -d|--delete"}},
	{Names: "chpasswd", Verbs: []string{""}},
	{Names: "ldapdelete", Dry: "n", Values: "-DHwyfxbs", Verbs: []string{""}},
}

// networkCuts are the programs that open the firewall or cut the network off.
var networkCuts = []Loss{
	{
		Names: "iptables ip6tables iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft ebtables arptables", Values: "-tsw table",
		Flags: "-vn", Verbs: []string{" -F|--flush", " -X|--delete-chain", " -D|--delete", " -P|--policy ~DROP"},
	},
	{Names: "ipfw", Verbs: []string{"** flush|delete"}},
	{Names: "ifdown", Verbs: []string{""}},
	{
		Names: "nmcli", Values: "-fmegw fields mode escape get-values wait",
		Verbs: []string{
			"c|co|con|conn|connection d|de|del|dele|delet|delete|do|dow|down", "n|net|netw|networking off|of", "r|ra|radio ** off", "d|dev|device d|di|dis|disc*|de|del*",
		},
	},
	{Names: "wg-quick", Verbs: []string{"down"}},
	{Names: "brctl ovs-vsctl", Verbs: []string{"delbr|delif|del-*", "** del-br|del-port|emer-reset"}},
	{Names: "netsh", Verbs: []string{"advfirewall reset", "advfirewall set * state off", "** delete|reset"}},
}

// volumeDeletions are the programs that remove volumes, snapshots and pools.
var volumeDeletions = []Loss{
	{Names: "lvremove vgremove pvremove lvreduce vgreduce", Dry: "test t", Verbs: []string{""}, Values: "-L size"},
	{Names: "lvm", Dry: "test t", Verbs: []string{"lvremove|vgremove|pvremove|lvreduce|vgreduce"}},
	{Names: "btrfs", Verbs: []string{"su*|subvolume del*", "d*|device rem*|del*", "qgroup destroy"}},
	{Names: "dmsetup", Verbs: []string{"remove|remove_all|wipe_table|clear"}},
	{Names: "losetup", Verbs: []string{" -D|--detach-all", " -d|--detach"}},
	{Names: "stratis", Verbs: []string{"pool|filesystem|fs|blockdev destroy", "filesystem|fs snapshot destroy"}},
	{Names: "iscsiadm", Values: "-mTpo op", Verbs: []string{" -o=delete", " --op=delete"}},
	{Names: "remove-partition clear-disk format-volume remove-virtualdisk remove-storagepool", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
}
