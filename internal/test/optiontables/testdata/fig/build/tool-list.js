export default {
  name: "tool-list",
  description: "lists",
  options: [{ name: ["-n", "--lines"], description: "how many", args: {} }],
  subcommands: [{ name: "deep", description: "lists deep", options: [{ name: "--all", description: "everything" }] }],
};
