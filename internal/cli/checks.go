package cli

import "github.com/permgate--owner/permgate/bashsafety"

func findCheck(id string) *bashsafety.Check {
	for _, c := range bashsafety.Checks() {
		if c.ID == id {
			return c
		}
	}
	return nil
}
