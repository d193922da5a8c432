// SQL of a search: which records hold the words, in the order that is asked for. Reading a record that an index names costs far more than
// comparing its text, so what many records hold is found by reading them in the order of the list until there are enough, and what few
// hold by the index of parts of words.
import { sql } from 'kysely'
import type { Tx } from '../data/db.ts'
import { containing } from '../data/like.ts'
import { type Asked, columnsOf, type ListPage, ownedBy, ownerArms, type RawRow, where } from './asked.ts'
import type { Sql } from './field.ts'
import { orderBy } from './order.ts'
import type { SearchText } from './search_text.ts'

/** What a text must hold to be found: something of each row. A row of nothing is held by no text. */
type Needles = readonly (readonly string[])[]

type Found = Omit<ListPage, 'isRough'>

/** Beyond this many found records a total is "at least": counting them would be the most of the work. */
export const maxFound = 1_000

export async function searchRecords(tx: Tx, asked: Asked, text: SearchText): Promise<ListPage> {
  const isRough = asked.isRough === true
  if (!isRough) {
    const exact = await find(tx, asked, await exactNeedles(tx, text))
    const isDone = exact.total > 0 || text.rough.length === 0 || asked.isRough === false
    if (isDone) return { ...exact, isRough: false }
  }
  return { ...(await find(tx, asked, await roughNeedles(tx, asked, text))), isRough: true }
}

/** In one spelling with the texts. What looks like a telephone number is one row: its digits in two forms, or as it was sent. */
async function exactNeedles(tx: Tx, { words, digits }: SearchText): Promise<Needles> {
  const spelled = await spelledOf(tx, words)
  return digits.length > 0 ? [[...new Set([...digits, ...spelled])]] : spelled.map(word => [word])
}

async function spelledOf(tx: Tx, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ words: string[] }>`select search_words(${words}::text[]) as words`.execute(tx)
  return rows[0]!.words
}

/** A misspelt word is looked for among the words that records hold; then the search is one for these. */
async function roughNeedles(tx: Tx, { noun }: Asked, { rough, roughWords }: SearchText): Promise<Needles> {
  const { rows } = await sql<{ instead: string[] }>`
    select instead from similar_words(${noun}, ${rough}::text[])`.execute(tx)
  if (rows.length === 0) return []
  const short = await spelledOf(tx, roughWords)
  return [...rows.map(({ instead }) => instead), ...short.map(word => [word])]
}

/** How many records a first look reads, and how many a page is worth when the index names too many. */
const glance = 1_000
const longWalk = 20_000

async function find(tx: Tx, asked: Asked, needles: Needles): Promise<Found> {
  if (needles.length === 0 || needles.some(({ length }) => length === 0)) return { rows: [], total: 0, isExact: true }
  const walked = await walkFar(tx, asked, needles)
  if (walked?.isAll === true) return { rows: walked.rows, total: walked.hits, isExact: true }
  if (walked?.isPage === true && walked.hits > maxFound) return beyond(walked.rows)
  const few = await readFound(tx, asked, needles, maxFound + 1)
  if (few.named <= maxFound) return { rows: few.rows, total: few.total, isExact: true }
  const enough = asked.offset + asked.limit + 1
  const page = walked?.isPage === true ? walked : await walk(tx, asked, needles, { records: longWalk, hits: enough })
  if (page?.isPage === true) return atLeast(page.rows, Math.max(few.total, seen(asked, page.rows)))
  const all = await readFound(tx, asked, needles, null)
  return all.total > maxFound ? beyond(all.rows) : { rows: all.rows, total: all.total, isExact: true }
}

const atLeast = (rows: RawRow[], total: number): Found => ({ rows, total: Math.min(total, maxFound), isExact: false })
const beyond = (rows: RawRow[]): Found => atLeast(rows, maxFound)

/** How many records a page shows that there are. */
const seen = ({ offset }: Asked, { length }: RawRow[]): number => (length === 0 ? 0 : offset + length)

/** Looks at the first records; where many of them hold the text, on until there are more than are counted. */
async function walkFar(tx: Tx, asked: Asked, needles: Needles): Promise<Walked | undefined> {
  const hits = Math.max(maxFound, asked.offset + asked.limit) + 1
  const near = await walk(tx, asked, needles, { records: glance, hits })
  const isCommon = near !== undefined && !near.isAll && near.hits * 20 >= glance
  return isCommon ? walk(tx, asked, needles, { records: longWalk, hits }) : near
}

type Walked = {
  rows: RawRow[]
  hits: number
  /** Whether the rows are the page, however many records there are behind. */
  isPage: boolean
  /** Whether nothing was left unread, so that these are all. */
  isAll: boolean
}

/** Whether an index has the order, alone or behind the owner. */
function walkOf({ order, indexed, deleted }: Asked): 'by owner' | 'as it is' | undefined {
  if (order.column === 'created_at') return deleted ? 'as it is' : 'by owner'
  return order.column !== undefined && indexed.includes(order.column) && !deleted ? 'as it is' : undefined
}

type Bounds = { records: number; hits: number }

