//go:build unix

package main

import (
	"os"
	"syscall"
)

func minorFaults(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Minflt)
	}
	return -1
}
