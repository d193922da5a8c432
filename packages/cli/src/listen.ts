// `tandem listen`: a listener on the server, its stream, and a server on this machine that is handed what comes. The server sends
// what has no answer again over the next connection, and here each event and attempt is forwarded once: so nothing is lost or
// doubled when the connection breaks.
import { hostname, userInfo } from 'node:os'
import { CliError, exitCodes, explain } from './errors.ts'
import { type Delivery, forward } from './forward.ts'
import type { Output } from './output.ts'
import { createReporter } from './reporter.ts'
import type { Connection, ListenOptions } from './settings.ts'

/** As many as a webhook bears at once. */
const atOnce = 10
/** What was forwarded is remembered for at least so many; the server never sends more than 200 without an answer. */
const remembered = 5_000
/** For what is under way at the end, and for saying goodbye. */
const graceMs = 3_000

/** Reasons for which a stream does not go on, with what to do. */
const finalReasons: Record<string, string> = {
  webhook_listener_ended:
    'The listener was ended, in the portal or because it was away for ten minutes. Start it again.',
  replaced: 'Another connection has taken this listener over.',
  webhook_deleted: 'The webhook whose secret signs was deleted. Start again with another one, or without --webhook.',
}

/** Runs until Ctrl-C, or until it cannot go on. Resolves with the exit code. */
export async function listen({ tandem, server }: Connection, options: ListenOptions, output: Output): Promise<number> {
  const { forwardTo, eventTypes, webhookId, verifies } = options
  const made = await tandem.webhookListeners.create({
    forwardTo: forwardTo.href,
    name: machineName(),
    eventTypes,
    ...(webhookId === undefined ? {} : { webhookId }),
  })
  const { listenerId, secret, mode } = made
  const stream = tandem.webhookListeners.open(
    { listenerId },
    { onOpen: () => opened(), onRetry: ({ error }) => lost(error) },
  )
  let fault: unknown
  const stop = (reason?: unknown) => {
    fault ??= reason
    stream.close()
  }
  const reporter = createReporter(tandem, listenerId, stop)
  const handOn = createForwarder(options, verifies, output, (delivery, outcome) => reporter.add(delivery, outcome))
  const signals = onSignals(() => stop())
  let isLost = false

  function opened(): void {
    if (isLost) output.say('connected', 'Connected again.', { listenerId })
    isLost = false
  }

  function lost(error: unknown): void {
    if (isLost) return
    isLost = true
    const why = error === undefined ? '' : ` (${(error as Error).message})`
    output.say('disconnected', `Connection lost${why} Connecting again; what happens meanwhile is kept.`, {
      listenerId,
    })
  }

  sayReady(output, { listenerId, secret, mode, server, forwardTo: forwardTo.href, webhookId: webhookId ?? null })
  try {
    for await (const message of stream) {
      if (message.event === 'delivery') handOn.take(message.data)
      if (message.event !== 'end') continue
      const final = finalReasons[message.data.reason]
      if (final !== undefined) throw new CliError(final, exitCodes.failed)
    }
  } catch (error) {
    fault ??= error
  } finally {
    stream.close()
    await within(graceMs, handOn.settled())
    await within(graceMs, reporter.settled())
    await within(graceMs, tandem.webhookListeners.end({ listenerId }, { maxRetries: 0, timeoutMs: graceMs }))
    signals.forget()
  }
  if (fault !== undefined)
    throw fault instanceof CliError ? fault : new CliError(explain(fault).message, explain(fault).code)
  output.say('ended', 'Ended. Nothing is forwarded any more.', { listenerId })
  return exitCodes.ok
}

type Ready = {
  listenerId: string
  secret: string | null
  mode: string
  server: string
  forwardTo: string
  webhookId: string | null
}

function sayReady(output: Output, ready: Ready): void {
  const { secret, mode, server, forwardTo, webhookId } = ready
  const signs = secret === null ? `Signed by the secret of ${webhookId}.` : `Signing secret, shown this once: ${secret}`
  output.say(
    'ready',
    `Ready. ${mode === 'live' ? 'Live' : 'Test'} events of ${server} go to ${forwardTo}\n${signs}\nCtrl-C ends it.\n`,
    ready,
  )
}

type Handed = Parameters<ReturnType<typeof createReporter>['add']>

/** Hands deliveries on in their order, some at once, each event and attempt once. */
function createForwarder(
  { forwardTo }: ListenOptions,
  verifies: boolean,
  output: Output,
  answered: (...handed: Handed) => void,
) {
  const known = new Set<string>()
  const waiting: Delivery[] = []
  const underWay = new Set<Promise<void>>()
  let saidRefused = false

  async function handOver(delivery: Delivery): Promise<void> {
    const { deliveryId, eventId, eventType, attempt } = delivery
    const at = new Date().toISOString()
    const outcome = await forward(forwardTo, delivery, verifies)
    const { status, error, durationMs } = outcome
    output.forwarded({ at, type: eventType, eventId, deliveryId, attempt, status, error, durationMs })
    if (error === 'connection_refused' && !saidRefused) {
      saidRefused = true
      output.say(
        'hint',
        `Nothing listens at ${forwardTo.origin}. Start your server, and send what it missed again on the page Webhooks of the portal.`,
        { message: `Nothing listens at ${forwardTo.origin}.` },
      )
    }
    if (error === null) saidRefused = false
    answered(delivery, outcome)
  }

  function go(): void {
    while (underWay.size < atOnce && waiting.length > 0) {
      const running = handOver(waiting.shift() as Delivery).finally(() => {
        underWay.delete(running)
        go()
      })
      underWay.add(running)
    }
  }

  return {
    take(delivery: Delivery): void {
      const name = `${delivery.eventId} ${delivery.attempt}`
      if (known.has(name)) return
      known.add(name)
      if (known.size > remembered) known.delete(known.values().next().value as string)
      waiting.push(delivery)
      go()
    },
    /** What is under way ends; what waits is left to the server. */
    async settled(): Promise<void> {
      waiting.length = 0
      await Promise.all(underWay)
    },
  }
}

/** Calls `end` at the first signal; a second one ends the program at once. */
function onSignals(end: () => void): { forget(): void } {
  let asked = false
  const onSignal = () => {
    if (asked) process.exit(130)
    asked = true
    end()
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, onSignal)
  return {
    forget() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}

/** Whose machine it is, for the list in the portal. */
function machineName(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 100)
  } catch {
    // An account without a name, as in some containers.
    return hostname().slice(0, 100)
  }
}

/** Waits, but no longer, and whatever comes of it. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
