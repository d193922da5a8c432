// Verifies an export of the audit log without a database: that no event was changed, cut out, moved or added since it was sealed, and
// which it was. Reads lines, so an export may be of any length.
import { createHash, type Hash } from 'node:crypto'
import { importJWK, type JWK, jwtVerify } from 'jose'
import { sealType } from '../../kernel/access/tokens.ts'
import { type ChainedEvent, canonical, digestOf, linkOf } from '../../kernel/audit/chain.ts'
import type { Json } from '../../kernel/audit/entry.ts'
import type { SaltedLabel } from './present.ts'

/** The lines of an export, in their order: one head, events and seals, one end. */
export type HeadLine = {
  kind: 'head'
  organizationId: number
  exportedAt: string
  /** Whether it is all of the chain behind `after`, and not what filters let through. */
  complete: boolean
  after: { position: number; hash: string }
  keys: JWK[]
}
/** `previous` stands where the event before it may not: in a filtered file. */
export type EventLine = {
  kind: 'event'
  position: number
  previous?: string
  hash: string
  event: ChainedEvent
  labels: SaltedLabel[]
}
export type SealLine = {
  kind: 'seal'
  sealId: string
  at: string
  from: number
  to: number
  previous: string
  head: string
  signature: string
}
/** Signed: how many lines stand before it, and their SHA-256, line feeds included. */
export type EndLine = { kind: 'end'; lines: number; sha256: string; signature: string }
export type ExportLine = HeadLine | EventLine | SealLine | EndLine

export type Fault = { line: number; what: string }
export type Verdict = {
  faults: Fault[]
  organizationId: number | null
  complete: boolean
  events: number
  seals: number
  /** Names and addresses that were erased; the chain does not need them. */
  erased: number
  /** SHA-256 thumbprints (RFC 7638) of the keys that signed. */
  keys: string[]
}

/** What is known at a line. */
type Walk = Verdict & {
  line: number
  head: HeadLine | undefined
  last: { position: number; hash: string; id: string | null }
  /** Of events behind the last seal: which hash stands at which place. */
  open: Map<number, string>
  sealed: number
  sealedHash: string
  isOver: boolean
  /** Of the lines before. */
  content: Hash
  trusted: readonly JWK[] | undefined
}

/** @param trusted the keys of the server (its /.well-known/jwks.json); without them those of the file are taken, and named */
export async function verifyExport(lines: AsyncIterable<string>, trusted?: readonly JWK[]): Promise<Verdict> {
  const walk: Walk = {
    ...{ faults: [], organizationId: null, complete: false, events: 0, seals: 0, erased: 0, keys: [] },
    ...{ line: 0, head: undefined, last: { position: 0, hash: '', id: null }, open: new Map() },
    ...{ sealed: 0, sealedHash: '', isOver: false, content: createHash('sha256'), trusted },
  }
  for await (const text of lines) {
    walk.line++
    if (text.trim() === '') continue
    const line = parsed(text)
    if (line === undefined) fault(walk, 'is no line of an export')
    else if (walk.isOver) fault(walk, 'stands behind the end of the export')
    else if (walk.head === undefined && line.kind !== 'head') fault(walk, 'stands before the head of the export')
    else await step(walk, line)
    if (!walk.isOver) walk.content.update(`${text}\n`)
  }
  if (walk.head === undefined) fault(walk, 'the file holds no export of an audit log')
  else if (!walk.isOver)
    fault(walk, `the file is cut off behind ${nameOf(walk.last)}: the line with its end is missing`)
  const { faults, organizationId, complete, events, seals, erased, keys } = walk
  return { faults, organizationId, complete, events, seals, erased, keys }
}

function step(walk: Walk, line: ExportLine): Promise<void> | void {
  switch (line.kind) {
    case 'head':
      return beginAt(walk, line)
    case 'event':
      return seeEvent(walk, line)
    case 'seal':
      return seeSeal(walk, line)
    case 'end':
      return seeEnd(walk, line)
  }
}

function beginAt(walk: Walk, head: HeadLine): void {
  if (walk.head !== undefined) {
    fault(walk, 'is a second head')
    return
  }
  Object.assign(walk, { head, complete: head.complete, organizationId: head.organizationId })
  walk.last = { ...head.after, id: null }
  walk.sealed = head.after.position
  walk.sealedHash = head.after.hash
  walk.keys = (walk.trusted ?? head.keys).map(thumbprint)
}

