// Prints what the completion specs of @withfig/autocomplete say of options, one JSON line a program:
//   node fig.mjs BUILD-FOLDER < NAMES
// It imports the specs, so it is started without network, environment and rights to write or start
// anything. Functions in a spec (generators, versions) are not called: what they would add is left out.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const build = process.argv[2];
const depth = 4; // of subcommands

const list = (x) => (x === undefined || x === null ? [] : Array.isArray(x) ? x : [x]);
const text = (x) => (typeof x === "string" ? x.replace(/\s+/g, " ").slice(0, 120) : "");
const names = (x) => list(x.name).filter((n) => typeof n === "string");

async function load(name) {
  const file = [join(build, name + ".js"), join(build, name, "index.js")].find(existsSync);
  if (!file) return undefined;
  const late = new Promise((_, fail) => setTimeout(fail, 10_000, new Error("does not load")));
  const spec = (await Promise.race([import(pathToFileURL(file)), late])).default;
  return typeof spec === "object" ? spec : undefined;
}

// An option takes no value, needs one, may have one, or has it in its own word.
function arity(option) {
  const args = list(option.args);
  if (args.length === 0) return "none";
  if (option.requiresSeparator || option.requiresEquals) return "attached";
  return args[0].isOptional ? "optional" : "value";
}

const isFile = (option) =>
  list(option.args).some((a) => list(a.template).some((t) => t === "filepaths" || t === "folders"));

async function dump(spec, level) {
  if (typeof spec.loadSpec === "string" && level < depth) {
    spec = { ...(await load(spec.loadSpec)), name: spec.name };
  }
  const subs = [];
  if (level < depth) {
    for (const sub of list(spec.subcommands)) subs.push(await dump(sub, level + 1));
  }
  const options = list(spec.options).map((o) => ({
    names: names(o), arg: arity(o), file: isFile(o), about: text(o.description),
  }));
  return { names: names(spec), about: text(spec.description), options, subs };
}

for (const name of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    const spec = await load(name);
    if (!spec) continue;
    const line = JSON.stringify({ ...(await dump(spec, 0)), names: [name] }) + "\n";
    await new Promise((written) => process.stdout.write(line, written));
  } catch (err) {
    console.error(name + ": " + err.message);
  }
}
process.exit(0); // timers are left
