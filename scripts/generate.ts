// `npm run generate`: writes everything that is made from something else. With --check it writes nothing and fails when a
// committed file is not what would be written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freshDatabase } from '../server/test/cluster.ts'
import { databaseTypes } from './database_types.ts'

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')
const stale: string[] = []

function write(path: string, text: string): void {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  stale.push(path)
  if (check) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const database = await freshDatabase()
try {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    write('server/src/kernel/database.generated.ts', await databaseTypes(client))
  } finally {
    await client.end()
  }
} finally {
  await database.drop()
}

if (stale.length === 0) console.log('everything generated is current')
else if (check) {
  console.error(`not current, run \`npm run generate\`:\n${stale.map(path => `  ${path}`).join('\n')}`)
  process.exitCode = 1
} else console.log(`written: ${stale.join(', ')}`)
