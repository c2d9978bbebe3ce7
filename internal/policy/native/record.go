package native

import (
	"fmt"
	"hash/fnv"
)

// sum is what a text is known by.
func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%016x", h.Sum64())
}
