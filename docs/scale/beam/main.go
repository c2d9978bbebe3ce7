// Beam decides recorded calls again, under one policy or two, wherever Beam pipelines
// run, and counts the answers: docs/scale.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

var (
	input   = flag.String("input", "", "files of log lines or payloads: patterns, separated by commas")
	output  = flag.String("output", "", "file for the counts, one JSON object per line")
	policy  = flag.String("policy", "", "settings file to decide under")
	against = flag.String("against", "", "settings file to compare with")
	host    = flag.String("host", "", "agent program of the calls that name none")
	home    = flag.String("home", "", "home directory of the calls")
)

func main() {
	flag.Parse()
	beam.Init() // a worker never returns from here
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(3)
	}
}

func run(ctx context.Context) error {
	if *input == "" || *output == "" || flag.NArg() > 0 {
		return fmt.Errorf("--input FILES --output FILE [--policy FILE] [--against FILE] [--host NAME] [--home DIR] [--runner NAME]")
	}
	policies, err := packed(*policy, *against, *host, *home)
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	var files []beam.PCollection
	for _, pattern := range strings.Split(*input, ",") {
		files = append(files, textio.Read(s, pattern))
	}
	textio.Write(s, *output, counted(s, beam.Flatten(s, files...), policies))
	return beamx.Run(ctx, p)
}

// counted decides the calls of lines, and returns the counts as lines.
func counted(s beam.Scope, lines beam.PCollection, policies string) beam.PCollection {
	alone, named := beam.ParDo2(s, splitLine, lines)
	counts := beam.Flatten(s,
		beam.ParDo(s, &decideLine{Policies: policies}, alone),
		beam.ParDo(s, &decideLines{Policies: policies}, beam.GroupByKey(s, named)))
	return beam.ParDo(s, rowOf, stats.SumPerKey(s, counts))
}
