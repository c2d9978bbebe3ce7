package lifts

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
)

// hostsDoubt reports whether a doubt is left to the host: a construct of PowerShell that
// can run and write nothing, where the host has a permission flow of its own and no rule or
// fence could be about what the construct hides.
func hostsDoubt(c facts.Facts, d *bashsafety.Doubt) bool {
	return d.Hides == bashsafety.HidesNothing && c.Call().Tool == "PowerShell" && c.Defers() && !restricts(c)
}

// restricts reports whether there is a deny or ask rule, or a fence, that shell
// text could fall under.
func restricts(c facts.Facts) bool {
	p := c.Policy()
	if p.FenceRead.On() || p.FenceWrite.On() || auto.Stops(c) {
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
