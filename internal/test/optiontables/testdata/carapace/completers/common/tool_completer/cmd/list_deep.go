package cmd

import "github.com/spf13/cobra"

var list_deepCmd = &cobra.Command{Use: "deep", Short: "lists deep"}

func init() {
	list_deepCmd.Flags().Bool("all", false, "everything")
	listCmd.AddCommand(list_deepCmd)
}
