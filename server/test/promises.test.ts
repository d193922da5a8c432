// What a request may hold, something reads: a property that is checked and documented, and then lies unread, is a promise nobody
// keeps. Walks every property of every request of the catalog, every verb, and the settings of carriers and trunks, and looks for code
// that reads one of its name where that property is carried out. A name that is read there for something else hides it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SmppSettings } from '../src/carriers/smpp/settings.ts'
import { catalog } from '../src/catalog.ts'
import { allTables } from '../src/kernel/noun/registry.ts'
import { verbs } from '../src/kernel/noun/spec.ts'
import { verbSchemas } from '../src/modules/voice/instructions/index.ts'
import { AsteriskSettings } from '../src/modules/voice/trunks/asterisk_settings.ts'
import { TrunkSettings } from '../src/modules/voice/trunks/settings.ts'

const source = join(import.meta.dirname, '../src')
/** Only declare, document, try out or fill in. */
const isDeclaring =
  /\.test\.ts$|\.generated\.ts$|\/(settings|asterisk_settings|describe|docs)\.ts$|^demo\/|\/instructions\//
const files = globSync('**/*.ts', { cwd: source }).filter(file => !isDeclaring.test(file))
const codeOf = new Map(files.map(file => [file, withoutWords(readFileSync(join(source, file), 'utf8'))]))

/** Without comments and texts, but for names in brackets. */
function withoutWords(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
    .replace(/\['[^'\n]*'\]|'(?:[^'\\\n]|\\.)*'/g, text => (text.startsWith('[') ? text : "''"))
}

/** By a dot, in brackets, or taken out of an object, maybe under another name: not `name: Schema`. */
function isReadIn(code: string, name: string): boolean {
  const plain = name.replace(/[[\]]/g, '\\$&')
  return new RegExp(
    String.raw`\.${plain}\b|\['${plain}'\]|[{,(]\s*${plain}(?:\s*=[^>]|\s*[,}]|:\s*(?!string|number|boolean|unknown|null)[a-z]\w*\s*[,}=])`,
  ).test(code)
}

function isRead(name: string, places: readonly string[]): boolean {
  return files.some(file => places.some(place => file.startsWith(place)) && isReadIn(codeOf.get(file) ?? '', name))
}

type Schema = { properties?: object; items?: unknown; anyOf?: unknown[]; oneOf?: unknown[]; allOf?: unknown[] }

/** The names of all properties in a schema, those of objects and lists within included. */
function namesIn(schema: unknown, found = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return found
  seen.add(schema)
  const { properties, items, anyOf = [], oneOf = [], allOf = [] } = schema as Schema
  for (const [name, property] of Object.entries(properties ?? {})) {
    found.add(name)
    namesIn(property, found, seen)
  }
  for (const part of [items, ...anyOf, ...oneOf, ...allOf]) namesIn(part, found, seen)
  return found
}

/** Where what an endpoint is asked is carried out: its area, and what areas share. */
const areaOf = new Map(
  globSync('modules/**/*endpoint*.ts', {
    cwd: source,
    exclude: name => /\.test\.ts$|(^|\/)explorer$/.test(name),
  }).flatMap(file =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/^\s*id: '([a-z_]+(?:\.[a-z_]+)+)',$/gm)].map(
      ([, id]) => [id as string, file.split('/').slice(0, 2).join('/')] as const,
    ),
  ),
)

const below: Record<string, string[]> = { 'modules/voice': ['engines/'], 'modules/messaging': ['carriers/'] }

type Promised = { of: string; schema: unknown; places: readonly string[] }

const promised: Promised[] = [
  ...catalog.flatMap(({ id, params, query, body }) => {
    const area = areaOf.get(id)
    const places = area === undefined ? [''] : [`${area}/`, 'kernel/', ...(below[area] ?? [])]
    return [params, query, body].map(schema => ({ of: id, schema, places }))
  }),
  ...Object.entries(verbSchemas).map(([verb, schema]) => ({
    of: `the verb ${verb}`,
    schema,
    places: ['modules/voice/control/', 'modules/voice/recordings/', 'modules/voice/'],
  })),
  { of: 'a SIP trunk', schema: TrunkSettings, places: ['engines/sip/', 'engines/trunks/', 'modules/voice/'] },
  { of: 'an Asterisk', schema: AsteriskSettings, places: ['engines/asterisk/', 'engines/trunks/', 'modules/voice/'] },
  { of: 'a carrier', schema: SmppSettings, places: ['carriers/smpp/', 'modules/messaging/'] },
]

/** Read in a way that this test cannot see, and why. */
const nouns = allTables().map(({ spec }) => spec.names[1])
const exceptions: readonly [unread: RegExp, why: string][] = [
  [
    new RegExp(`^\\S+ of (${nouns.join('|')})\\.(${verbs.join('|')})$`),
    'the fields of a noun are read by their kinds: nouns_model.test.ts holds what lists and changes promise',
  ],
  [
    /^(duplicateWindow of messaging_services\.(create|update)|optOutId of opt_outs\.delete|credentialId of sip_credentials\.(get|update|delete)|streamId of audit_streams\.(get|update|delete)|templateId of mail_templates\.(get|update|delete)|suppressionId of mail_suppressions\.delete)$/,
    'fields and ids of a resource are read by their declaration: kernel/resource/fields.test.ts holds what a body sets',
  ],
  [
    /^(authenticatorAttachment|clientExtensionResults|authenticatorData|attestationObject|signature|publicKeyAlgorithm) of (auth\.(verify_login|log_in_with_passkey|step_up)|factors\.create_passkey)$/,
    'what browsers make of a passkey goes as it is to the library that checks it',
  ],
  [
    /^(companies|contacts|leads|mails|tasks) of roles\.(create|update)$/,
    'kinds of records are read by their names: row_scope.test.ts asks every endpoint of each',
  ],
  [/^tags\[all\] of leads\.list$/, 'is read by its name in quotes'],
  [
    /^\w+_date\[(gt|gte|lt|lte)\] of invoices\.(list|totals|export)$/,
    'the names are put together from that of the column',
  ],
  [/^company of conversations\.attach$/, 'the lead goes as it is to where leads are created'],
  [
    /^pointer of (collections\.(create|add_folder)|saved_requests\.(create|update))$/,
    'tests and captures are kept as they are: the Playground carries them out',
  ],
  [
    /^input of (the verb gather|calls\.command)$/,
    'has one value, and any other is refused: there is nothing to decide',
  ],
]

test('code is distinguished from declarations', () => {
  const declared = withoutWords(
    "body: Type.Object({ skills: optional(Skills), tags: Tags }) // reads .skills\nconst a = 'x.skills'",
  )
  assert.ok(!isReadIn(declared, 'skills') && !isReadIn(declared, 'tags'))
  for (const reading of ['a.skills', "a['skills']", 'const { queue, skills = [] } = b', '({ skills: needed }) => 1'])
    assert.ok(isReadIn(withoutWords(reading), 'skills'), reading)
})

test('every property of a request is read where it is carried out', () => {
  const unread = promised.flatMap(({ of, schema, places }) =>
    [...namesIn(schema)].filter(name => !isRead(name, places)).map(name => `${name} of ${of}`),
  )
  assert.ok(promised.flatMap(({ schema }) => [...namesIn(schema)]).length > 500)
  assert.deepEqual(
    unread.filter(name => !exceptions.some(([exception]) => exception.test(name))),
    [],
  )
  for (const [exception] of exceptions)
    assert.ok(
      unread.some(name => exception.test(name)),
      `needless: ${exception}`,
    )
})
