// The stream of one listener: what waits for it is signed and sent, and sent again over the next connection until an answer
// was reported. So nothing is lost when a connection or a server ends, and the program knows by event and attempt what it has
// had already. Few listen, so each connection looks for itself; nobody connected, nothing runs.
import type { Principal } from '../../kernel/access/principal.ts'
import { keyOf, sign } from '../../kernel/data/signature.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { Sink, StreamSource } from '../../kernel/endpoint/stream.ts'
import { randomToken } from '../../kernel/values/ids.ts'
import type { Keyring } from '../../kernel/values/keyring.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { presentListener } from './listener_present.ts'
import {
  beatMs,
  holdListener,
  type ListenerTarget,
  listenerRows,
  readWaiting,
  releaseListener,
  type WaitingEvent,
} from './listener_store.ts'
import { bodyOf, fixedHeaders, secondsOf } from './present.ts'
import { openSecret } from './signing.ts'

const pollMs = 300
/** Events without an answer that a program is given at once. */
const maxUnanswered = 200

/** @throws Problem `not_found`, `webhook_listener_ended`, or `unavailable` when the database does not answer */
export async function openListenerStream(services: Services, principal: Principal, id: string): Promise<StreamSource> {
  const { db, clock, log, keyring } = services
  const connection = randomToken(16)
  const ready = await db.inTenant(principal, async tx => {
    const row = await listenerRows.lock(tx, principal, id)
    if (row === undefined) throw new Problem('not_found')
    if (row.state === 'ended') throw new Problem('webhook_listener_ended')
    await holdListener(tx, principal, id, connection)
    return presentListener({ ...row, state: 'connected' }, principal)
  })
  let sink: Sink | undefined
  let timer: NodeJS.Timeout | undefined
  let beatAtMs = performance.now() + beatMs
  let isFailing = false
  /** What was sent over this connection and has no answer: the attempt of each event. */
  let sent = new Map<string, number>()

  async function look(to: Sink): Promise<void> {
    const isBeating = performance.now() >= beatAtMs
    const { target, waiting } = await db.inTenant(principal, async tx => {
      const found = await readWaiting(tx, principal, id, maxUnanswered)
      if (isBeating && found.target?.connection === connection) await holdListener(tx, principal, id, connection)
      return found
    })
    if (isBeating) beatAtMs = performance.now() + beatMs
    const reason = endOf(target, connection)
    if (reason !== undefined || target === undefined) return to.end(reason ?? 'webhook_listener_ended')
    const keys = keysOf(target, keyring, principal.tenantId, id)
    for (const event of waiting) {
      if (sent.get(event.event_id) === event.attempt) continue
      await to.drained()
      if (to.ended) return
      to.send({ event: 'delivery', data: JSON.stringify(deliveryOf(event, id, principal, keys, clock.now())) })
    }
    sent = new Map(waiting.map(({ event_id, attempt }) => [event_id, attempt]))
  }

  async function go(to: Sink): Promise<void> {
    try {
      await look(to)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error, tenantId: principal.tenantId }, 'reading for a listener of webhooks')
      isFailing = true
    }
    if (!to.ended && sink === to) timer = setTimeout(() => void go(to), pollMs)
  }

  return {
    start(given) {
      sink = given
      given.send({ event: 'ready', data: JSON.stringify(ready) })
      void go(given)
    },
    stop() {
      sink = undefined
      clearTimeout(timer)
      // Where this fails it counts as gone a little later.
      db.inTenant(principal, tx => releaseListener(tx, principal, id, connection)).catch(error =>
        log.debug({ err: error }, 'a listener of webhooks could not be signed off'),
      )
    },
    lastId: () => undefined,
  }
}

/** Why the stream is over, if it is. */
function endOf(target: ListenerTarget | undefined, connection: string): string | undefined {
  if (target === undefined || target.isEnded) return 'webhook_listener_ended'
  if (target.connection !== connection) return 'replaced'
  return target.secret === null ? 'webhook_deleted' : undefined
}

function keysOf(
  { webhook_id, secret, previous_secret }: ListenerTarget,
  keyring: Keyring,
  tenantId: number,
  id: string,
): Buffer[] {
  return [secret, previous_secret]
    .filter(sealed => sealed !== null)
    .map(sealed => keyOf(openSecret(keyring, tenantId, webhook_id ?? id, sealed)))
}

/** The request as a webhook would have been sent it: headers and body, byte for byte. */
function deliveryOf(
  event: WaitingEvent,
  listenerId: string,
  { mode, organizationId }: Principal,
  keys: readonly Buffer[],
  nowMs: number,
) {
  const { event_id, event_type, attempt } = event
  const body = bodyOf(event, { mode, organizationId })
  const timestamp = secondsOf(nowMs)
  return {
    deliveryId: deliveryIdOf(event_id, listenerId),
    eventId: event_id,
    eventType: event_type,
    attempt,
    headers: {
      ...fixedHeaders,
      'accept-encoding': 'identity',
      'webhook-id': event_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(keys, event_id, timestamp, Buffer.from(body)),
    },
    body,
  }
}
