// The connection of this process to one Asterisk: an application of its own, whose events are of the calls this process has; and, in
// the one process that leads, the application that takes calls that come in. Both come back by themselves when they are lost.
import type { AsteriskSettings, TrunkState } from '../../modules/voice/trunks/index.ts'
import type { Ari, AriEvent, Listening } from './ari.ts'
import { part, wordText } from './ari.ts'

/** What is reported of one channel. */
export type ChannelListener = {
  event(event: AriEvent): void
  /** The connection is there again: what happened meanwhile was not reported. */
  again(): void
}

export type AriLink = {
  readonly ari: Ari
  /** The application of this process: what starts here is reported to no other process. */
  readonly application: string
  readonly isUp: boolean
  /** Resolves when it is up, or it is known why not. */
  readonly ready: Promise<void>
  /** Answers what ends it. */
  listen(channelId: string, listener: ChannelListener): () => void
  /** Ends channels and bridges; what cannot be ended now is ended when there is a way again. */
  end(paths: readonly string[]): Promise<void>
  lead(): void
  abandon(): void
  /** Ends when the calls that are under way have ended. */
  close(): Promise<void>
}

type Options = {
  ari: Ari
  application: string
  settings: Pick<AsteriskSettings, 'application' | 'pingSeconds'>
  /** Why calls would have no sound; null where they have. */
  whySilent(): Promise<string | null>
  changed(state: TrunkState, lastError: string | null): void
  /** A channel came in. */
  onChannel(event: AriEvent): void
  onError(error: unknown): void
}

const leastPauseMs = 500
const maxPauseMs = 30_000

export function openLink({ ari, application, settings, whySilent, changed, onChannel, onError }: Options): AriLink {
  const listeners = createListeners(settle)
  const unended = new Set<string>()
  const tried = Promise.withResolvers<void>()
  let isClosing = false

  const own = keepListening(application, event => {
    const id = event.channel?.id ?? event.peer?.id ?? ''
    // Made so late that its call is over: nobody else would end it.
    if (!listeners.hear(id, event) && event.type === 'StasisStart') void end([`/channels/${part(id)}`])
  })
  let inbound: ReturnType<typeof keepListening> | undefined

  function report(): void {
    if (own.isUp || own.error !== null) tried.resolve()
    if (isClosing) return
    const error = own.error ?? inbound?.error ?? null
    if (error !== null) changed('down', error)
    else if (own.isUp && (inbound === undefined || inbound.isUp)) changed('up', null)
    else changed('unknown', null)
  }

  /** Listens to an application, again and again. */
  function keepListening(name: string, onEvent: (event: AriEvent) => void) {
    let socket: Extract<Listening, { ok: true }> | undefined
    let error: string | null = null
    let pauseMs = leastPauseMs
    let timer: NodeJS.Timeout | undefined
    let isOver = false

    async function connect(): Promise<void> {
      const silence = await whySilent()
      if (isOver) return
      if (silence !== null) return failed(silence)
      const opened = await ari.events(name, onEvent, lost)
      if (isOver) {
        if (opened.ok) opened.close()
        return
      }
      if (!opened.ok) return failed(await reasonOf(ari, wordText(opened.error)))
      socket = opened
      error = null
      pauseMs = leastPauseMs
      later(ping, settings.pingSeconds * 1_000)
      report()
      if (name === application) catchUp()
    }

    function failed(why: string): void {
      if (isOver) return
      error = why
      later(connect, pauseMs)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
      report()
    }

    function lost(): void {
      if (socket === undefined) return
      socket = undefined
      failed('The connection to the Asterisk was lost.')
    }

    /** A connection may die without a word; the Asterisk knows who listens. */
    async function ping(): Promise<void> {
      const asked = socket
      const reply = await ari.request('GET', `/applications/${part(name)}`)
      if (isOver || socket !== asked || asked === undefined) return
      if (reply.ok) {
        endLate()
        return later(ping, settings.pingSeconds * 1_000)
      }
      socket = undefined
      asked.close()
      failed(`The Asterisk gave no sign of life: ${reply.message}.`)
    }

    function later(work: () => Promise<void>, ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(() => void work().catch(onError), ms)
      timer.unref()
    }

    void connect().catch(onError)
    return {
      get isUp() {
        return socket !== undefined
      },
      get error() {
        return error
      },
      close() {
        isOver = true
        clearTimeout(timer)
        const open = socket
        socket = undefined
        open?.close()
      },
    }
  }

  function catchUp(): void {
    endLate()
    listeners.again()
  }

  function endLate(): void {
    const paths = [...unended]
    unended.clear()
    if (paths.length > 0) void end(paths)
  }

  async function end(paths: readonly string[]): Promise<void> {
    await Promise.all(
      paths.map(async path => {
        const [bare = '', query] = path.split('?')
        const reply = await ari.request('DELETE', bare, Object.fromEntries(new URLSearchParams(query)))
        if (reply.status === null || reply.status >= 500) unended.add(path)
      }),
    )
  }

  function settle(): void {
    if (isClosing && listeners.size === 0) own.close()
  }

  return {
    ari,
    application,
    get isUp() {
      return own.isUp
    },
    ready: tried.promise,
    listen: listeners.add,
    end,
    lead() {
      inbound ??= keepListening(settings.application, event => {
        if (event.type === 'StasisStart' && event.channel !== undefined) onChannel(event)
      })
      report()
    },
    abandon() {
      inbound?.close()
      inbound = undefined
      report()
    },
    async close() {
      isClosing = true
      inbound?.close()
      settle()
    },
  }
}

/** Who listens to which channel. */
function createListeners(left: () => void) {
  const byChannel = new Map<string, Set<ChannelListener>>()
  return {
    get size() {
      return byChannel.size
    },
    add(channelId: string, listener: ChannelListener): () => void {
      const set = byChannel.get(channelId) ?? new Set()
      byChannel.set(channelId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && byChannel.get(channelId) === set) byChannel.delete(channelId)
        left()
      }
    },
    /** Answers whether anybody listened. */
    hear(channelId: string, event: AriEvent): boolean {
      const hearing = [...(byChannel.get(channelId) ?? [])]
      for (const listener of hearing) listener.event(event)
      return hearing.length > 0
    },
    again(): void {
      for (const set of [...byChannel.values()]) for (const listener of [...set]) listener.again()
    },
  }
}

/** A refused WebSocket does not say why; an ordinary request does. */
async function reasonOf(ari: Options['ari'], word: string): Promise<string> {
  const reply = await ari.request('GET', '/asterisk/info', { only: 'status' })
  if (reply.status === 401) return 'The Asterisk knows no such user or password: see ari.conf.'
  if (reply.status === 404) return 'There is no ARI at that address: see ari.conf, http.conf and the address.'
  return `The Asterisk cannot be reached: ${reply.status === null ? reply.message : word}.`
}
