package rules

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// agreeOnURL holds the language of a rule against matchRule for one URL.
func agreeOnURL(t *testing.T, p *Policy, r *Rule, l *Language, text string) {
	t.Helper()
	u := ParseURL(text)
	if !u.Sure {
		t.Fatalf("%q is in doubt", text)
	}
	s := &Subject{Tool: "WebFetch", URL: &u}
	if r.List != Allow {
		s.Fields = []Field{{Name: "url", Value: text}}
	}
	all, some := p.matchRule(r, s)
	if sure := l.All || matchedBy(l.Sure, symbolsOf(text)); sure != all || sure != some {
		t.Fatalf("%s %v (claude %v) of %q: language %v, rule %v %v", r.List, r.Text, r.Claude, text, sure, all, some)
	}
}

// urlTextsFor are short URLs.
func urlTextsFor() (texts []string) {
	for _, begin := range []string{"http://", "https://"} {
		for _, pieces := range [][]string{
			{"a", ".", "b", ":80", ":443", ":8", "/", "?"}, {"1", ".", "0", "300", "xn-", "-x", "_", "a"},
		} {
			var extend func(text string, n int)
			extend = func(text string, n int) {
				if plainAddress(text) {
					texts = append(texts, text)
				}
				for _, p := range pieces {
					if _, ok := reach(urlTexts{}, text+p); ok && n > 0 {
						extend(text+p, n-1)
					}
				}
			}
			extend(begin, 3)
		}
		for _, rest := range []string{"a.b/a/b", "a.b/A?b", "a/a/", "a/.a/..b", "a/...", "b.a:80/a", "a?", "a/a?", "a/a?b=1", "1.2.3.4:65535/", "b.b.a/*", "1.1.0.0", "255.10.25.199"} {
			texts = append(texts, begin+rest)
		}
	}
	return texts
}

// webPatterns are one for each turn of the grammar, those with a blank of "urls".
var webPatterns = []string{
	"domain:a", "domain:A.B.", "domain:*.a", "domain:*", "domain:a*", "domain:a.*", "domain:*.*", "domain:a:80", "domain:http://a/x", "domain:1.1.0.0",
	"domain:0x1", "domain:1.*", "http://a/*", "http*://a/*", "http://*.a/*", "*", "*a*", "*/a", "http://a", "http://a:80/*", "http://a/", "*a/", "https://a*",
	"http://a*b/a", "*://a/*", "http://a?*", "url:http://a/*", "url:*a?", "http://*/a", "http://a.b:*", "http://a/A?b",
	" a", " *.a", " http://a", " https://a", " a:80", " http://a:443", " https://a:443", " https://a:8", " https://a/a/*", " https://a/A", " http://a/a", " *", " a.*",
	" https://a.b/a", " https://a/.a/*", " http://a/a/b", " 1.1.0.0", " *.b.a:80", " https://a/*", " https://a/",
}

func urlRule(text string, list List, claude bool) (r Rule, err error) {
	if entry, ok := strings.CutPrefix(text, " "); ok {
		return URLRule(entry, list, User, Pos{})
	}
	return ParseRule("WebFetch("+text+")", list, User, Pos{}, claude)
}

// What a rule matches is what its language does, for many short URLs.
func TestWebLanguage(t *testing.T) {
	texts := urlTextsFor()
	check := func(text string, list List, claude bool) (known bool) {
		r, err := urlRule(text, list, claude)
		if err != nil && r.Tool == "" {
			return true
		}
		l, why := testPolicy.LanguageOf(&r, "WebFetch")
		if why != "" {
			return false
		}
		for _, text := range texts {
			agreeOnURL(t, &testPolicy, &r, &l, text)
		}
		return true
	}
	for _, pattern := range webPatterns {
		for _, list := range []List{Allow, Ask, Deny} {
			if known := check(pattern, list, false) && check(pattern, list, true); !known {
				t.Errorf("%q has no language in %v", pattern, list)
			}
		}
	}
	pieces := []string{"a", "b", ".", "/", "*", "*", "?", "http://", "https://", ":80", ":443", ":8", "A", "1", "domain:", " "}
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var b strings.Builder
		b.WriteString([]string{"domain:", " ", "http://", " https://", ""}[rnd.IntN(5)])
		for range 1 + rnd.IntN(5) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		check(b.String(), List(1+rnd.IntN(3)), rnd.IntN(3) == 0)
	}
}

// An allow rule for a host that no URL has matches nothing.
func TestWebLanguageOfNoHost(t *testing.T) {
	for _, pattern := range []string{"domain:a/*", "domain:*.a/b/**", "domain:a*?", "domain:a b*"} {
		r, err := urlRule(pattern, Allow, true)
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); err != nil || why != "" || len(l.Sure) != 1 || l.All {
			t.Errorf("%q: %v %q (%v)", pattern, l, why, err)
			continue
		}
		for _, text := range urlTextsFor() {
			if u := ParseURL(text); matchHost(strings.TrimPrefix(pattern, "domain:"), u.Host, false) {
				t.Errorf("%q matches %s", pattern, text)
			}
		}
	}
}

// What cannot be written down exactly has no language.
func TestWebLanguageUnknown(t *testing.T) {
	for _, text := range []string{
		"https://a/%20b", "://a", "https://A.b/*", "https://u@a/*", "https://a/../b", "domain:[::1]", "domain:xn--bcher-kva.example", "https://é/*",
		" ftp://a", " https://a/%2fb", " xn--bcher-kva.example",
	} {
		r, err := urlRule(text, Deny, false)
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); err != nil || why == "" {
			t.Errorf("%q has a language: %v (%v)", text, l, err)
		}
	}
}

// No URL of the universe is in doubt, and its host is the one that is written.
func TestURLTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		state, text := 0, ""
		for n := 8 + rnd.IntN(30); n > 0 || !(urlTexts{}).Accepts(state); n-- {
			pools := urlTexts{}.Pools(state)
			if len(pools) == 0 || n < -100 {
				break
			}
			pool := pools[rnd.IntN(len(pools))]
			text += string(pool[rnd.IntN(len(pool))])
			state, _ = reach(urlTexts{}, text)
		}
		if !(urlTexts{}).Accepts(state) {
			continue
		}
		u := ParseURL(text)
		host, _, _ := strings.Cut(strings.SplitN(text, "/", 3)[2]+"/", "/")
		host, _, _ = strings.Cut(host, "?")
		host, _, _ = strings.Cut(host, ":")
		if a := takeApart(&u); !u.Sure || u.Host != host || a.doubtful || a.path != a.sent && a.sent != "" {
			t.Fatalf("%q: %+v, %+v", text, u, a)
		}
	}
}

func FuzzWebLanguage(f *testing.F) {
	for i, pattern := range webPatterns {
		f.Add(pattern, "https://a.b:8/a?b", uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, bits uint8) {
		r, err := urlRule(pattern, List(1+bits%3), bits&4 != 0)
		if err != nil && r.Tool == "" || len(pattern) > 100 || !plainAddress(text) {
			return
		}
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); why == "" {
			agreeOnURL(t, &testPolicy, &r, &l, text)
		}
	})
}
