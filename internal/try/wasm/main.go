//go:build js

// Program wasm is permgate for the page of docs/try: it gives the page one function, permgate(json), which returns
// JSON.
package main

import (
	"syscall/js"

	"github.com/permgate--owner/permgate/internal/try"
)

func main() {
	js.Global().Set("permgate", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 0 {
			return "{}"
		}
		return string(try.Answer([]byte(args[0].String())))
	}))
	select {} // the page calls it from now on
}
