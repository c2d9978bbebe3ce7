// Reads scripts of PowerShell with a grammar for tree-sitter, and prints what it does not understand.
import { Parser, Language } from "web-tree-sitter"
import { readFileSync } from "node:fs"

await Parser.init()
const parser = new Parser()
parser.setLanguage(await Language.load("node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm"))
const wrong = n => n.type === "ERROR" || n.isMissing ? [n] : n.children.flatMap(wrong)
for (const file of process.argv.slice(2)) {
  for (const n of wrong(parser.parse(readFileSync(file, "utf8")).rootNode)) {
    console.log(`${file}:${n.startPosition.row + 1}: ${n.text.slice(0, 80)}`)
    process.exitCode = 1
  }
}
