// One link to the carrier: looks the host up, judges its addresses, dials one, binds, and does so again whenever the link
// breaks. Tells its state and counts what passes.
import { isIP } from 'node:net'
import { type Answer, createEsme, type Esme, type FieldsOf, statuses } from '@tandem/smpp'
import type { Cidr } from '../../kernel/egress.ts'
import type { LinkCounters, LinkReport, LinkRole, LinkState } from '../../modules/messaging/carriers/index.ts'
import { type Dialled, resolveHost } from './dial.ts'
import type { Delivery } from './receipts.ts'
import type { SmppSettings } from './settings.ts'

export type LinkOptions = {
  index: number
  role: LinkRole
  settings: SmppSettings
  allow: readonly Cidr[]
  /** Milliseconds since 1970. */
  now(): number
  /** Between 0 and 1, to spread attempts. */
  jitter(): number
  onDeliver(pdu: Delivery): Promise<number>
  onLateAnswer(fields: FieldsOf<'submit_sm'>, answer: Answer): void
  /** Its state changed, or it has room again. */
  onChange(): void
  onRoom(): void
}

export type Link = {
  readonly index: number
  readonly counters: LinkCounters
  /** Whether messages can be sent on it now. */
  canSend(): boolean
  freeWindow(): number
  submit(fields: FieldsOf<'submit_sm'>): Promise<Answer>
  /** Whether the carrier asked it to be slower. */
  slow(isSlowed: boolean): void
  report(): LinkReport
  /** Unbinds; waits for answers `drainMs` at most, and gives up those that are missing then. */
  close(drainMs: number): Promise<void>
  /** Cuts it at once, without a word to the far side; also one that is being closed. */
  destroy(): void
}

const resolveTimeoutMs = 5_000
const firstRetryMs = 1_000
const lastRetryMs = 60_000
/** After a refused bind: trying again soon changes nothing, and some carriers lock accounts that insist. */
const refusedMs = 60_000
/** A link that held so long starts afresh when it breaks. */
const stableMs = 10_000

const refusals: Record<number, string> = {
  [statuses.ESME_RALYBND]:
    'The carrier says that the account is bound already (ESME_RALYBND). Use fewer links, or end the other ones.',
  [statuses.ESME_RBINDFAIL]:
    'The carrier refuses the bind (ESME_RBINDFAIL). Check system id, password and kind of link.',
  [statuses.ESME_RINVPASWD]: 'The carrier refuses the password (ESME_RINVPASWD). Enter it again.',
  [statuses.ESME_RINVSYSID]: 'The carrier does not know the system id (ESME_RINVSYSID). Check it.',
}

/** What a refused bind means for people. */
export function refusalText(status: number, reason: string): string {
  return refusals[status] ?? `The carrier refuses the bind: ${reason.replace(/^.*: /, '')}.`
}

const versions = { '3.3': 0x33, '3.4': 0x34, '5.0': 0x50 } as const

/** What an ESME is made of, apart from whom it tells. */
export function esmeOptions(settings: SmppSettings, address: string, role: LinkRole) {
  const { host, tls, tlsVerify, tlsCa } = settings
  return {
    host: address,
    port: settings.port,
    role,
    systemId: settings.systemId,
    password: settings.password,
    systemType: settings.systemType,
    interfaceVersion: versions[settings.interfaceVersion],
    addressRange: settings.addressRange,
    addrTon: settings.addressRangeTon,
    addrNpi: settings.addressRangeNpi,
    // A new link is made of a new look-up, never by dialling the old address again.
    reconnect: false,
    // The certificate must name the host of the settings, not the address it has today.
    tls: tls && {
      rejectUnauthorized: tlsVerify,
      ...(tlsCa === null ? {} : { ca: tlsCa }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    },
    responseTimeoutMs: settings.responseTimeoutSeconds * 1_000,
    enquireLinkMs: settings.enquireLinkSeconds * 1_000,
  } as const
}

export function openLink(options: LinkOptions): Link {
  const { index, role, settings, now } = options
  const counters: LinkCounters = {
    submitted: 0,
    accepted: 0,
    throttled: 0,
    refused: 0,
    unanswered: 0,
    receipts: 0,
    inbound: 0,
    binds: 0,
  }
  let state: LinkState = 'connecting'
  let stateSinceMs = now()
  let lastError: string | null = null
  let esme: Esme | undefined
  let timer: NodeJS.Timeout | undefined
  let tries = 0
  let boundMs = 0
  let closing: Promise<void> | undefined

  function enter(next: LinkState, error: string | null): void {
    lastError = error
    if (state === next) return
    state = next
    stateSinceMs = now()
    options.onChange()
  }

  async function connect(): Promise<void> {
    const found = await resolveHost(settings.host, options.allow, resolveTimeoutMs)
    if (closing !== undefined) return
    if (found.ok) bind(found)
    else retry(found.message, undefined)
  }

  function bind({ value: address }: Dialled<string> & { ok: true }): void {
    let status: number | undefined
    const current = createEsme({
      ...esmeOptions(settings, address, role),
      window: settings.windowSize,
      onDeliver: options.onDeliver,
      onLateResponse: options.onLateAnswer,
      onRoom: options.onRoom,
      onState(change) {
        if (change.status !== undefined) status = change.status
        if (change.state === 'bound') {
          counters.binds++
          boundMs = performance.now()
          enter('up', null)
          options.onRoom()
        } else if (change.state === 'closed' && esme === current) {
          esme = undefined
          retry(status === undefined ? sentence(change.reason) : refusalText(status, change.reason), status)
        }
      },
    })
    esme = current
  }

  function retry(error: string, status: number | undefined): void {
    if (closing !== undefined) return
    const wasUp = state === 'up' || state === 'throttled'
    if (wasUp && performance.now() - boundMs >= stableMs) tries = 0
    const waitMs = status === undefined ? Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(tries, 10)) : refusedMs
    tries++
    // Links that broke together do not all come back at the same moment; but never sooner than a refusal asks for.
    const spread = status === undefined ? 1 - options.jitter() / 4 : 1 + options.jitter() / 4
    timer = setTimeout(() => void connect(), waitMs * spread)
    enter('down', error)
  }

  void connect()
  return {
    index,
    counters,
    canSend: () => role !== 'receiver' && esme?.state === 'bound' && closing === undefined,
    freeWindow: () => (closing === undefined ? (esme?.freeWindow() ?? 0) : 0),
    submit: fields => (esme as Esme).submit(fields),
    slow(isSlowed) {
      if (state === 'up' && isSlowed) enter('throttled', 'The carrier asked to be sent less (throttling).')
      else if (state === 'throttled' && !isSlowed) enter('up', null)
    },
    report: () => ({ link: index, role, state, stateSinceMs, lastError, counters: { ...counters } }),
    close(drainMs) {
      closing ??= (async () => {
        clearTimeout(timer)
        await esme?.close({ drainMs })
        enter('stopped', null)
      })()
      return closing
    },
    destroy() {
      clearTimeout(timer)
      const current = esme
      closing ??= Promise.resolve().then(() => current?.close())
      current?.destroy()
      enter('stopped', null)
    },
  }
}

function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return text.endsWith('.') ? text : `${text}.`
}
