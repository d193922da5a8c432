// `npm run generate`: writes everything that is made from something else. With --check it writes nothing and fails when a
// committed file is not what would be written.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { catalog, sentRequests, withProtocol } from '../server/src/catalog.ts'
import { settingsTable } from '../server/src/config/config.ts'
import { openApiDocument } from '../server/src/kernel/documents/openapi.ts'
import { instructionsMarkdown } from '../server/src/modules/voice/instructions/index.ts'
import { freshDatabase, migrationsDir } from '../server/test/cluster.ts'
import { asvsPage } from './asvs/page.ts'
import { databaseTypes } from './database_types.ts'
import { endpointsPage, problemsPage, statesPage } from './docs_pages.ts'
import { sdkFiles } from './generate_sdk.ts'
import type { OpenApiDocument } from './openapi_operations.ts'
import { portalData } from './portal_data.ts'
import { portalNouns } from './portal_nouns.ts'
import { portalProblems } from './portal_problems.ts'
import { portalSettings } from './portal_settings.ts'
import { schemaSql } from './schema_sql.ts'

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

/** Replaces what stands between the marks `<!-- name -->` and `<!-- /name -->` of a page written by hand. */
function replaceSection(path: string, name: string, text: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const page = readFileSync(join(root, path), 'utf8')
  const [start, end] = [page.indexOf(open), page.indexOf(close)]
  if (start === -1 || end < start) throw new Error(`${path} lacks the marks ${open} … ${close}`)
  write(path, `${page.slice(0, start + open.length)}\n${text}\n${page.slice(end)}`)
}

const documented = withProtocol(catalog)
const document = `${JSON.stringify(openApiDocument(documented, sentRequests), null, 2)}\n`
write('docs/openapi.json', document)
write('docs/problems.md', problemsPage())
write('docs/endpoints.md', endpointsPage(documented))
write('docs/states.md', statesPage())
write('docs/asvs.md', asvsPage())
write('docs/call_instructions.md', instructionsMarkdown())
replaceSection('README.md', 'settings', settingsTable())
const sdk = sdkFiles(JSON.parse(document) as OpenApiDocument)
const portalFiles = { ...portalNouns(), ...portalData(), ...portalProblems(), ...portalSettings() }
for (const [path, text] of Object.entries({ ...sdk.files, ...portalFiles })) write(path, text)
replaceSection('sdk/README.md', 'methods', sdk.methods)

const database = await freshDatabase()
try {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    write('server/src/kernel/data/database.generated.ts', await databaseTypes(client))
    const migrations = readdirSync(migrationsDir)
      .sort()
      .map(name => ({ name, text: readFileSync(join(migrationsDir, name), 'utf8') }))
    write('docs/schema.sql', await schemaSql(client, migrations))
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
