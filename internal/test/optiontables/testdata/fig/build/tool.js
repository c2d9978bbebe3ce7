const never = () => {
  throw new Error("a function of a spec was called");
};
export default {
  name: "tool",
  description: "a tool",
  generateSpec: never,
  options: [
    { name: ["-v", "--verbose"], description: "say more" },
    { name: ["-o", "--out"], description: "where\nto", args: { template: "filepaths", generators: { custom: never } } },
    { name: "--color", description: "when", requiresSeparator: true, args: {} },
  ],
  subcommands: [
    { name: "list", loadSpec: "tool-list" },
  ],
};
