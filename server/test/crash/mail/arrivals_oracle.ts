// What must hold of mails that came in, whatever died when: each that was acknowledged, or lay in the mailbox, is there once, with its bytes,
// its one event and its one entry on the timeline of who sent it; nothing else is. Each broken promise is a line.
import { createHash } from 'node:crypto'
import { wordOf } from '../remote_peers.ts'
import type { Arrival } from './arrivals.ts'
import type { MailWorld } from './world.ts'

export type ArrivedRow = {
  id: string
  door: string
  subject: string
  record_id: string | null
  sha256: string
  version: number
  /** Types of its events, first to last. */
  events: string[]
}

/** What is shown of a mail: how often on the timeline, and the hash of its bytes; undefined where they cannot be read. */
export type Shown = { times: number; sha256: string | undefined }

export async function checkArrivals(
  world: MailWorld,
  arrivals: readonly Arrival[],
): Promise<{ violations: string[]; counts: Record<string, number> }> {
  const rows = await world.sql<ArrivedRow>(
    `select r.id, r.door, r.subject, r.record_id, r.sha256, r.version,
       (select coalesce(json_agg(e.type order by e.sequence), '[]') from event_log e
        where e.tenant_id = r.tenant_id and e.resource_id = r.id) as events
     from inbound_mails r order by r.id`,
  )
  const timeline = await timelineOf(world)
  const byWord = Map.groupBy(rows, row => wordOf(row.subject))
  const known = new Set(arrivals.map(({ word }) => word))
  const violations = arrivals.flatMap(arrival => faultsOfArrival(arrival, byWord.get(arrival.word) ?? []))
  for (const row of rows) {
    if (!known.has(wordOf(row.subject))) violations.push(`the mail ${row.subject} is there, and nobody sent it`)
    const shown = { times: timeline.get(row.id) ?? 0, sha256: await hashOf(world, row.id) }
    violations.push(...faultsOfArrived(row, world.sender.recordId, shown))
  }
  const byDoor = (door: string) => rows.filter(row => row.door === door).length
  const counts = {
    'sent to us': arrivals.filter(({ bySmtp }) => bySmtp).length,
    'put into the mailbox': arrivals.filter(({ byImap }) => byImap).length,
    'tries over SMTP': arrivals.reduce((sum, { tries }) => sum + tries, 0),
    'answered with 250': arrivals.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    'came by SMTP': byDoor('smtp'),
    'came by IMAP': byDoor('imap'),
  }
  return { violations, counts }
}

/** What was acknowledged is there, once; what was not may be there or not, but not twice. */
export function faultsOfArrival(
  { word, byImap, acknowledged, refused }: Arrival,
  rows: readonly Pick<ArrivedRow, 'id' | 'door'>[],
): string[] {
  const faults: string[] = []
  if (refused !== undefined) faults.push(`the mail ${word} was refused: ${refused}`)
  if (rows.length > 1)
    faults.push(
      `the mail ${word} is there ${rows.length} times: ${rows.map(row => `${row.id} by ${row.door}`).join(', ')}`,
    )
  if (rows.length > 0) return faults
  if (acknowledged > 0) faults.push(`the mail ${word} was acknowledged ${acknowledged} times, and is lost`)
  if (byImap) faults.push(`the mail ${word} lay in the mailbox, and is lost`)
  return faults
}

/** One that is there is there with all that belongs to it. */
export function faultsOfArrived(row: ArrivedRow, recordId: string, shown: Shown): string[] {
  const word = wordOf(row.subject)
  const faults: string[] = []
  if (row.events.length !== 1 || row.events[0] !== 'mail.received' || row.version !== 1)
    faults.push(`the mail ${word} is at ${row.version}, and its events are ${row.events.join(', ') || 'none'}`)
  if (row.record_id !== recordId) faults.push(`the mail ${word} stands on ${row.record_id}`)
  if (shown.times !== 1) faults.push(`the mail ${word} is there ${shown.times} times on the timeline`)
  if (shown.sha256 === undefined) faults.push(`what the mail ${word} consists of cannot be read, and is lost`)
  else if (shown.sha256 !== row.sha256) faults.push(`the bytes of the mail ${word} are others`)
  return faults
}

/** How often each mail is on the timeline of who sent it. */
async function timelineOf({ ask, sender }: MailWorld): Promise<Map<string, number>> {
  type Page = { entries: { id: string }[]; pagination: { nextCursor: string | null } }
  const times = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const behind = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await ask('GET', `/v1/api/contacts/${sender.recordId}/timeline?limit=100${behind}`)
    const { entries, pagination } = (await answer.json()) as Page
    for (const { id } of entries) times.set(id, (times.get(id) ?? 0) + 1)
    cursor = pagination.nextCursor
  }
  return times
}

async function hashOf({ ask }: MailWorld, id: string): Promise<string | undefined> {
  const answer = await ask('GET', `/v2/mail/inbound/${id}/source`).catch(() => undefined)
  return (
    answer &&
    createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex')
  )
}
