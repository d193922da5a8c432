// Looks after one trunk: asks it by OPTIONS whether it is there, and keeps this server registered where the carrier wants that.
import { randomBytes } from 'node:crypto'
import {
  createProbe,
  createRegistration,
  type ProbeStatus,
  type RegistrationStatus,
  type SipAgent,
  type SipRequest,
} from '@tandem/sip'
import type { Clock } from '../../kernel/values/clock.ts'
import { domainOf, fromDomainOf, type TrunkSettings, type TrunkState } from '../../modules/voice/trunks/index.ts'
import { accountOf, requestTarget, routesOf } from './addresses.ts'

export type Watch = {
  /** Takes the registration back. */
  close(): Promise<void>
  /** Stops without a word: another process goes on. */
  abandon(): void
  /** The address whose registrar holds this server registered now; undefined while none does. */
  readonly registeredAt: string | undefined
}

type Surroundings = {
  clock: Clock
  changed(state: TrunkState, lastError: string | null): void
  onError(error: unknown): void
  /** Where this server is registered already, by another watch of the same address. */
  registeredAt: string | undefined
}

/** Until a carrier that cannot be found or connected to is tried again. */
const retryMs = 5_000

/** A probe, or a registration. */
type Machine = Pick<ReturnType<typeof createProbe>, 'tick' | 'nextDeadlineMs' | 'receive' | 'failed'>

/** The user part of the addresses that this server registers with a carrier, and of the contact that it is called by. */
export function registeredUser({ username, fromUser }: TrunkSettings): string {
  return username ?? fromUser ?? 'tandem'
}

/** Whether the same address is registered at the same place: the next REGISTER renews what there is. */
export function isRegisteredAlike(before: TrunkSettings, now: TrunkSettings): boolean {
  const identity = (settings: TrunkSettings) =>
    [settings.register, requestTarget(settings), domainOf(settings), registeredUser(settings)].join(' ')
  return identity(before) === identity(now)
}

type Seen = { options: ProbeStatus | undefined; status: RegistrationStatus | undefined; lastFailure: string }

function stateOf({ register }: TrunkSettings, { options, status, lastFailure }: Seen): [TrunkState, string | null] {
  if (options?.state === 'down') return ['down', downText(options, lastFailure)]
  if (!register) return options?.state === 'up' ? ['up', null] : ['unknown', null]
  switch (status?.state) {
    case 'registered':
      return ['up', null]
    case 'failed':
    case 'refused':
      return ['unregistered', status.detail || `The registrar answered ${status.status}.`]
    default:
      return ['registering', null]
  }
}

export function watchTrunk(
  agent: SipAgent,
  trunk: { key: string; settings: TrunkSettings },
  { changed, onError, registeredAt }: Surroundings,
): Watch {
  const { settings } = trunk
  const now = () => performance.now()
  const timers = new Map<Machine, NodeJS.Timeout>()
  let probed: ProbeStatus | undefined
  let registered: RegistrationStatus | undefined
  /** Who answered the last REGISTER: what the name leads to may be several machines, not all of one owner. */
  let registrarAddress = registeredAt
  let isOver = false

  function report(): void {
    if (isOver) return
    const [state, error] = stateOf(settings, { options: probed, status: registered, lastFailure })
    changed(state, error)
  }

  function arm(machine: Machine): void {
    clearTimeout(timers.get(machine))
    const { nextDeadlineMs } = machine
    if (nextDeadlineMs === undefined || isOver) return
    const timer = setTimeout(
      () => {
        machine.tick(now())
        arm(machine)
      },
      Math.max(0, nextDeadlineMs - now()),
    )
    timer.unref()
    timers.set(machine, timer)
  }

  /** The machines write Via before they send; it is put right for the socket that is used. */
  function send(request: SipRequest, machine: Machine): void {
    const sent = agent.request(via => withVia(request, via), requestTarget(settings), { profile: trunk.key })
    sent
      .then(outcome => {
        if (isOver) return
        if ('failed' in outcome) {
          lastFailure = outcome.detail
          machine.failed(outcome.failed === 'timeout' ? 'timeout' : 'transport', now())
        } else {
          if (machine === registration) registrarAddress = outcome.flow.remote.address
          machine.receive(outcome.response, outcome.core, now())
        }
        arm(machine)
      })
      .catch(onError)
  }

  const user = registeredUser(settings)
  const target = `sip:${domainOf(settings)}`
  let lastFailure = ''
  let registration: ReturnType<typeof createRegistration> | undefined
  let retry: NodeJS.Timeout | undefined

  /** The address that carriers call is known once there is a way to them. */
  async function open(): Promise<void> {
    try {
      const host = await agent.contactTo(requestTarget(settings), { profile: trunk.key })
      if (!isOver) start(`sip:${user}@${host}${settings.transport === 'udp' ? '' : `;transport=${settings.transport}`}`)
    } catch (error) {
      if (isOver) return
      changed('down', `The carrier cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
      retry = setTimeout(() => void open(), retryMs)
      retry.unref()
    }
  }

  function start(contact: string): void {
    const common = {
      routes: routesOf(settings),
      random: (bytes: number) => randomBytes(bytes),
      via: () => 'SIP/2.0/UDP invalid',
    }
    const from = `<sip:${user}@${fromDomainOf(settings)}>`
    const probe = createProbe(
      {
        ...common,
        target,
        from,
        contact: `<${contact}>`,
        callId: randomBytes(12).toString('hex'),
        localTag: randomBytes(8).toString('hex'),
        intervalMs: settings.optionsSeconds * 1_000,
      },
      {
        send: request => send(request, probe),
        onState(status) {
          probed = status
          report()
        },
      },
    )
    probe.start(now())
    arm(probe)
    if (settings.register) register(common, contact)
    report()
  }

  type Common = Pick<Parameters<typeof createProbe>[0], 'random' | 'via'> & { routes: string[] }

  function register(common: Common, contact: string): void {
    const account = accountOf(settings)
    const made = createRegistration(
      {
        ...common,
        registrar: target,
        address: `<sip:${user}@${domainOf(settings)}>`,
        contacts: [`<${contact}>`],
        expires: settings.registerSeconds,
        callId: randomBytes(12).toString('hex'),
        localTag: randomBytes(8).toString('hex'),
        ...(account === undefined ? {} : { account }),
      },
      {
        send: request => send(request, made),
        onStatus(status) {
          registered = status
          report()
        },
      },
    )
    registration = made
    made.start(now())
    arm(made)
  }

  void open()

  return {
    async close() {
      if (registration?.status.state === 'registered') {
        registration.stop(now())
        // The carrier need not be waited for long.
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      stop()
    },
    abandon: stop,
    get registeredAt() {
      const isSo = registered === undefined || registered.state === 'registering' || registered.state === 'registered'
      return !isOver && settings.register && isSo ? registrarAddress : undefined
    },
  }

  function stop(): void {
    isOver = true
    clearTimeout(retry)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}

function downText({ status }: ProbeStatus, failure: string): string {
  if (status === 408)
    return `The carrier does not answer OPTIONS; calls are tried by it where no other trunk takes them. ${failure}`.trim()
  if (status === 503 && failure !== '') return `The carrier cannot be reached: ${failure}`
  return `The carrier answers OPTIONS with ${status}.`
}

/** The Via of the socket that the request leaves by. */
function withVia(request: SipRequest, via: string): SipRequest {
  const first = request.headers.findIndex(({ name }) => name === 'Via')
  return {
    ...request,
    headers: request.headers.map((line, index) => (index === first ? { name: 'Via', value: via } : line)),
  }
}
