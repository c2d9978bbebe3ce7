package asks

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
)

// What questions are about. The type of the evidence is the kind of the question: a lift sees the questions of one
// kind.
type (
	Finding struct{ *bashsafety.Finding } // step 2: of the shell analysis, and no catastrophe
	Doubt   struct{ *bashsafety.Doubt }   // step 2: what the shell analysis does not understand

	SensitiveWrite struct{ *facts.Unit } // step 2: a write to what runs later or holds credentials
	SecretRead     struct{ *facts.Unit } // step 2: a read of keys or tokens
	OutsideWrite   struct{ *facts.Unit } // step 3b: a write outside the workspace
	OutsideRead    struct {              // step 3b: a read outside the workspace
		*facts.Unit
		Named bool // a word of the command names it
	}

	Sourced    struct{ deed } // step 2: a file outside the workspace that this shell runs
	Repository struct{ deed } // step 2: a git command in another repository
)

// A deed is an effect of a command.
type deed struct {
	Sub    *bashsafety.Subcommand
	Effect *bashsafety.Effect
}
