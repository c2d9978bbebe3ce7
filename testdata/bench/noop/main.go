// Command noop is the cheapest hook Go can make: it reads its input, prints one line and ends.
package main

import (
	"io"
	"os"
)

func main() {
	if _, err := io.ReadAll(os.Stdin); err != nil {
		os.Exit(2)
	}
	os.Stdout.WriteString("{}\n")
}
