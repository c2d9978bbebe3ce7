package cmd

import (
	"github.com/carapace-sh/carapace-bin/completers/common/tool_completer/cmd/common"
	"github.com/spf13/cobra"
)

var listCmd = &cobra.Command{
	Use:     "list [NAME]",
	Short:   "lists",
	Aliases: []string{"ls"},
}

func init() {
	common.AddLineFlags(listCmd)
	rootCmd.AddCommand(listCmd)
}
