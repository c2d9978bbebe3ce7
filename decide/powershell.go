package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// hostsDoubt reports whether a doubt is left to the host: a construct of PowerShell that
// can run and write nothing, where the host has a permission flow of its own and no rule or
// fence could be about what the construct hides.
func (in *Input) hostsDoubt(d *bashsafety.Doubt) bool {
	return d.Hides == bashsafety.HidesNothing && in.Call.Tool == "PowerShell" && in.defers() && !in.restricts()
}

// restricts reports whether there is a deny or ask rule, or a fence, that shell
// text could fall under.
func (in *Input) restricts() bool {
	p := in.Policy
	if p.FenceRead.On() || p.FenceWrite.On() || in.autoStops() {
		return true
	}
	lists := [...][]rules.Rule{p.Deny, p.Ask, p.Posture.ContentExclusion, p.Posture.URLs,
		p.Posture.URLAllow, p.Auto.HardDeny, p.Auto.SoftDeny, nil, nil}
	for i, a := range [...]*rules.AgentDef{p.Agent, p.Skill} {
		if a != nil {
			lists[len(lists)-2+i] = a.Deny
		}
	}
	for _, list := range lists {
		for i := range list {
			switch list[i].Tool {
			case "Bash", "Monitor", "Agent", "Skill", "WebSearch", "MCP":
			default:
				return true
			}
		}
	}
	return false
}

// unclear narrows the commands of a PowerShell text that holds a doubt: no rule
// with a pattern covers a part of it.
func (in *Input) unclear(cmd *rules.Command) {
	if in.Call.Tool == "PowerShell" && len(in.Script.Doubts) > 0 && cmd.Narrow == "" {
		cmd.Narrow, cmd.Spelled = "part of the text is not understood", false
	}
}
