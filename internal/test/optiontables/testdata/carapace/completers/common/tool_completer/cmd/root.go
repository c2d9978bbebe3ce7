package cmd

import (
	"github.com/carapace-sh/carapace"
	"github.com/spf13/cobra"
)

var rootCmd = &cobra.Command{
	Use:   "tool",
	Short: "a tool",
	Run:   func(cmd *cobra.Command, args []string) {},
}

func Execute() error { return rootCmd.Execute() }

func init() {
	carapace.Gen(rootCmd).Standalone()

	rootCmd.Flags().CountP("verbose", "v", "say more")
	rootCmd.PersistentFlags().StringP("out", "o", "", "where to")
	rootCmd.Flags().String("color", "", "when")
	rootCmd.Flag("color").NoOptDefVal = " "

	carapace.Gen(rootCmd).FlagCompletion(carapace.ActionMap{
		"color": carapace.ActionValues("auto", "never"),
		"out": carapace.Batch(
			carapace.ActionFiles(),
		).ToA(),
	})
}
