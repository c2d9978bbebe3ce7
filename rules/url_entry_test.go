package rules_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// entry is the rule of one entry.
func entry(t *testing.T, text string, list rules.List) *rules.Rule {
	t.Helper()
	r, err := rules.URLRule(text, list, rules.User, rules.Pos{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &r
}

// reaches says whether an entry matches an address: yes, may or no.
func reaches(r *rules.Rule, u rules.URL) string {
	s := rules.Subject{Tool: "WebFetch", URL: &u}
	hits := new(rules.Policy).Match([]rules.Rule{*r}, &s)
	switch {
	case len(hits) == 0:
		return "no"
	case hits[0].Sure:
		return "yes"
	}
	return "may"
}

func TestURLForms(t *testing.T) {
	for _, f := range rules.URLForms {
		for _, list := range []rules.List{rules.Allow, rules.Deny} {
			r := entry(t, f.Entry, list)
			if got := reaches(r, rules.ParseURL(f.Matches)); got != "yes" && !(list == rules.Allow && got == "no" && strings.Contains(f.Doc, "without one")) {
				t.Errorf("%s %s: %s: %s", list, f.Entry, f.Matches, got)
			}
			if got := reaches(r, rules.ParseURL(f.Not)); got != "no" {
				t.Errorf("%s %s: %s: %s", list, f.Entry, f.Not, got)
			}
		}
	}
}

// urlRows are an entry, an address, and what it is to deny and to allow.
var urlRows = []struct{ entry, url, deny, allow string }{
	{"h.test", "https://h.test", "yes", "yes"},
	{"h.test", "http://h.test/x", "yes", "no"},
	{"h.test", "https://h.test:8443/", "yes", "no"},
	{"h.test", "https://h.test.evil.test/", "no", "no"},
	{"h.test", "https://h.test@evil.test/", "no", "no"},
	{"h.test", "https://evil.test@h.test/", "yes", "yes"},
	{"h.test", "https:\\\\h.test\\x", "yes", "no"},
	{"h.test", " https://h.te\nst/", "yes", "no"},
	{"H.Test.", "https://h.test/", "yes", "yes"},
	{"münchen.test", "https://xn--mnchen-3ya.test/", "yes", "yes"},
	{"127.0.0.1", "https://0x7f.1/", "yes", "yes"},
	{"[::1]:80", "http://[0:0::1]/", "yes", "no"},
	{"h.test:8443", "https://h.test:8443/x", "yes", "yes"},
	{"h.test:8443", "https://h.test/x", "no", "no"},
	{"h.test:443", "https://h.test/x", "yes", "yes"},
	{"http://h.test", "http://h.test:80/x", "yes", "yes"},
	{"http://h.test", "http://h.test:080/x", "yes", "yes"},
	{"http://h.test", "https://h.test/x", "no", "no"},
	{"https://h.test", "http://h.test/x", "yes", "no"}, // which becomes https on the way
	{"https://h.test", "http://h.test:8080/x", "no", "no"},
	{"https://h.test", "ftp://h.test/x", "may", "no"},
	{"*.h.test", "https://h.test/", "yes", "yes"},
	{"*.h.test", "https://a.h.test/", "yes", "yes"},
	{"*.h.test", "https://ah.test/", "no", "no"},
	{"https://*", "https://any.test/", "yes", "yes"},
	{"https://h.test/*", "https://h.test", "yes", "yes"},
	{"https://h.test/p/*", "https://h.test/p/", "yes", "yes"},
	{"https://h.test/p/*", "https://h.test/p", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/P/x", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/px", "no", "no"},
	{"https://h.test/p/*", "https://h.test/p/x?q", "yes", "yes"},
	{"https://h.test/p/*", "https://h.test/a/../p/x", "yes", "yes"},
	{"https://h.test/p/*", "https://h.test/p/../a", "no", "no"},
	{"https://h.test/p/*", "https://h.test/p/%2e%2E/a", "no", "no"},
	{"https://h.test/p/*", "https://h.test/p/..%2fa", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/a%2f..%2fp/x", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/a\\..\\p\\x", "yes", "no"},
	{"https://h.test/p/*", "https://h.test//p//x", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/p//../a", "yes", "no"}, // some servers read several slashes as one first
	{"https://h.test/p/*", "https://h.test/p/x//../../a", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/x//../p/a", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/x//../p%2fa", "yes", "no"},
	{"https://h.test/x/p/*", "https://h.test/x//../p%2fa", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/p//a/b", "yes", "yes"},
	{"https://h.test/p/*", "https://h.test/p/..;/a", "yes", "no"}, // and some what follows ; as no part of a name
	{"https://h.test/p/*", "https://h.test/p/%2e%2e;x=y/a", "yes", "no"},
	{"https://h.test/p/*", "https://h.test/%70/x", "yes", "yes"},
	{"https://h.test/%70/*", "https://h.test/p/x", "yes", "yes"},
	{"https://h.test/p q", "https://h.test/p%20q", "yes", "yes"},
	{"https://h.test/é", "https://h.test/%C3%a9", "yes", "yes"},
	{"https://h.test/a", "https://h.test/a?q", "yes", "no"},
	{"https://h.test/a", "https://h.test/a#f", "yes", "yes"},
	{"https://h.test/a", "https://h.test/a/", "no", "no"},
	{"https://h.test/a", "https://h.test/b?/a", "no", "no"},
	{"https://h.test/a", "https://h.test/b#/../a", "no", "no"},
}

func TestURLEntries(t *testing.T) {
	for _, row := range urlRows {
		u := rules.ParseURL(row.url)
		if got := reaches(entry(t, row.entry, rules.Deny), u); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", row.entry, row.url, got, row.deny)
		}
		if got := reaches(entry(t, row.entry, rules.Allow), u); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", row.entry, row.url, got, row.allow)
		}
	}
}

// Of what programs are given besides URLs, a deny knows what it can.
func TestURLEntriesRemote(t *testing.T) {
	for _, row := range []struct{ entry, text, deny, allow string }{
		{"https://h.test/p/*", "h.test/p/x", "yes", "no"}, // the program picks the protocol
		{"h.test/p/*", "git@h.test:p/x", "yes", "no"},
		{"ssh://h.test", "git@h.test:p/x", "yes", "yes"},
		{"https://h.test/p/*", "git@h.test:p/x", "no", "no"},
		{"ssh://h.test/p/*", "ssh://git@h.test/p/x", "yes", "yes"},
		{"ssh://h.test", "ssh://h.test:2222/p/x", "no", "no"},
	} {
		u, ok := rules.ParseRemote(row.text)
		if !ok {
			t.Fatal(row.text)
		}
		if got := reaches(entry(t, row.entry, rules.Deny), u); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", row.entry, row.text, got, row.deny)
		}
		if got := reaches(entry(t, row.entry, rules.Allow), u); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", row.entry, row.text, got, row.allow)
		}
	}
}

// A path that goes on in a way not known may be any of the host.
func TestURLEntriesOpen(t *testing.T) {
	u := rules.ParseURL("https://h.test/p/")
	u.Open = true
	for _, row := range []struct{ entry, deny, allow string }{
		{"h.test", "yes", "yes"}, {"https://h.test/p/*", "may", "no"}, {"https://h.test/other", "may", "no"},
		{"https://other.test", "no", "no"}, {"http://h.test/p/*", "no", "no"},
	} {
		if got := reaches(entry(t, row.entry, rules.Deny), u); got != row.deny {
			t.Errorf("deny %s: %s, want %s", row.entry, got, row.deny)
		}
		if got := reaches(entry(t, row.entry, rules.Allow), u); got != row.allow {
			t.Errorf("allow %s: %s, want %s", row.entry, got, row.allow)
		}
	}
}

// A malformed entry grants nothing, and denies as widely as it can be read.
func TestURLEntryFaults(t *testing.T) {
	for _, row := range []struct{ entry, denies string }{
		{"", ""}, {"https://", ""}, {"https:///x", ""}, {"a b", ""}, {"https://h.test:x/", "https://h.test:99/"},
		{"https://h.test/a*/b", "https://h.test/abc"}, {"https://h.test/a?q", "https://h.test/a"},
		{"https://u:p@h.test", "https://h.test/"}, {"1x://h.test", "http://h.test/"},
	} {
		if r, err := rules.URLRule(row.entry, rules.Allow, rules.User, rules.Pos{}); err == nil || r.Tool != "" {
			t.Errorf("allow %q: %+v, %v", row.entry, r, err)
		}
		r, err := rules.URLRule(row.entry, rules.Deny, rules.User, rules.Pos{})
		if err == nil || (r.Tool == "") != (row.denies == "") {
			t.Errorf("deny %q: %+v, %v", row.entry, r, err)
		} else if row.denies != "" && reaches(&r, rules.ParseURL(row.denies)) != "yes" {
			t.Errorf("deny %q is not as wide as %s", row.entry, row.denies)
		}
	}
}

// FuzzURLEntry: no text makes the reader or the matcher fail, a deny of an origin
// binds every spelling of its addresses, and what an allow covers a deny of the
// same entry binds.
func FuzzURLEntry(f *testing.F) {
	for _, row := range urlRows {
		f.Add(row.entry, row.url)
	}
	for _, form := range rules.URLForms {
		f.Add(form.Entry, form.Matches)
		f.Add(form.Entry, form.Not)
	}
	f.Fuzz(func(t *testing.T, text, url string) {
		u := rules.ParseURL(url)
		deny, _ := rules.URLRule(text, rules.Deny, rules.User, rules.Pos{})
		if allow, err := rules.URLRule(text, rules.Allow, rules.User, rules.Pos{}); err == nil {
			if deny.Tool == "" {
				t.Fatalf("%q allows and does not deny", text)
			}
			if reaches(&allow, u) == "yes" && reaches(&deny, u) != "yes" {
				t.Fatalf("%q allows %q and does not deny it", text, url)
			}
		}
		if deny.Tool != "" {
			reaches(&deny, u)
		}
		if u.Host == "" || !u.Sure {
			return
		}
		origin, err := rules.URLRule(u.Host, rules.Deny, rules.User, rules.Pos{})
		if err != nil {
			t.Fatalf("%q of %q is no entry: %v", u.Host, url, err)
		}
		for _, spelt := range []string{url, " " + url, strings.Replace(url, "://", ":\\\\", 1), strings.ToUpper(url[:4]) + url[4:],
			strings.Replace(url, "://", "://u:p@", 1), url[:1] + "\t" + url[1:]} {
			if got := rules.ParseURL(spelt); reaches(&origin, got) != "yes" && got.Host == u.Host {
				t.Fatalf("%s does not deny %q", u.Host, spelt)
			}
		}
	})
}
