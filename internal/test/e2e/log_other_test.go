//go:build !linux

package e2e

import (
	"errors"
	"testing"
)

var errNotHere = errors.New("only on Linux")

func mkfifo(string) error               { return errNotHere }
func fill(*testing.T, string) error     { return errNotHere }
func readOnly(*testing.T, string) error { return errNotHere }
