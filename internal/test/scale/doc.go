// Package scale tests docs/scale.md: every engine of it counts what permgate replay
// counts on the same calls.
package scale
