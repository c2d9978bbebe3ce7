// Runs the statements of a file of SQL with DuckDB and prints what each query says, one
// JSON object per row: node duckdb.mjs FILE.sql NAME=FILE...
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'

const [file, ...variables] = process.argv.slice(2)
const db = await (await DuckDBInstance.create(':memory:')).connect()
for (const v of variables) {
  const [name, value] = v.split(/=(.*)/s)
  await db.run(`SET VARIABLE ${name} = '${value.replaceAll("'", "''")}'`)
}
for (const text of readFileSync(file, 'utf8').split(/^(?=-- name: )/m)) {
  const query = text.match(/^-- name: (.*)/)?.[1]
  const rows = (await db.runAndReadAll(text)).getRowObjectsJson()
  for (const row of query ? rows : []) console.log(JSON.stringify({ query, ...row }))
}
