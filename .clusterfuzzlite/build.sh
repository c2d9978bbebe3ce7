#!/bin/bash -eu
# Builds every fuzz target of the packages that a hook call reaches.
cd "$SRC/permgate"
module=$(go list -m)
go list -deps -f '{{if not .Standard}}{{.ImportPath}}{{end}}' . | grep "^$module" | while read -r pkg; do
  dir=./${pkg#"$module"}
  grep -ho '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go 2>/dev/null | cut -d ' ' -f 2 | while read -r target; do
    compile_native_go_fuzzer "$pkg" "$target" "$(echo "${pkg#"$module"/}" | tr / _)_$target"
  done
done
