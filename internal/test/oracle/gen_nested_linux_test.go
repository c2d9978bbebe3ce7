package oracle

// nestedGrammar is what the generator writes for every shell of substitutions inside others, with what some shell
// reads in a way of its own when it looks for the end of one: comments, case, here-documents, backquotes and quotes.
var nestedGrammar = [...]rule{
	{'T', 2, []string{
		"§P §н §W", "§P \"§н\" §u", "x=§н; §P $x", "x=\"§н\"; §P \"$x\"", "for i in §н; do §P $i; done", "§P <<E\n§н\nE\n§C",
		"§P \"${x:-§н}\" '§ж'", "§P ${x:-§н}", "cd §н && §P > o§u", "§P §н §н '§ж'", "§P \"§н §н\" \"§ж\"", "§P §u > §н", "if §P §н; then §C; fi", "arr=(§н \"§н\"); §P \"${arr[@]}\"", "¡[[ §н == \"§н\" ]] && §C", "§P $((1 + §н)) §u", "(§P §н) | §P §u", "§P §н # §ж\n§P §u", "x=§н §P §u", "eval '§P §н'", "case §н in §н) §C;; esac", "§P §н..§u", "§P §u §н\n§P '§ж'",
	}},
	{'н', 3, []string{ // a substitution
		"$(§P §м)", "$(§P \"§м\")", "$(§P §u §м | §P)",
		"`§P §м`", "$(§P §м # §ж\n)", "$(case §м in (x) §C;; *) §P §u;; esac)", "$(case x in x) §P §м;; esac)", "$(§P <<E\n§м\nE\n)", "$(§P <<'E' §м\n§ж\nE\n)", "$(§P §м <<'E'\n§ж\n§ж\nE\n)", "$(# §ж\n§P §м)", "¡$(§P $'§e' §м)", "¡$(§P $\"a\" §м)", "$(§P '§r' §м)", "¡<(§P §м)", "$( (§P §м) )", "$(§P ${x:-§м})", "$(§P \"${x:-§м}\" §м)", "$(§P $((1 + §м)))", "$(§P §u; §P §м)", "$(if §P §м; then §C; fi)", "$(x=§м; §P $x)", "$(for i in §м; do §P $i; done)", "$(§P §м > o§u)", "$({ §P §м; } 2>&1)", "$(§P §u\n§P §м\n)", "$(§P §м && §P §м)", "$(sh -c '§P §u')", "$(cat <<'E'\n§ж\nE\n)", "$(cat <<E\n§ж\nE\n)", "$(§P \"$(cat <<'E'\n§ж\n§ж\nE\n)\" §u)", "$(§P \"§м §м\" '§м')", "$(§P \\\n§м)",
	}},
	{'м', 4, []string{ // one inside it
		"$(§P §u)", "\"$(§P §u)\"", "a$(§P §u)b", "`§P §u`",
		"§н", "§н", "§н", "\"§н\"", "$(§P §u # §ж\n)", "$(§P <<'E'\n§ж\nE\n)", "$(cat <<E\n§ж\nE\n)", "$(case x in x) §P §u;; esac)", "$(case x in (x) §P §u;; esac)", "¡$(§P $'§e')", "$(# §ж\n§P §u)", "$(§P '§r')", "$(§P \"§d\")", "$(§P §W)", "¡<(§P §u)", "\"$(§P \"$(§P §u)\" # §ж\n)\"", "$((1 + $(§P §u)))", "${x:-$(§P §u)}", "$(§P ')' \"(\" §u)", "$(§P \\) §u)", "$(§P \"`§P §u`\")",
	}},
	{'ж', 2, []string{ // text that says nothing, or ends something
		"a", "a (b) c", "it's", "\"", ")", "(", "don't 'x'", "a \"b\"", "`", "a `b` c", "\\", "#", " # ", "; §P §u #", ")\"; §P §u; \"", ")'; §P §u; '", "$(", "$(§P §u)", "$x", ":)", "E", "case", "esac", "x)", ";; *)", "&& §P §u", "<<E", "\\'", "\\\"", "a\\", "{a,b}", "))", "((", ") §P §u", "\n) §P §u", "${", "'", "''", "", "a\nb", "§ж§ж", "§ж §ж", "§ж\n§ж",
	}},
}
