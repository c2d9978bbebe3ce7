package load

import (
	"slices"

	"github.com/permgate--owner/permgate/rules"
)

// mergePosture settles every key: the tightest of all values, where the default is
// one of them only if no file that may loosen says anything.
func (l *loader) mergePosture() {
	for i := range PostureKeys {
		k := &PostureKeys[i]
		to := l.p.Posture.Setting(k.Name)
		if to == nil {
			continue
		}
		switch k.Kind {
		case PostureSwitch:
			l.mergeSwitch(i, k, to)
			continue
		case PostureAudit:
			l.mergeAudit(i, k, to)
			continue
		}
		spoken := false
		for _, s := range l.sources {
			if v := s.key(i); v.Pos.File != "" && l.mayLoosen(s, k) {
				if !spoken || k.rank(v.Value) > k.rank(to.Value) {
					*to = v
				}
				spoken = true
			}
			if slices.Contains(k.Loosen, s.scope) {
				operatorSays(&l.p.Posture, k.Name, s.key(i).Value)
			}
		}
		least := k.rank(k.Default)
		if spoken {
			least = k.rank(to.Value)
		}
		for _, s := range l.sources {
			switch v := s.key(i); {
			case v.Pos.File == "" || l.mayLoosen(s, k):
			case k.Values != nil && k.rank(v.Value) > least:
				*to, least = v, k.rank(v.Value)
			case k.Values == nil || k.rank(v.Value) < k.rank(k.Default):
				l.drop(k.Name+": "+v.Value, v.Pos, l.whyNotLoosen(s))
			}
		}
	}
	for _, s := range l.sources {
		l.p.Posture.ContentExclusion = append(l.p.Posture.ContentExclusion, s.exclusions...)
		l.p.Posture.URLs = append(l.p.Posture.URLs, s.urls...)
		l.mergeURLs(s)
		l.mergeNames(s)
	}
}

// operatorSays notes what the operator's files say, in force or not: who takes it back
// brings questions and denials back, and no allow in the place of silence.
func operatorSays(g *rules.Posture, key, value string) {
	switch {
	case key == "onUnmatched" && value == "defer":
		g.LeftToHost = true
	case key == "enforce" && value == "false":
		g.Observes = true
	}
}

// mergeURLs adds what a file lets be reached. A file that may say so makes the
// list the one that is asked by, even where its grants do not count.
func (l *loader) mergeURLs(s *source) {
	operator := slices.Contains(operators, s.scope)
	if operator && l.p.Posture.URLsSet.Pos.File == "" {
		l.p.Posture.URLsSet = s.urlsSet
	}
	for _, r := range s.urlAllow {
		switch {
		case !operator:
			l.drop("urls.allow: "+r.Text, r.Pos, "only user and managed files may set it")
		case s.why != "":
			l.drop("urls.allow: "+r.Text, r.Pos, s.why)
		default:
			l.p.Posture.URLAllow = append(l.p.Posture.URLAllow, r)
			l.p.Allow = append(l.p.Allow, r)
		}
	}
}

// mergeSwitch settles a key that tightens but makes the gate do more, so that a
// project has no say in it. On wins; a file whose grants do not count may still
// switch it on.
func (l *loader) mergeSwitch(i int, k *PostureKey, to *rules.Setting) {
	for _, s := range l.sources {
		switch v := s.key(i); {
		case v.Pos.File == "":
		case !slices.Contains(k.Loosen, s.scope):
			if v.Value == "true" {
				l.drop(k.Name+": "+v.Value, v.Pos, "only user and managed files may set it")
			}
		case to.Pos.File == "" || v.Value == "true" && to.Value != "true":
			*to = v
		}
	}
}

func (l *loader) mayLoosen(s *source, k *PostureKey) bool {
	return l.whyNotLoosen(s) == "" && slices.Contains(k.Loosen, s.scope)
}

func (l *loader) whyNotLoosen(s *source) string {
	switch {
	case s.why != "":
		return s.why
	case s.closed:
		return "the file has an error; fix it first"
	case s.scope != rules.User && s.scope != rules.Managed:
		return "only user and managed files may loosen"
	}
	return ""
}
