// How the parts of long inbound messages find together, and what can be stored of what arrives. Pure.
import type { InboundMessage } from '../carrier.ts'

/** So long a part is known after it was joined: longer than any carrier goes on repeating what was not acknowledged. */
export const joinedPartsMs = 24 * 3_600_000

/** A part as it waits for the others. `text` is null once it was joined, or for one that came twice. */
export type Part = {
  carrier_reference: string
  group_id: string
  from_address: string
  to_address: string
  reference: number
  total: number
  part: number
  text: string | null
}

export type ArrivingPart = Omit<Part, 'group_id' | 'text'> & { text: string }

/** What parts must have in common to belong together; a group is one message of these. */
export type PartKey = Pick<Part, 'from_address' | 'to_address' | 'reference' | 'total'>

export function keyOf({ from_address, to_address, reference, total }: PartKey): string {
  return JSON.stringify([from_address, to_address, reference, total])
}

/** The part that an inbound message is, or undefined when it is a whole message (or says something impossible). */
export function partOf({ reference, from, to, body, part }: InboundMessage): ArrivingPart | undefined {
  if (part === undefined) return undefined
  const isPlace = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
  if (!isPlace(part.total, 2, 255) || !isPlace(part.part, 1, part.total) || !isPlace(part.reference, 0, 65_535))
    return undefined
  return {
    carrier_reference: reference,
    from_address: from,
    to_address: to,
    reference: part.reference,
    total: part.total,
    part: part.part,
    text: body,
  }
}

export type Placed = {
  /** The parts that were not known, each with its group; one that came twice has lost its text. */
  fresh: Part[]
  /** The groups that have all their parts now, each in order. */
  whole: Part[][]
}

/**
 * Puts parts that arrive to those that wait. The order they come in means nothing, and neither do repetitions: one with a
 * known id of the carrier is passed over, and so is one whose place holds the same text. Another text in a place that is
 * taken begins the next message of the same reference: phones count to 255 only, and some always say 0.
 * @param waiting parts without gaps in knowledge: all that wait for the keys of those that arrive, oldest group first
 * @param known carrier's ids that were met before
 */
export function placeParts(
  waiting: readonly Part[],
  arriving: readonly ArrivingPart[],
  known: ReadonlySet<string>,
  newGroupId: () => string,
): Placed {
  const groups = new Map<string, Map<string, Map<number, Part>>>()
  const groupsOf = (key: string) => groups.get(key) ?? groups.set(key, new Map()).get(key)!
  const add = (part: Part) => {
    const ofKey = groupsOf(keyOf(part))
    const group = ofKey.get(part.group_id) ?? ofKey.set(part.group_id, new Map()).get(part.group_id)!
    group.set(part.part, part)
    return group
  }
  for (const part of waiting) add(part)
  const met = new Set(known)
  const placed: Placed = { fresh: [], whole: [] }
  for (const arrival of arriving) {
    if (met.has(arrival.carrier_reference)) continue
    met.add(arrival.carrier_reference)
    const ofKey = groupsOf(keyOf(arrival))
    const [groupId, holds] = placeOf(ofKey, arrival) ?? [newGroupId(), false]
    if (holds) {
      placed.fresh.push({ ...arrival, group_id: groupId, text: null })
      continue
    }
    const part = { ...arrival, group_id: groupId }
    placed.fresh.push(part)
    const group = add(part)
    if (group.size < arrival.total) continue
    ofKey.delete(groupId)
    placed.whole.push(inOrder([...group.values()]))
  }
  return placed
}

/** The newest group that has the place free, or holds this very text there. */
function placeOf(
  ofKey: Map<string, Map<number, Part>>,
  arrival: ArrivingPart,
): [groupId: string, holds: boolean] | undefined {
  for (const [groupId, group] of [...ofKey].reverse()) {
    const there = group.get(arrival.part)
    if (there === undefined) return [groupId, false]
    if (there.text === arrival.text) return [groupId, true]
  }
  return undefined
}

/** Parts by their place in the message. */
export function inOrder(parts: Part[]): Part[] {
  return parts.toSorted((a, b) => a.part - b.part)
}

/** A whole inbound message, or as much of one as came. */
export type Arrival = Pick<InboundMessage, 'reference' | 'from' | 'to' | 'body' | 'encoding'> & {
  /** Parts it came in, where it came in parts. */
  segments?: number
  partial: boolean
}

/** The message that parts of one group make, in order. A character that ended in one part and went on in the next is whole again. */
export function joined(parts: readonly Part[]): Arrival {
  const { carrier_reference: reference, from_address: from, to_address: to, total } = parts[0]!
  const body = parts.map(part => part.text ?? '').join('')
  return { reference, from, to, body, segments: parts.length, partial: parts.length < total }
}

/** Text as PostgreSQL can hold it: what has no character (NUL, half a surrogate pair) becomes U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
