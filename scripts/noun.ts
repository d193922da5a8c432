// `npm run noun`: what nouns become. With a name its endpoints, the table that it expects, and what the migrations lack of it; with
// --sql its migration alone. `-- --new <one> <many>` writes the files of a new one; --about, --prefix and --module say more about it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { catalog } from '../server/src/catalog.ts'
import { fullPath } from '../server/src/kernel/endpoint/endpoint.ts'
import { columnLabel } from '../server/src/kernel/noun/columns.ts'
import { fieldsOf } from '../server/src/kernel/noun/records.ts'
import { allTables, type NounTable, tableNamed } from '../server/src/kernel/noun/registry.ts'
import { filtersOf } from '../server/src/kernel/noun/schemas.ts'
import { nouns, permissions } from '../server/src/nouns.ts'
import { freshDatabase, migrationsDir } from '../server/test/cluster.ts'
import { nounIn } from '../server/test/named_nouns.ts'
import { changesOf } from './noun_changes.ts'
import { migrationOf } from './noun_ddl.ts'
import {
  addLines,
  declarationOf,
  faultsOf,
  filesOf,
  freePrefix,
  type Known,
  kernelFilesNaming,
  nextMigration,
  type Wanted,
  writeNew,
} from './noun_new.ts'

const root = join(import.meta.dirname, '..')
const options = {
  sql: { type: 'boolean', default: false },
  new: { type: 'boolean', default: false },
  about: { type: 'string' },
  prefix: { type: 'string' },
  module: { type: 'string', default: 'crm' },
} as const
const usage = `npm run noun [-- <name> [--sql]]
npm run noun -- --new <one> <many> [--about "What one is."] [--prefix abc] [--module crm]`

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [one, many] = positionals
  if (values.new) {
    if (one === undefined || many === undefined || positionals.length > 2)
      throw new Error(`--new takes the name of one and of many: --new service_contract service_contracts\n${usage}`)
    await create({ ...values, one, many })
  } else await show(one, values.sql)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function show(asked: string | undefined, isSql: boolean): Promise<void> {
  const all = allTables()
  const found = all.filter(({ spec }) => asked === undefined || spec.names.includes(asked))
  if (found.length === 0)
    throw new Error(`No noun is called ${asked}; there are: ${all.map(({ spec }) => spec.names[1]).join(', ')}.`)
  for (const noun of found) console.log(isSql ? migrationOf(noun, tableOf) : described(noun))
  if (isSql || asked === undefined) return
  const changes = await missing(found[0]!)
  if (changes.length === 0) console.log('The migrations make this table.')
  else console.log(`The migrations make another table. What leads to this one:\n\n${changes.join('\n')}`)
}

function tableOf(name: string): string {
  return allTables().find(({ spec }) => spec.names[0] === name)?.table ?? name
}

function described(noun: NounTable): string {
  const { spec } = noun
  const [, many] = spec.names
  const endpoints = catalog.filter(({ id }) => id.startsWith(`${many}.`))
  const fields = fieldsOf(spec).map(([name, field]) => {
    const marks = [field.required ? 'required' : '', field.find ? 'searched' : '']
    return `  ${name.padEnd(24)} ${field.kind.padEnd(10)} ${columnLabel(name, field, '')}${marks
      .filter(Boolean)
      .map(mark => `, ${mark}`)
      .join('')}`
  })
  return [
    `${many}: ${spec.about}`,
    '',
    ...fields,
    '',
    ...endpoints.map(one => `  ${one.method.padEnd(6)} ${fullPath(one).padEnd(38)} ${one.permission}`),
    '',
    `  filters: ${[...filtersOf(spec).keys()].join(', ')}`,
    '',
    migrationOf(noun, tableOf),
  ].join('\n')
}

/** What a database that all migrations made lacks of a noun, as statements. */
async function missing(noun: NounTable): Promise<string[]> {
  const database = await freshDatabase()
  const client = new pg.Client(database.owner)
  try {
    await client.connect()
    return await changesOf(client, noun, tableOf)
  } finally {
    await client.end()
    await database.drop()
  }
}

type Asked = { one: string; many: string; module: string; about?: string | undefined; prefix?: string | undefined }

async function create({ one, many, module, about, prefix }: Asked): Promise<void> {
  const known = knownNow()
  const text = about?.trim() || `What is kept of ${many.replaceAll('_', ' ')}.`
  const wanted: Wanted = { one, many, module, about: text, prefix: prefix ?? freePrefix(one, known.prefixes) }
  const faults = faultsOf(wanted, known)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const declaration = declarationOf(wanted)
  const migration = nextMigration(root, many)
  const written = writeNew(root, filesOf(wanted))
  const changed = addLines(root, wanted)
  // Declares it in this process: the table follows.
  await import(join(root, declaration))
  writeNew(root, { [migration]: migrationOf(tableNamed(one), tableOf) })
  const kernel = kernelFilesNaming(root, one)
  console.log(`Written: ${[...written, migration].map(path => `\n  ${path}`).join('')}
Lines added to: ${changed.join(', ')}

Next:
  1. ${declaration}: its fields, what is searched and counted, who may do what, the sample.
  2. npm run -s noun -- ${one} --sql > ${migration}
     after each change of the fields; npm run noun -- ${one} says what the migrations lack.
  3. npm run generate
  4. portal/src/navigation/messages/de.ts, and those of navigation/finding/ and rights/: its name, hint, action and rights in German. portal/src/${many}/screen.ts: its entry in
     the navigation (portal/src/navigation/screen_icons.tsx: an icon); the page, what is special about it.
  5. portal/src/${many}/messages: what it, its fields and its choices are called in each language, as portal/src/leads/lead_noun.ts says them.
  6. npm run check, npm test -- nouns contract ${many}
  7. docs/crm.md and CHANGELOG.md say that it is there.`)
  if (kernel.length > 0)
    console.log(`  8. The kernel has the word ${one} for something of its own (${kernel.slice(0, 3).join(', ')}): add it to kernelWords in
     server/test/tidy_structure.test.ts, or choose a name that says more.`)
}

/** What names are taken, by what. */
function knownNow(): Known {
  const names = new Map<string, string>()
  const take = (name: string, by: string) => void (names.has(name) || names.set(name, by))
  for (const { spec } of allTables()) for (const name of spec.names) take(name, `there is the noun ${spec.names[1]}`)
  for (const name of Object.keys(nouns)) take(nounIn(name), `there is the noun ${nounIn(name)}`)
  for (const name of Object.keys(permissions)) take(name.split(':')[0]!, `there is the permission ${name}`)
  const sql = readdirSync(migrationsDir).map(file => readFileSync(join(migrationsDir, file), 'utf8'))
  for (const [, table] of sql.join('\n').matchAll(/^create table (\w+)/gm))
    take(table!, `the database has the table ${table}`)
  for (const folder of readdirSync(join(root, 'portal/src'))) take(folder, `there is the folder portal/src/${folder}`)
  for (const { version, path } of catalog) {
    const name = path.split('/')[version === 'v1' ? 2 : 1]?.replaceAll('-', '_') ?? ''
    if (/^\w+$/.test(name)) take(name, `the API has the address /${version}${path}`)
  }
  const modules = join(root, 'server/src/modules')
  return {
    names,
    prefixes: [...sql.join('\n').matchAll(/'\^([a-z]+)_/g)].map(([, prefix]) => prefix!),
    modules: readdirSync(modules).filter(name => existsSync(join(modules, name)) && !basename(name).includes('.')),
  }
}
