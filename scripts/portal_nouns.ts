// What the portal is to know of each noun, as modules that its screens import: a screen carries the nouns that it shows, and no others.

import type { FieldKind, NounDescription, NounField, NounVerb } from '../portal/src/nouns/description.ts'
import { columnLabel } from '../server/src/kernel/noun/columns.ts'
import type { AnyField } from '../server/src/kernel/noun/field.ts'
import { hostTables, importableTables, isHost } from '../server/src/kernel/noun/hosts.ts'
import { movesOf } from '../server/src/kernel/noun/moves.ts'
import { sortableNames } from '../server/src/kernel/noun/order.ts'
import { fieldsOf } from '../server/src/kernel/noun/records.ts'
import { type NounTable, referencesTo } from '../server/src/kernel/noun/registry.ts'
import { referencesOf, words } from '../server/src/kernel/noun/schemas.ts'
import { verbsOf } from '../server/src/kernel/noun/spec.ts'
import { maxOthers } from '../server/src/kernel/noun/verbs_merge.ts'

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Texts by path, below the repository. */
export function portalNouns(): Record<string, string> {
  // What is put on records is drawn with these, and has no lists of its own.
  const nouns = hostTables().map(describe)
  const pathOf = (name: string) => `portal/src/nouns/described/${name}.generated.ts`
  return {
    ...Object.fromEntries(nouns.map(noun => [pathOf(noun.many), moduleOf(noun)])),
    [pathOf('all')]: loadersOf(nouns),
    'portal/src/navigation/nouns.generated.ts': knownOf(nouns),
  }
}

const heading = "// Made by `npm run generate` of the server's nouns; not to be changed by hand."

function moduleOf(noun: NounDescription): string {
  return `${heading}
import type { NounDescription } from '../noun.ts'

export const ${camel(noun.many)}: NounDescription = ${JSON.stringify(noun, null, 2)}
`
}

/** What is known of every noun without loading it. */
function knownOf(nouns: readonly NounDescription[]): string {
  const known = Object.fromEntries(
    nouns.map(({ one, many, words: { one: word }, title, prefix, verbs: own }) => [
      one,
      { many, word, title, prefix, ...(own.includes('import') && { imported: true }) },
    ]),
  )
  return `${heading}
/** By its name: its plural, how people call it, the field that a record is called by, what ids begin with, and whether files are imported. */
export const nouns = ${JSON.stringify(known, null, 2)} as const
`
}

function loadersOf(nouns: readonly NounDescription[]): string {
  const entries = nouns.map(
    ({ one, many }) => `  ${one}: () => import('./${many}.generated.ts').then(module => module.${camel(many)}),`,
  )
  return `${heading}
import type { NounDescription } from '../noun.ts'

export const describedNouns: Readonly<Record<string, () => Promise<NounDescription>>> = {
${entries.join('\n')}
}
`
}

const maxColumns = 6
/** Left out of lists unless they are chosen. */
const wideKinds = ['long_text', 'addresses', 'boolean']

function describe({ spec }: NounTable): NounDescription {
  const [one, many] = spec.names
  const fields = fieldsOf(spec)
  const searched = fields.flatMap(([name, field]) => (field.find ? [columnLabel(name, field, '')] : []))
  const narrow = fields.flatMap(([name, field]) => (wideKinds.includes(field.kind) ? [] : [name]))
  const others = narrow.filter(name => name !== spec.title)
  const known = verbsOf(spec)
  const state = fields.find(([, { moves }]) => moves !== undefined)?.[1]
  return {
    one,
    many,
    words: { one: words(one), many: words(many) },
    about: spec.about,
    ...(spec.prefix !== undefined && { prefix: spec.prefix }),
    fields: fields.map(([name, field]) => fieldOf(name, field, sortableNames(spec.fields))),
    title: spec.title,
    columns: [spec.title, ...others.slice(0, maxColumns - 1), 'created_at'],
    facets: [...spec.facets, ...(spec.rows === undefined ? [] : [spec.rows.owner])],
    sort: spec.order.first,
    ...(searched.length > 0 && { searched }),
    ...(state && { moves: movesOf(state.choices!, state.moves!) }),
    ...(spec.rows !== undefined && { rows: { owner: spec.rows.owner, own: spec.rows.own } }),
    includes: referencesOf(spec),
    ...(isHost(spec) && { holds: true as const }),
    verbs: [
      ...known.filter((verb): verb is Exclude<NounVerb, 'import'> => verb !== 'list' && verb !== 'get'),
      ...(importableTables().some(table => table.spec === spec) ? (['import'] as const) : []),
    ],
    ...(known.includes('merge') && { maxMerged: maxOthers + 1 }),
    ...(spec.match !== undefined && { match: spec.match }),
    related: referencesTo(one)
      .filter(({ noun }) => isHost(noun.spec))
      .map(({ noun, column }) => ({
        noun: noun.spec.names[1],
        title: relatedTitle(noun, one),
        field: column,
        parameter: column,
        permission: `${noun.spec.names[1]}:read`,
        ...(noun.spec.fields[column]?.setBy === 'rules' && { fixed: true as const }),
      })),
  }
}

/** "Contacts", and of records of its own kind "Companies below it". */
function relatedTitle(noun: NounTable, one: string): string {
  const [own, many] = noun.spec.names
  return own === one ? `${upper(words(many))} below it` : upper(words(many))
}

function fieldOf(name: string, field: AnyField, sortable: readonly string[]): NounField {
  const { kind, about, required, initial, choices, maxLength, of, parts, setBy } = field
  const filters = parts.filters(name).map(({ parameter }) => parameter)
  return {
    name,
    label: columnLabel(name, field, ''),
    kind: kind as FieldKind,
    about,
    ...(required && { required: true }),
    ...(initial !== undefined && { initial }),
    ...(choices && { choices }),
    ...(maxLength !== undefined && { maxLength }),
    ...(of !== undefined && { of }),
    ...(filters.length > 0 && { filters }),
    ...(sortable.includes(name) && { sortable: true }),
    ...(setBy === 'rules' && { fixed: true }),
  }
}
