// Where a reader is in a log whose rows may commit late and out of order. An id alone cannot say it: behind the newest row
// read, an older one may still appear. So a position is a PostgreSQL snapshot (which transactions had committed when the
// log was read), and a row was sent exactly if the transaction that wrote it is in there. Any node can go on from it.
import { isId } from '../../../kernel/values/ids.ts'

export const topicNames = ['requests', 'events', 'conversations'] as const
export type TopicName = (typeof topicNames)[number]

/** The snapshot a reading saw, in PostgreSQL's notation `xmin:xmax:xip,…`, and when it was taken (ms since 1970). */
export type Moment = { readonly atMs: number; readonly snapshot: string }

/**
 * All rows in the snapshot have been sent. With `within`, also those rows in that later snapshot whose id is up to `id`:
 * a batch goes out in the order of ids, and a reader may be lost in the middle of it.
 */
export type Position = Moment & { readonly within?: Moment & { readonly id: string } }

const prefixes: Record<TopicName, string> = { requests: 'req', events: 'evt', conversations: 'cns' }

/** Whether a database has gone back behind the snapshot: it was restored, or another one took over. */
export function wentBack(now: string, then: string): boolean {
  return BigInt(now.split(':')[1] as string) < BigInt(then.split(':')[1] as string)
}

/** One position as the id of a message carries it: letters, digits, `-` and `.`. */
export function positionText(topic: TopicName, { within, ...moment }: Position): string {
  const text = `${topic[0]}-${momentText(moment)}`
  return within === undefined ? text : `${text}-${momentText(within)}-${within.id.slice(-26)}`
}

/** The id of a message: the positions in all topics of its stream. */
export function joinPositions(texts: Iterable<string>): string {
  return [...texts].join('_')
}

/** Reads the id of a message; undefined when it is none of ours. A stream may ask for other topics than the one before. */
export function readPositions(text: string): Map<TopicName, Position> | undefined {
  const positions = new Map<TopicName, Position>()
  for (const part of text.split('_')) {
    const fields = part.split('-')
    const topic = topicNames.find(name => name[0] === fields[0])
    const position = topic === undefined ? undefined : readPosition(topic, fields.slice(1))
    if (topic === undefined || position === undefined || positions.has(topic)) return undefined
    positions.set(topic, position)
  }
  return positions
}

function readPosition(topic: TopicName, fields: string[]): Position | undefined {
  const moment = readMoment(fields[0], fields[1])
  if (fields.length === 2 || moment === undefined) return fields.length === 2 ? moment : undefined
  const within = readMoment(fields[2], fields[3])
  const id = `${prefixes[topic]}_${fields[4]}`
  if (fields.length !== 5 || within === undefined || !isId(prefixes[topic], id)) return undefined
  return { ...moment, within: { ...within, id } }
}

/** Time and snapshot in base 36; the numbers of a snapshot lie close together, so all but the first as distances. */
function momentText({ atMs, snapshot }: Moment): string {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  const first = BigInt(xmin)
  const others = [xmax, ...(running === '' ? [] : running.split(','))].map(xid => (BigInt(xid) - first).toString(36))
  return `${atMs.toString(36)}-${[first.toString(36), ...others].join('.')}`
}

/** Nothing that PostgreSQL would not take for a snapshot comes out of this. */
function readMoment(at = '', snapshot = ''): Moment | undefined {
  if (!/^[0-9a-z]{1,9}$/.test(at) || !/^[1-9a-z][0-9a-z]{0,10}(?:\.[0-9a-z]{1,8})+$/.test(snapshot)) return undefined
  const [first = 0n, span = 0n, ...running] = snapshot.split('.').map(fromBase36)
  const rises = running.every((offset, index) => index === 0 || offset > (running[index - 1] as bigint))
  if (!rises || running.some(offset => offset >= span)) return undefined
  const list = running.map(offset => first + offset).join(',')
  return { atMs: Number.parseInt(at, 36), snapshot: `${first}:${first + span}:${list}` }
}

function fromBase36(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}
