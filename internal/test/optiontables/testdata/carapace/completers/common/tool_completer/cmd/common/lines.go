package common

import "github.com/spf13/cobra"

func AddLineFlags(cmd *cobra.Command) {
	cmd.Flags().StringP("lines", "n", "", "how many")
}
