package rules

import "testing"

func TestParseURL(t *testing.T) {
	for _, row := range []struct {
		text, host string
		sure       bool
	}{
		{"https://example.com/x", "example.com", true},
		{"http://example.com", "example.com", true},
		{"HTTPS://EXAMPLE.Com/x", "example.com", true},
		{"https://example.com./x", "example.com", true},
		{"https://example.com:8443/x", "example.com", true},
		{"https://example.com:/x", "example.com", true},
		{"https://example.com?x=/@evil.example", "example.com", true},
		{"https://example.com#@evil.example", "example.com", true},
		{"https://github.com@evil.example/x", "evil.example", true},
		{"https://user:pw@evil.example/x", "evil.example", true},
		{"https://a@b@evil.example/x", "evil.example", false},
		{`https://evil.example\@github.com/x`, "evil.example", false},
		{`https:\\evil.example\x`, "evil.example", false},
		{" https://evil.example/", "evil.example", false},
		{"ht\ttps://ev\nil.example/", "evil.example", false},
		{"https:/evil.example/", "evil.example", false},
		{"https:evil.example/", "evil.example", false},
		{"https:////evil.example/", "evil.example", false},
		{"https://ev%69l.example/", "evil.example", false},
		{"https://ev%zzl.example/", "ev%zzl.example", false},
		{"https://\uff45vil.example/", "evil.example", true},
		{"https://münchen.example/", "xn--mnchen-3ya.example", true},
		{"https://XN--MNCHEN-3YA.example/", "xn--mnchen-3ya.example", true},
		{"https://evil。example/", "evil.example", true},
		{"http://127.0.0.1/", "127.0.0.1", true},
		{"http://2130706433/", "127.0.0.1", true},
		{"http://0x7f.1/", "127.0.0.1", true},
		{"http://0177.0.0.1/", "127.0.0.1", true},
		{"http://0xA9FEA9FE/", "169.254.169.254", true},
		{"http://127.1/", "127.0.0.1", true},
		{"http://127.0.0.1./", "127.0.0.1", true},
		{"http://256.1.1.1/", "256.1.1.1", false},
		{"http://4294967296/", "4294967296", false},
		{"http://1.2.3.4.5/", "1.2.3.4.5", false},
		{"http://09.1/", "09.1", false},
		{"http://[::1]/", "::1", true},
		{"http://[::1]:80/", "::1", true},
		{"http://[0:0:0:0:0:0:0:1]/", "::1", true},
		{"http://[::ffff:127.0.0.1]/", "127.0.0.1", true},
		{"http://[::ffff:7f00:1]/", "127.0.0.1", true},
		{"http://[::1%25eth0]/", "::1%25eth0", false},
		{"http://[::1/", "::1", false},
		{"http://a..b/", "a..b", false},
		{"http://a b/", "a b", false},
		{"http://example.com:99999/", "example.com", false},
		{"http://example.com:8x/", "example.com", false},
		{"ftp://example.com/", "example.com", false},
		{"example.com/x", "example.com", false},
		{"example.com:80/x", "example.com", false},
		{"localhost:3000", "localhost", false},
		{"javascript:alert(1)", "", false},
		{"data:text/html,x", "", false},
		{"https://", "", false},
		{"", "", false},
		{"https://./", "", false},
		{"https://ex\xffample.com/", "", false},
	} {
		u := ParseURL(row.text)
		if u.Text != row.text || u.Sure != row.sure || row.host != "" && u.Host != row.host {
			t.Errorf("ParseURL(%q) = %q sure=%v, want %q sure=%v", row.text, u.Host, u.Sure, row.host, row.sure)
		}
	}
}
