package algebra

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// agreeOnURL holds the language of a rule against what it matches for one URL.
func agreeOnURL(t *testing.T, p *Policy, r *rules.Rule, l *Language, text string) {
	t.Helper()
	u := rules.ParseURL(text)
	if !u.Sure {
		t.Fatalf("%q is in doubt", text)
	}
	s := &rules.Subject{Tool: "WebFetch", URL: &u}
	if r.List != rules.Allow {
		s.Fields = []rules.Field{{Name: "url", Value: text}}
	}
	all, some := matched(p, r, s)
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

func urlRule(text string, list rules.List, claude bool) (r rules.Rule, err error) {
	if entry, ok := strings.CutPrefix(text, " "); ok {
		return rules.URLRule(entry, list, rules.User, rules.Pos{})
	}
	return rules.ParseRule("WebFetch("+text+")", list, rules.User, rules.Pos{}, claude)
}

// What a rule matches is what its language does, for many short URLs.
func TestWebLanguage(t *testing.T) {
	texts, every, n := urlTextsFor(), testenv.Every(t, 5, 1, 1), 0 // a sample takes every fifth URL, not the same for each rule
	check := func(text string, list rules.List, claude bool) (known bool) {
		r, err := urlRule(text, list, claude)
		if err != nil && r.Tool == "" {
			return true
		}
		l, why := testPolicy.LanguageOf(&r, "WebFetch")
		if why != "" {
			return false
		}
		n++
		for i := n % every; i < len(texts); i += every {
			agreeOnURL(t, testPolicy, &r, &l, texts[i])
		}
		return true
	}
	for _, pattern := range webPatterns {
		for _, list := range []rules.List{rules.Allow, rules.Ask, rules.Deny} {
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
		check(b.String(), rules.List(1+rnd.IntN(3)), rnd.IntN(3) == 0)
	}
}

// An allow rule for a host that no URL has matches nothing.
func TestWebLanguageOfNoHost(t *testing.T) {
	for _, pattern := range []string{"domain:a/*", "domain:*.a/b/**", "domain:a*?", "domain:a b*"} {
		r, err := urlRule(pattern, rules.Allow, true)
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); err != nil || why != "" || len(l.Sure) != 1 || l.All {
			t.Errorf("%q: %v %q (%v)", pattern, l, why, err)
			continue
		}
		for _, text := range urlTextsFor() {
			u := rules.ParseURL(text)
			if _, some := matched(testPolicy, &r, &rules.Subject{Tool: "WebFetch", URL: &u}); some {
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
		r, err := urlRule(text, rules.Deny, false)
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); err != nil || why == "" {
			t.Errorf("%q has a language: %v (%v)", text, l, err)
		}
	}
}

func FuzzWebLanguage(f *testing.F) {
	for i, pattern := range webPatterns {
		f.Add(pattern, "https://a.b:8/a?b", uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, bits uint8) {
		r, err := urlRule(pattern, rules.List(1+bits%3), bits&4 != 0)
		if err != nil && r.Tool == "" || len(pattern) > 100 || !plainAddress(text) {
			return
		}
		if l, why := testPolicy.LanguageOf(&r, "WebFetch"); why == "" {
			agreeOnURL(t, testPolicy, &r, &l, text)
		}
	})
}