/**
 * Reads records in the order of the list, at most so many of each arm, and keeps those that hold the text. Undefined where no index has
 * the order.
 */
async function walk(tx: Tx, asked: Asked, needles: Needles, bounds: Bounds): Promise<Walked | undefined> {
  const { order, limit, offset } = asked
  const way = walkOf(asked)
  if (way === undefined || offset + limit >= bounds.records) return undefined
  const owners = way === 'by owner' ? ownerArms(asked) : [sql`true`]
  const fits = sql.join([sql`true`, ...asked.conditions, ownedBy(asked), held(needles)], sql` and `)
  const arms = owners.flatMap(owner => order.arms.map(arm => readArm(asked, { ...arm, owner, fits }, bounds)))
  const name = (at: number) => sql.ref(`arm_${at}`)
  const enough = offset + limit + 1
  const { rows } = await sql<RawRow & { hits: number; isPage: boolean; isAll: boolean }>`
    with ${sql.join(arms.map((arm, at) => sql`${name(at)} as materialized (${arm})`))}
    select s.hits, s."isPage", s."isAll", r.*
    from (
      select sum(hits)::bigint as hits, bool_and("isAll" or hits >= ${enough}) as "isPage", bool_and("isAll") as "isAll"
      from (${sql.join(
        arms.map(
          (_, at) => sql`
            select count(*) filter (where arm_hit) as hits,
              count(*) <= ${bounds.hits} and not coalesce(bool_or(arm_place = ${bounds.records}), false) as "isAll"
            from ${name(at)}`,
        ),
        sql` union all `,
      )}) a
    ) s
    left join (
      select ${columnsOf(asked)}
      from (${sql.join(
        arms.map((_, at) => sql`select * from ${name(at)} where arm_hit`),
        sql` union all `,
      )}) r
      order by ${orderBy(order.keys)} limit ${limit + 1} offset ${offset}
    ) r on true
    order by ${orderBy(order.keys)}`.execute(tx)
  const [first] = rows
  const isAll = first!.isAll && order.behind === undefined
  return { rows: rows.flatMap(rowOf), hits: first!.hits, isPage: first!.isPage, isAll }
}

type ReadArm = Asked['order']['arms'][number] & { owner: Sql; fits: Sql }

/** The records of an arm that hold the text, and the last that may be read, whether or not it does. */
function readArm(asked: Asked, { owner, fits, keys, behind, where: filled }: ReadArm, { records, hits }: Bounds): Sql {
  const here = where({ ...asked, conditions: [] })
  return sql`
    select * from (
      select ${columnsOf(asked)}, (${fits}) as arm_hit, row_number() over (order by ${orderBy(keys)}) as arm_place
      from ${sql.table(asked.table)} r
      where ${here} and ${owner} and ${filled} and ${behind ?? sql`true`}
      order by ${orderBy(keys)} limit ${sql.lit(records)}
    ) r
    where r.arm_hit or r.arm_place = ${sql.lit(records)}
    limit ${hits + 1}`
}

/** Of several needles one expression, which the index is asked for at once. */
const expressionOf = (needles: readonly string[]): string =>
  needles.map(needle => needle.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&')).join('|')

function held(needles: Needles): Sql {
  const all = needles.map(row =>
    row.length === 1 ? sql`r.find like ${containing(row[0]!)}` : sql`r.find like any(${row.map(containing)}::text[])`,
  )
  return sql.join(all, sql` and `)
}

/** Records that the index names, at most so many: how many that were, how many fit the filters, and the page of these. */
async function readFound(tx: Tx, asked: Asked, needles: Needles, atMost: number | null) {
  const { order, limit, offset, deleted } = asked
  const owners = asked.ownerColumn === undefined ? null : (asked.owners ?? null)
  const likes = needles.flatMap(row => (row.length === 1 ? [containing(row[0]!)] : []))
  const expressions = needles.flatMap(row => (row.length > 1 ? [expressionOf(row)] : []))
  const { rows } = await sql<RawRow & { named: number; total: number }>`
    with named as materialized (
      select ${columnsOf(asked)}, (${where(asked)} and ${ownedBy(asked)}) as arm_hit
      from ${sql.raw(`find_${asked.table}`)}(
        ${likes}::text[], ${expressions}::text[], ${deleted}, ${owners}::bigint[], ${atMost}) r
    )
    select c.named, c.total, r.*
    from (select count(*) as named, count(*) filter (where arm_hit) as total from named) c
    left join (
      select ${columnsOf(asked)} from named r where r.arm_hit and ${order.behind ?? sql`true`}
      order by ${orderBy(order.keys)} limit ${limit + 1} offset ${offset}
    ) r on true
    order by ${orderBy(order.keys)}`.execute(tx)
  const [first] = rows
  return { rows: rows.flatMap(rowOf), named: first!.named, total: first!.total }
}

/** The columns of a row that is there, without what was counted beside it. */
function rowOf(row: RawRow & Record<string, unknown>): RawRow[] {
  if (row.id === null) return []
  const { hits: _hits, isPage: _page, isAll: _all, named: _named, total: _total, ...own } = row
  return [own as RawRow]
}
