package decide

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// unlistedURL asks about an address that urls.allow does not name, once it names
// any. Which address a program reaches that is not told one stays open.
func unlistedURL(c *Case) Verdict {
	g := &c.Policy.Posture
	if g.URLsSet.Pos.File == "" {
		return Verdict{}
	}
	ask := func(part, reason string) Verdict {
		return Verdict{Decision: hookio.Ask, Part: part, Reason: reason}.
			marked(`no entry of urls.allow, ` + g.URLsSet.Pos.String()).as(say.CodeAddressNotListed)
	}
	if open := c.unlisted(); len(open) > 0 {
		u := open[0]
		if u.resolvesAnew() {
			return ask(u.text, u.named()+origin(u.sub)+" may reach another machine than the address names, by an option of curl. "+
				"Try it without --resolve and --dns-servers")
		}
		return ask(u.text, u.named()+origin(u.sub)+" is an address that urls.allow does not name. "+
			"Try an address it names, or ask the user to add this one")
	}
	for i := 0; c.Script != nil && i < len(c.Script.Subcommands); i++ {
		sub := &c.Script.Subcommands[i]
		for j := range sub.Effects {
			if e := &sub.Effects[j]; e.Kind == bashsafety.Network && !e.Known && e.Path != "" {
				if _, ok := reached(e); !ok {
					return ask(Spell(sub.Argv), quoted(Spell(sub.Argv))+origin(sub)+
						" reaches an address only known at run time. Try writing the address out")
				}
			}
		}
	}
	return Verdict{}
}

// unlisted are the parts whose address urls.allow does not name.
func (c *matcher) unlisted() (out []*unit) {
	for i := range c.units {
		if u := &c.units[i]; u.subject.URL != nil && u.subject.Tool == "WebFetch" && !c.listed(u) {
			out = append(out, u)
		}
	}
	return out
}

// Unlisted are the addresses that the tool itself fetches and that are asked about
// because urls.allow does not name them. Call it after Decide.
func Unlisted(c *Case, v Verdict) (out []rules.URL) {
	if v.Origin != "5" || v.Rule != nil || c.Call.URL == "" || c.Policy.Posture.URLsSet.Pos.File == "" {
		return nil
	}
	for _, u := range c.unlisted() {
		out = append(out, *u.subject.URL)
	}
	return out
}

// listed reports whether an entry of urls.allow names the address of a part.
func (c *matcher) listed(u *unit) bool {
	if u.resolvesAnew() {
		return false
	}
	for _, hit := range c.matchRules(c.Policy.Posture.URLAllow, &u.subject) {
		if hit.Sure {
			return true
		}
	}
	return false
}

// resolvesAnew reports whether a command has one of curl's options by which the name
// of a host leads to another machine: --resolve, --dns-servers and its neighbors.
func (u *unit) resolvesAnew() bool {
	return u.sub != nil && u.sub.Program == "curl" && slices.ContainsFunc(u.sub.Argv, func(w bashsafety.Word) bool {
		return strings.HasPrefix(w.Text, "--res") || strings.HasPrefix(w.Text, "--dns-")
	})
}

// fieldURLs adds the addresses in the input of a tool that is not known: a text of
// its top level, or an element of a list there, that is nothing but an address.
// Only "urls" of a permgate.json looks at them.
func (c *reading) fieldURLs() {
	if len(c.Policy.Posture.URLs) == 0 || rules.KnownTool(c.Call.Grantee()) && !strings.HasPrefix(c.Call.Tool, "mcp__") {
		return
	}
	add := func(v gjson.Result) {
		if v.Type != gjson.String || !strings.Contains(v.Str, "://") || strings.ContainsAny(v.Str, " \t\n") {
			return
		}
		if u, ok := rules.ParseRemote(v.Str); ok {
			c.units = append(c.units, unit{text: v.Str,
				subject: rules.Subject{Tool: c.Call.Tool, Also: c.Call.AlsoTool, Bare: true, URL: &u}})
		}
	}
	for _, value := range hookio.Members(c.Call.Input.Raw) {
		if v := gjson.Parse(value); v.IsArray() {
			v.ForEach(func(_, e gjson.Result) bool {
				add(e)
				return true
			})
		} else {
			add(v)
		}
	}
}
