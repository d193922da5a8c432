// SQL of the messaging directory: what one function of the database answers of a tenant's carriers, numbers, services and policies.
import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/data/db.ts'
import type { Policy } from '../destinations/index.ts'

/** A carrier takes what begins with the prefix. */
export type Route = {
  /** Digits with + (`+49`); empty or `+` takes everything. */
  prefix: string
  /** Lower goes first. */
  priority: number
  /** What a segment costs, a decimal in the carrier's currency. */
  cost: string
}

export type DirectoryCarrier = {
  id: string
  name: string
  enabled: boolean
  /** ISO 4217. */
  currency: string
  routes: readonly Route[]
  /** Whether a link of it is up, on whatever node. */
  up: boolean
}

export type DirectoryNumber = {
  id: string
  /** E.164, a short code, or a sender id. */
  address: string
  kind: 'long_code' | 'short_code' | 'alphanumeric'
  country: string | null
  serviceId: string | null
  /** The only carrier that may carry its messages. */
  carrierId: string | null
  sms: boolean
  /** Another organization holds it. */
  contested: boolean
  segmentsPerSecond: number | null
}

export type DirectoryService = {
  id: string
  stickySender: boolean
  smartEncoding: boolean
  unknownOutcome: 'hold' | 'resend'
  validitySeconds: number | null
  callbackUrl: string | null
  duplicateWindowSeconds: number | null
}

export type DirectoryAnswer = {
  revision: number
  /** Carriers with a link up. */
  links: string[]
  /** Null when nothing changed since the revision that was asked about. */
  full: {
    carriers: Omit<DirectoryCarrier, 'up'>[]
    numbers: DirectoryNumber[]
    services: DirectoryService[]
    hadCarrier: boolean
    policies: Policy[]
  } | null
}

/** The directory, in full unless it has this revision still. */
export async function fetchDirectory(db: Db, tenantId: number, revision: number | null): Promise<DirectoryAnswer> {
  const [row] = await db.call<{ messaging_directory: DirectoryAnswer }>(
    'messaging_directory',
    'select messaging_directory($1, $2)',
    [tenantId, revision],
  )
  return row!.messaging_directory
}

/** The directory in full, as a transaction sees it. */
export async function findDirectory(tx: Tx, tenantId: number): Promise<DirectoryAnswer> {
  const { rows } = await sql<{ answer: DirectoryAnswer }>`
    select messaging_directory(${tenantId}, null) as answer`.execute(tx)
  return rows[0]!.answer
}
