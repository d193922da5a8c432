// The audit log as a file: NDJSON that can be verified, CSV for spreadsheets, OCSF for security programs. Read a thousand events at a
// time while it is sent.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Principal } from '../../kernel/access/principal.ts'
import { chainStart } from '../../kernel/audit/chain.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { csvLine, defused } from '../../kernel/values/csv.ts'
import { ocsfOf } from './ocsf.ts'
import { chainedOf, type LinkRow, type ListedRow, presentEvent, type SealRow } from './present.ts'
import { chainBehind, lastExpired, sealsBehind } from './seal_store.ts'
import { type EventFilters, listEvents } from './store.ts'
import type { EndLine, EventLine, HeadLine, SealLine } from './verify.ts'

export const formats = ['ndjson', 'csv', 'ocsf'] as const
export type Format = (typeof formats)[number]
const atOnce = 1_000

export function exportOf(services: Services, principal: Principal, format: Format, filters: EventFilters): Readable {
  const isWhole = Object.values(filters).every(value => value === undefined)
  const lines =
    format === 'ndjson' && isWhole ? wholeChain(services, principal) : filtered(services, principal, format, filters)
  return Readable.from(format === 'ndjson' ? withEnd(services, principal, lines) : lines, { objectMode: false })
}

/** The lines, and behind them one that is signed and says what they are: a file that was cut shows it. */
async function* withEnd({ tokens }: Services, { organizationId }: Principal, texts: AsyncIterable<string>) {
  const content = createHash('sha256')
  let lines = 0
  for await (const text of texts) {
    content.update(text)
    lines++
    yield text
  }
  const sha256 = content.digest('hex')
  const signature = await tokens.signSeal({ organizationId, lines, sha256 })
  yield line<EndLine>({ kind: 'end', lines, sha256, signature })
}

/** All of the chain with its seals, as `tandem audit verify` reads it. What no seal holds yet is in the next export. */
async function* wholeChain({ db, tokens, clock }: Services, principal: Principal): AsyncGenerator<string> {
  const { organizationId } = principal
  let at = await db.inTenant(principal, tx => lastExpired(tx, principal))
  const begun = { position: at?.position ?? 0, hash: at?.hash ?? chainStart }
  yield line<HeadLine>({
    ...{ kind: 'head', organizationId, exportedAt: isoMs(clock.now()), complete: true, after: begun },
    keys: tokens.allKeys(),
  })
  at = begun
  for (;;) {
    const seals: SealRow[] = await db.inTenant(principal, tx => sealsBehind(tx, principal, at!.position, 50))
    for (const seal of seals) {
      for await (const row of eventsUntil(seal.to_position)) yield eventLine(row)
      yield sealLine(seal)
    }
    if (seals.length === 0) break
  }
  async function* eventsUntil(position: number): AsyncGenerator<LinkRow> {
    while (at!.position < position) {
      const from = at!.position
      const rows = await db.inTenant(principal, tx =>
        chainBehind(tx, principal, from, Math.min(atOnce, position - from)),
      )
      const here = rows.filter(row => row.position <= position)
      for (const row of here) {
        at = { position: row.position, hash: row.hash }
        yield row
      }
      // What is not there any more is for anyone who verifies the file.
      if (here.length === 0) at = { position, hash: at!.hash }
    }
  }
}

function line<Line extends object>(value: Line): string {
  return `${JSON.stringify(value)}\n`
}

/** An event of the chain as a line. */
export function eventLine(row: LinkRow, previous?: string): string {
  const { position, hash, labels } = row
  const link = { position, ...(previous !== undefined && { previous }), hash }
  return line<EventLine>({ kind: 'event', ...link, event: chainedOf(row), labels: labels ?? [] })
}

function sealLine({ id, at, from_position, to_position, previous, head, signature }: SealRow): string {
  return line<SealLine>({
    kind: 'seal',
    sealId: id,
    at,
    from: from_position,
    to: to_position,
    previous,
    head,
    signature,
  })
}

const columns = [
  'at',
  'action',
  'outcome',
  'reason',
  'actor_type',
  'actor_id',
  'actor',
  'on_behalf_of',
  'targets',
  'ip',
  'user_agent',
  'request_id',
  'session_id',
  'mode',
  'more',
  'before',
  'after',
  'audit_event_id',
  'position',
  'hash',
] as const

/** What the filters let through, newest first. */
async function* filtered(
  { db, tokens, clock }: Services,
  principal: Principal,
  format: Format,
  filters: EventFilters,
): AsyncGenerator<string> {
  const { organizationId } = principal
  if (format === 'csv') yield csvLine(columns)
  if (format === 'ndjson')
    yield line<HeadLine>({
      ...{ kind: 'head', organizationId, exportedAt: isoMs(clock.now()), complete: false },
      ...{ after: { position: 0, hash: chainStart }, keys: tokens.allKeys() },
    })
  let beforeId: string | undefined
  do {
    const here: string | undefined = beforeId
    const rows = await db.inTenant(principal, tx =>
      listEvents(tx, principal, filters, { limit: atOnce, beforeId: here }),
    )
    beforeId = rows.length > atOnce ? rows[atOnce - 1]!.id : undefined
    for (const row of rows.slice(0, atOnce)) {
      const text = lineOf(row, format)
      if (text !== undefined) yield text
    }
  } while (beforeId !== undefined)
}

function lineOf(row: ListedRow, format: Format): string | undefined {
  if (format === 'csv') return csvLine(cellsOf(row))
  if (format === 'ocsf') return line(ocsfOf(presentEvent(row)))
  const { position, hash, previous } = row
  return position === null || hash === null ? undefined : eventLine({ ...row, position, hash }, previous ?? chainStart)
}

function cellsOf(row: ListedRow): string[] {
  const { actor, context, targets, ...event } = presentEvent(row)
  const { ip, userAgent, requestId, sessionId, mode, more } = context as Record<string, unknown>
  const named = targets.map(({ type, id }) => `${type}:${id}`).join(' ')
  const cells = [
    event.at,
    event.action,
    event.outcome,
    event.reason,
    actor.type,
    actor.id,
    actor.name,
    actor.onBehalfOf,
    named,
    ip,
    userAgent,
    requestId,
    sessionId,
    mode,
    more,
    event.before,
    event.after,
    event.auditEventId,
    event.position,
    event.hash,
  ]
  return cells.map(cell =>
    cell == null ? '' : defused(typeof cell === 'object' ? JSON.stringify(cell) : String(cell)),
  )
}
