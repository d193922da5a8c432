// Seals what lies in the tables again, under the sealing key in use: some rows at a time, each transaction by itself, while servers run. A
// row that was changed meanwhile is left as it was changed; what could not be opened stays.
import type pg from 'pg'
import type { Keyring } from '../values/keyring.ts'
import { createSeal, sealMark } from '../values/seal.ts'

export type SealedColumn = {
  purpose: string
  table: string
  column: string
  /** `text` unless said: a JSON string, or the member `instructions` of a JSON object. */
  form?: 'json' | 'within'
  /** Columns of the primary key. */
  key: readonly string[]
  /** Columns that the place of the seal is made of; bytes stand in it as base64url. */
  place: readonly string[]
}

export type Resealed = {
  /** Texts that are under the key in use now. */
  resealed: number
  /** Texts under another key that do not open: of another installation, or damaged. */
  unreadable: { table: string; column: string; count: number }[]
}

type Engine = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>
type Row = Record<string, unknown> & { sealed: string }

const rowsAtOnce = 200

/** Goes through all columns once. To be repeated as long as others may still close with the former key. */
export async function resealAll(engine: Engine, keyring: Keyring, columns: readonly SealedColumn[]): Promise<Resealed> {
  const found: Resealed = { resealed: 0, unreadable: [] }
  for (const column of columns) {
    let unreadable = 0
    let behind: unknown[] | undefined
    do {
      const after: unknown[] | undefined = behind
      const batch = await engine(client => resealBatch(client, keyring, column, after))
      found.resealed += batch.resealed
      unreadable += batch.unreadable
      behind = batch.last
    } while (behind !== undefined)
    if (unreadable > 0) found.unreadable.push({ table: column.table, column: column.column, count: unreadable })
  }
  return found
}

async function resealBatch(client: pg.Client, keyring: Keyring, column: SealedColumn, after: unknown[] | undefined) {
  await client.query('set local statement_timeout = 0')
  const { active } = keyring.sealingKeys(column.purpose)
  const { read, write, like } = partsOf(column)
  const names = column.key.map(name => `r.${name}`).join(', ')
  const behind = after === undefined ? '' : `and (${names}) > (${after.map((_, at) => `$${at + 3}`).join(', ')})`
  const { rows } = await client.query<Row>(
    `select ${[...new Set([...column.key, ...column.place])].map(name => `r.${name}`).join(', ')}, ${read} as sealed
     from ${column.table} r where ${like('$1')} and not ${like('$2')} ${behind} order by ${names} limit ${rowsAtOnce}`,
    [`${sealMark}%`, `${sealMark}${active.version}.%`, ...(after ?? [])],
  )
  const seal = createSeal(keyring, column.purpose)
  const same = column.key.map((name, at) => `r.${name} = $${at + 3}`).join(' and ')
  let [resealed, unreadable] = [0, 0]
  for (const row of rows) {
    const place = column.place.map(name => placeText(row[name])).join(' ')
    const next = again(seal, place, row.sealed)
    if (next === undefined) {
      unreadable++
      continue
    }
    const { rowCount } = await client.query(
      `update ${column.table} r set ${column.column} = ${write('$1')} where ${same} and ${read} = $2`,
      [next, row.sealed, ...column.key.map(name => row[name])],
    )
    resealed += rowCount ?? 0
  }
  const last = rows.length < rowsAtOnce ? undefined : column.key.map(name => rows.at(-1)![name])
  return { resealed, unreadable, last }
}

function again(seal: ReturnType<typeof createSeal>, place: string, sealed: string): string | undefined {
  try {
    return seal.close(place, seal.open(place, sealed))
  } catch {
    return undefined
  }
}

function placeText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : String(value)
}

/** How the sealed text is read out of its column, written into it, and looked for. */
function partsOf({ column, form }: SealedColumn) {
  const at = `r.${column}`
  switch (form) {
    case 'json':
      // A list is not read as JSON to be looked at: it only does not begin so.
      return {
        read: `(${at} #>> '{}')`,
        write: (text: string) => `to_json(${text}::text)`,
        like: (pattern: string) => `${at}::text like '"' || ${pattern}::text`,
      }
    case 'within':
      return {
        read: `(${at} ->> 'instructions')`,
        write: (text: string) => `jsonb_set(${at}::jsonb, '{instructions}', to_jsonb(${text}::text))::json`,
        like: (pattern: string) => `coalesce(${at} ->> 'instructions', '') like ${pattern}::text`,
      }
    default:
      return {
        read: at,
        write: (text: string) => `${text}::text`,
        like: (pattern: string) => `${at} like ${pattern}::text`,
      }
  }
}

/** How many texts are still sealed with this version of the key. */
export async function countSealed(engine: Engine, columns: readonly SealedColumn[], version: number): Promise<number> {
  return engine(async client => {
    await client.query('set local statement_timeout = 0')
    let count = 0
    for (const column of columns) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${column.table} r where ${partsOf(column).like('$1')}`,
        [`${sealMark}${version}.%`],
      )
      count += rows[0]!.count
    }
    return count
  })
}
