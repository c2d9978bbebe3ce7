package oracle

// bash32Grammar is what the generator writes besides for bash 3.2: brackets and quotes where they are no syntax to
// who parses what is in a substitution, and are to who only looks for its end.
var bash32Grammar = append(bashGrammar[:len(bashGrammar):len(bashGrammar)], []rule{
	{'T', 2, []string{
		"§P §α", "§P \"§α\"", "§P \"a §α b\" §W", "§P §α §α", "§P \"§α\" \"§α\"", "§P \"§α\"; §P '§γ'; §P \"§γ\"", "x=§α; §P $x", "x=\"§α\"; §P \"$x\"", "§P \"§α\" && §P §u '§γ'", "§P <<E\n§α\nE\n§C", "§P \"${x:-§α}\"", "§P ${x:-§α}", "(§P §α)", "if §P \"§α\"; then §P §u; fi", "§P §α # §β\n§P §u", "§P \"§α\" '§γ)' \"§γ\"", "§P \"§α\"\n§P '§β'\n§P \"§γ\"", "§P §α '§γ' §u)", "§P $((1 + §α))", "arr[§α]=1; §P", "arr=(§α \"§α\"); §P \"${arr[@]}\"", "[[ \"§α\" == x ]] && §C",
	}},
	{'α', 3, []string{
		"$(§P <<'E'\n§β\nE\n)", "$(cat <<'E'\n§β\nE\n)", "$(§P # §β\n)", "$(§P <<'E'\n§β\n§β\nE\n)", "$(cat <<E\n§β\nE\n)", "$(# §β\n§P §u)", "$(#§β\n)", "$(case x in §γ) §P §u;; esac)", "$(case x in (§γ) §P §u;; esac)", "$(§P §u;#§β\n)", "$(§P §u; # §β\n§P §u)", "$(cat <<-'E'\n\t§β\n\tE\n)", "$(cat <<'E'\n§β\nE\n§P §u # §β\n)", "$(cat <<'E' <<'F'\n§β\nE\n§β\nF\n)", "$(§P ${x%%§γ})", "$(§P \"${x%%§γ}\")", "<(§P <<'E'\n§β\nE\n)", "<(§P # §β\n)", "`§P §u`", "$(§P \"§γ\" '§γ')", "$(§P $(§P # §β\n) §u)", "$(§P \"$(§P §u # §β\n)\")", "${x:-$(§P # §β\n)}", "$(\n# §β\n§P §u\n)", "$(§P §u\n)", "$([[ x =~ §γ ]] && §P)", "$(§P \\\n§u # §β\n)", "$({ §P; } # §β\n)", "$((1)) $(§P # §β\n)", "$(§P $'§γ' # §β\n)",
	}},
	{'β', 2, []string{"§δ", "§δ§δ", "§δ §δ §δ", "§δ§δ§δ§δ", "§δ\n§δ", "§δ§δ\n§δ§δ", ""}},
	{'δ', 3, []string{"a", "'", "\"", ")", "(", "it's", "`", "\\", "#", " # ", "; §P §u #", ")\"; §P §u; \"", ")'; §P §u; '", "$(", "$x", ":)", "\\\n", "E", "'E'", "$'\\n'", "{a,b}", "}", ",", "case", "esac", "don't (x)", "&& §P §u", "|", "<<E", "\t", ")' ", "\")", "''", "))", "((", ") §P §u", "\n) §P §u", "\\'", "\\\"", "\\)", "${", "$((", "a\\"}},
	{'γ', 2, []string{"a", "b", ")", "(", "b)", "(c", "#", "; d", ") ;", "x y", "[)]", "\\)", "\\(", "a # b"}},
}...)
