package rules

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// bracketed puts brackets around a plain IPv6 address.
func bracketed(host string) string {
	if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
		return "[" + host + "]"
	}
	return host
}

// canonicalHost returns the one spelling of a host; ok is false when it is not
// beyond doubt what a client would make of it.
func canonicalHost(host string) (string, bool) {
	if strings.HasPrefix(host, "[") {
		return canonicalIPv6(host)
	}
	host, ok := percentDecode(host)
	ok = ok && utf8.ValidString(host)
	if !ascii(host) || strings.Contains(strings.ToLower(host), "xn--") {
		var fine bool
		host, fine = toASCII(host)
		ok = ok && fine
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" {
		return "", false
	}
	ok = ok && plainHost(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	if _, number := parsePart(last); number || digits(last) {
		addr, fine := parseIPv4(host)
		if !fine {
			return host, false
		}
		return addr, ok
	}
	return host, ok
}

// canonicalIPv6 is canonicalHost for an address in brackets.
func canonicalIPv6(host string) (string, bool) {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || !strings.HasSuffix(host, "]") || addr.Zone() != "" {
		return strings.ToLower(strings.Trim(host, "[]")), false
	}
	return addr.Unmap().String(), true
}

// plainHost reports whether a host is made of labels of letters, digits, - and _.
func plainHost(host string) bool {
	for i := 0; i < len(host); i++ {
		if b := rune(host[i]); !alnum(b) && b != '-' && b != '_' && b != '.' {
			return false
		}
	}
	return host[0] != '.' && !strings.HasSuffix(host, ".") && !strings.Contains(host, "..")
}

// toASCII is the mapping of a host that is not plain ASCII (UTS 46).
func toASCII(host string) (string, bool) {
	out, err := idna.Lookup.ToASCII(host)
	if out == "" {
		out = host
	}
	return out, err == nil
}

func percentDecode(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return s, false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), true
}

// parsePart reads one number of an IPv4 address: decimal, octal with a leading
// 0, hexadecimal with a leading 0x.
func parsePart(s string) (n uint64, ok bool) {
	number, base := numberBase(s)
	switch {
	case s == "":
		return 0, false
	case number == "":
		return 0, true
	case number[0] == '+' || strings.Contains(number, "_"):
		return 0, false
	}
	n, err := strconv.ParseUint(number, base, 64)
	return n, err == nil
}

// numberBase takes the prefix off a number that says its base.
func numberBase(s string) (number string, base int) {
	switch {
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		return s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		return s[1:], 8
	}
	return s, 10
}

// parseIPv4 reads an address of one to four numbers, the last of which fills
// all bytes that are left.
func parseIPv4(host string) (string, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var addr uint64
	for i, part := range parts {
		n, ok := parsePart(part)
		left := 5 - len(parts) // bytes of the last part
		switch {
		case !ok:
			return "", false
		case i < len(parts)-1:
			if n > 255 {
				return "", false
			}
			addr |= n << (8 * (3 - i))
		default:
			if n >= 1<<(8*left) {
				return "", false
			}
			addr |= n
		}
	}
	a := netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)})
	return a.String(), true
}
