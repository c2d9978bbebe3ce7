package lang

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// GraphQLAsks reports whether a GraphQL document holds queries and fragments
// only: no mutation, no subscription, nothing that does not balance.
// https://spec.graphql.org/October2021/#sec-Document
func GraphQLAsks(doc string) bool {
	depth, inside, any := 0, false, false
	for i := 0; i < len(doc); {
		switch b := doc[i]; {
		case b == '#':
			end := strings.IndexAny(doc[i:], "\r\n")
			if end < 0 {
				end = len(doc) - i
			}
			i += end
		case b == '"':
			n := graphQLString(doc[i:])
			if n == 0 || depth == 0 {
				return false
			}
			i += n
		case strings.IndexByte("{([", b) >= 0:
			if !inside && b != '{' {
				return false
			}
			inside, any = true, true
			depth++
			i++
		case strings.IndexByte("})]", b) >= 0:
			if depth--; depth < 0 {
				return false
			}
			if depth == 0 && b == '}' {
				inside = false
			}
			i++
		case !inside && shell.NameByte(b):
			end := i + shell.WordLength(doc[i:], shell.NameByte)
			if word := doc[i:end]; word != "query" && word != "fragment" {
				return false
			}
			inside = true
			i = end
		default:
			i++
		}
	}
	return any && depth == 0 && !inside
}

// graphQLString is the length of the string at the start of s, 0 when it does not end.
func graphQLString(s string) int {
	if strings.HasPrefix(s, `"""`) {
		for i := 3; i < len(s); i++ {
			switch {
			case strings.HasPrefix(s[i:], `\"""`):
				i += 3
			case strings.HasPrefix(s[i:], `"""`):
				return i + 3
			}
		}
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n', '\r':
			return 0
		}
	}
	return 0
}

// PostsDeletion reports whether the body of a request, its URL or a program that
// makes one holds a mutation of GraphQL that deletes.
func PostsDeletion(body string) bool {
	at := strings.Index(body, "mutation")
	if at < 0 || !strings.HasPrefix(strings.TrimSpace(body), "mutation") && !shell.ContainsAny(body, "query", "graphql") {
		return false
	}
	return mutationDeletes(Unescaped(body[at:]))
}

// mutationDeletes reports whether a mutation of GraphQL names a field that deletes.
func mutationDeletes(doc string) bool {
	if GraphQLAsks(doc) {
		return false
	}
	for i := 0; i < len(doc); i++ {
		from := i
		if i += shell.WordLength(doc[i:], shell.NameByte); deletesField(doc[from:i]) {
			return true
		}
		if i < len(doc) && doc[i] == '%' { // in a URL
			i += 2
		}
	}
	return false
}

// deletesField reports whether one of the verbs of deletion begins a part of a
// field's name, with what it is done to: deleteIssue, delete_users, bulkDeleteUsers.
func deletesField(name string) bool {
	for whole := name; name != ""; {
		for _, verb := range [...]string{"delete", "remove", "archive", "destroy", "purge"} {
			if len(whole) > len(verb) && len(name) >= len(verb) && strings.EqualFold(name[:len(verb)], verb) {
				return true
			}
		}
		name = strings.TrimLeft(name[shell.PartEnd(name):], "_")
	}
	return false
}
