// One link to the carrier: looks the host up, checks its addresses, dials one, binds, and does so again whenever the link
// breaks. Reports its state and counts what passes.
import { isIP } from 'node:net'
import { type Answer, createEsme, type Esme, type FieldsOf, statuses } from '@tandem/smpp'
import type { Cidr } from '../../kernel/outbound/egress.ts'
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
  /** How long nothing had come on the connection that was lost last; 0 when it was closed and not given up. */
  silentMs(): number
  /** Unbinds; waits for answers `drainMs` at most, and gives up those that are missing then. */
  close(drainMs: number): Promise<void>
  /** Cuts it at once, without an unbind; also one that is being closed. */
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

/** What an ESME is made of, apart from its callbacks. */
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
  return new CarrierLink(options)
}

/** Lives from `openLink` until it is closed, over all connections that are opened meanwhile. */
class CarrierLink implements Link {
  private readonly options: LinkOptions
  readonly index: number
  private readonly role: LinkOptions['role']
  private readonly settings: LinkOptions['settings']
  private readonly now: LinkOptions['now']
  readonly counters: LinkCounters = {
    submitted: 0,
    accepted: 0,
    throttled: 0,
    refused: 0,
    unanswered: 0,
    receipts: 0,
    inbound: 0,
    binds: 0,
  }
  private state: LinkState = 'connecting'
  private stateSinceMs
  private lastError: string | null = null
  private esme: Esme | undefined
  private timer: NodeJS.Timeout | undefined
  private tries = 0
  private boundMs = 0
  private wasSilentMs = 0
  private closing: Promise<void> | undefined

  constructor(options: LinkOptions) {
    this.options = options
    const { index, role, settings, now } = options
    this.index = index
    this.role = role
    this.settings = settings
    this.now = now
    this.stateSinceMs = now()
    void this.connect()
  }

  private enter(next: LinkState, error: string | null): void {
    this.lastError = error
    if (this.state === next) return
    this.state = next
    this.stateSinceMs = this.now()
    this.options.onChange()
  }

  private async connect(): Promise<void> {
    const found = await resolveHost(this.settings.host, this.options.allow, resolveTimeoutMs)
    if (this.closing !== undefined) return
    if (found.ok) this.bind(found)
    else this.retry(found.message, undefined)
  }

  private bind({ value: address }: Dialled<string> & { ok: true }): void {
    let status: number | undefined
    const current = createEsme({
      ...esmeOptions(this.settings, address, this.role),
      window: this.settings.windowSize,
      onDeliver: this.options.onDeliver,
      onLateResponse: this.options.onLateAnswer,
      onRoom: this.options.onRoom,
      onState: change => {
        if (change.status !== undefined) status = change.status
        if (change.state === 'bound') {
          this.counters.binds++
          this.boundMs = performance.now()
          this.enter('up', null)
          this.options.onRoom()
        } else if (change.state === 'closed' && this.esme === current) {
          this.esme = undefined
          this.wasSilentMs = change.silentMs ?? 0
          this.retry(status === undefined ? sentence(change.reason) : refusalText(status, change.reason), status)
        }
      },
    })
    this.esme = current
  }

  private retry(error: string, status: number | undefined): void {
    if (this.closing !== undefined) return
    const wasUp = this.state === 'up' || this.state === 'throttled'
    if (wasUp && performance.now() - this.boundMs >= stableMs) this.tries = 0
    const waitMs =
      status === undefined ? Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(this.tries, 10)) : refusedMs
    this.tries++
    // Links that broke together do not all come back at the same moment; but never sooner than a refusal asks for.
    const spread = status === undefined ? 1 - this.options.jitter() / 4 : 1 + this.options.jitter() / 4
    this.timer = setTimeout(() => void this.connect(), waitMs * spread)
    this.enter('down', error)
  }

  canSend(): boolean {
    return this.role !== 'receiver' && this.esme?.state === 'bound' && this.closing === undefined
  }

  freeWindow(): number {
    return this.closing === undefined ? (this.esme?.freeWindow() ?? 0) : 0
  }

  submit(fields: FieldsOf<'submit_sm'>): Promise<Answer> {
    return (this.esme as Esme).submit(fields)
  }

  slow(isSlowed: boolean): void {
    if (this.state === 'up' && isSlowed) this.enter('throttled', 'The carrier asked to be sent less (throttling).')
    else if (this.state === 'throttled' && !isSlowed) this.enter('up', null)
  }

  report(): LinkReport {
    return {
      link: this.index,
      role: this.role,
      state: this.state,
      stateSinceMs: this.stateSinceMs,
      lastError: this.lastError,
      counters: { ...this.counters },
    }
  }

  silentMs(): number {
    return this.wasSilentMs
  }

  close(drainMs: number): Promise<void> {
    this.closing ??= (async () => {
      clearTimeout(this.timer)
      await this.esme?.close({ drainMs })
      this.enter('stopped', null)
    })()
    return this.closing
  }

  destroy(): void {
    clearTimeout(this.timer)
    const current = this.esme
    this.closing ??= Promise.resolve().then(() => current?.close())
    current?.destroy()
    this.enter('stopped', null)
  }
}

function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return text.endsWith('.') ? text : `${text}.`
}