function seeEvent(walk: Walk, { position, previous, hash, event, labels }: EventLine): void {
  const { last, complete } = walk
  const here = { position, hash, id: event.id }
  const isNext = position === last.position + 1
  walk.events++
  if (complete && position > last.position + 1)
    fault(walk, `${missing(last.position + 1, position - 1)} between ${nameOf(last)} and ${nameOf(here)}`)
  else if (complete && !isNext)
    fault(walk, `${nameOf(here)} stands behind ${nameOf(last)}: it was moved or put in twice`)
  const before = complete ? (isNext ? last.hash : undefined) : previous
  if (before !== undefined && linkOf(before, event) !== hash)
    fault(walk, `${nameOf(here)} was changed: its hash does not follow from what it says and the event before it`)
  seeLabels(walk, event, labels)
  if (position <= last.position) return
  walk.last = here
  if (complete) walk.open.set(position, hash)
}

function seeLabels(walk: Walk, event: ChainedEvent, labels: readonly SaltedLabel[]): void {
  for (const { field, label, salt } of labels)
    if (event.digests[field] !== digestOf(salt, label))
      fault(walk, `${event.id} was changed: ${field} is not what was sealed`)
  walk.erased += Object.keys(event.digests).length - labels.length
}

async function seeSeal(walk: Walk, seal: SealLine): Promise<void> {
  const { kind: _, signature, ...said } = seal
  walk.seals++
  const name = `the seal ${seal.sealId} of events ${seal.from} to ${seal.to}`
  if (!(await isSigned(walk, signature, { organizationId: walk.organizationId, ...said })))
    return fault(walk, `${name} was changed: its signature does not fit`)
  if (seal.from !== walk.sealed + 1 || seal.previous !== walk.sealedHash)
    fault(walk, `${name} does not follow the seal before it, which ends at ${walk.sealed}: seals were cut out or moved`)
  walk.sealed = seal.to
  walk.sealedHash = seal.head
  if (walk.complete) {
    const { last } = walk
    if (last.position < seal.to)
      fault(walk, `${missing(last.position + 1, seal.to)} behind ${nameOf(last)}: ${name} holds them`)
    else if (walk.open.get(seal.to) !== seal.head)
      fault(walk, `events ${seal.from} to ${seal.to} were rewritten, hashes and all: ${name} ends with another`)
    if (last.position < seal.to) walk.last = { position: seal.to, hash: seal.head, id: null }
  }
  walk.open.clear()
}

async function seeEnd(walk: Walk, { lines, sha256, signature }: EndLine): Promise<void> {
  const { organizationId, complete, sealed, last } = walk
  walk.isOver = true
  if (!(await isSigned(walk, signature, { organizationId, lines, sha256 })))
    return fault(walk, 'the end of the export was changed: its signature does not fit')
  if (complete && sealed < last.position)
    fault(walk, `${nameOf(last)} is held by no seal: seals were cut out, or it was added`)
  const isSame = lines === walk.line - 1 && sha256 === walk.content.digest('hex')
  if (!isSame && walk.faults.length === 0)
    fault(walk, `the file is not as it was exported: it had ${lines} lines before its end`)
}

async function isSigned({ head, trusted }: Walk, signature: string, said: object): Promise<boolean> {
  for (const key of trusted ?? head!.keys) {
    try {
      const { payload } = await jwtVerify(signature, await importJWK(key, 'ES256'), {
        algorithms: ['ES256'],
        typ: sealType,
      })
      return canonical(payload as Json) === canonical(said as Json)
    } catch {
      // Another key, or none: the next is tried.
    }
  }
  return false
}

function fault(walk: Walk, what: string): void {
  walk.faults.push({ line: walk.line, what })
}

function missing(from: number, to: number): string {
  return from === to ? `event ${from} is missing` : `events ${from} to ${to} are missing`
}

function nameOf({ position, id }: { position: number; id: string | null }): string {
  return id === null ? `position ${position}` : `event ${position} (${id})`
}

function parsed(text: string): ExportLine | undefined {
  try {
    const line = JSON.parse(text) as ExportLine
    return ['head', 'event', 'seal', 'end'].includes(line.kind) ? line : undefined
  } catch {
    return undefined
  }
}

/** RFC 7638 of an EC key. */
function thumbprint({ crv, kty, x, y }: JWK): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
