// The process of its own in which calls live, so that nothing of the API can make their sound stumble. The server starts it when there
// is something for it, sends it messages that say how to reach the database and which queues have new rows, and starts it again when it dies.
import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { join } from 'node:path'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { newSigningJwk, type SigningKeys, signingKeyFrom } from './kernel/access/tokens.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { createLog, type Log } from './kernel/observe/log.ts'
import { systemClock } from './kernel/values/clock.ts'
import { newId } from './kernel/values/ids.ts'
import { createKeyring, type KeyMaterial } from './kernel/values/keyring.ts'
import { phoneHint } from './modules/voice/clients/index.ts'
import { trunksQueue } from './modules/voice/trunks/index.ts'

/** To the process for calls. It ends by itself when its server is gone. */
type Order =
  | { type: 'start'; config: Config; app: ConnectionOptions; material: KeyMaterial }
  | { type: 'rekey'; material: KeyMaterial }
  | { type: 'wake'; queue: string }
  | { type: 'figures' }
  | { type: 'stop' }
/** From it. */
type Word = { type: 'wake'; queue: string } | { type: 'ready' } | { type: 'figures'; text: string }

export type VoiceProcess = {
  /** Says that a queue has new rows, should it be one of calls. */
  wake(queue: string): void
  /** Gives it the secrets that took the place of those it has. */
  rekey(material: KeyMaterial): void
  /** What it says of itself to Prometheus; undefined while it is not there, or does not answer. */
  figures(): Promise<string | undefined>
  /** Lets calls under way come to their end, as long as that may take. */
  stop(): Promise<void>
}

export type VoiceProcessOptions = {
  config: Config
  /** Of the server. */
  environment: NodeJS.ProcessEnv
  app: ConnectionOptions
  /** Opens what is sealed, such as passwords of trunks. */
  material(): KeyMaterial
  log: Log
  /** A queue of the server has new rows. */
  woken(queue: string): void
  /** Whether there is anything for the process. Asked every second until it is started, which it then stays. */
  isWanted(): Promise<boolean>
}

const lookMs = 1_000
/** What a server says when it has written what may be the first need for the process: that is asked at once. */
const needs = new Set(['call_jobs', trunksQueue, phoneHint])
const leastPauseMs = 1_000
const maxPauseMs = 30_000

/** Gathers what one turn of the event loop says about queues: once is enough. */
function gathered(say: (queue: string) => void): (queue: string) => void {
  const waiting = new Set<string>()
  return queue => {
    if (waiting.size === 0)
      setImmediate(() => {
        const queues = [...waiting]
        waiting.clear()
        for (const one of queues) say(one)
      })
    waiting.add(queue)
  }
}

/**
 * What the process of calls is given: neither the owner of the database, nor the root key, nor the keys that sign tokens, nor the password
 * of the first Admin. It parses what strangers send.
 */
export function startOrder({ config, app, material }: Pick<VoiceProcessOptions, 'config' | 'app' | 'material'>) {
  const {
    databaseUrl: _database,
    adminPassword: _password,
    rootKey: _key,
    rootKeyFile: _file,
    rootKeyCommand: _command,
    ...rest
  } = config
  return { type: 'start', config: rest as Config, app, material: material() } satisfies Order
}

/** The environment without what `startOrder` leaves out. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _database,
    TANDEM_ADMIN_PASSWORD: _password,
    TANDEM_ROOT_KEY: _key,
    TANDEM_ROOT_KEY_FILE: _file,
    TANDEM_ROOT_KEY_COMMAND: _command,
    ...rest
  } = environment
  return rest
}

export function startVoiceProcess(options: VoiceProcessOptions): VoiceProcess {
  const { config, environment, app, material, log, woken, isWanted } = options
  let child: ChildProcess | undefined
  let isStarted = false
  let isStopping = false
  let pauseMs = leastPauseMs
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const started = fork(join(import.meta.dirname, 'main.ts'), ['calls'], {
      env: childEnvironment(environment),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = started
    started.send(startOrder({ config, app, material }))
    started.on('message', (word: Word) => {
      if (word.type === 'wake') woken(word.queue)
      else if (word.type === 'ready') pauseMs = leastPauseMs
    })
    function gone(why: object, words: string): void {
      if (child !== started) return
      child = undefined
      if (isStopping) return
      log.error({ ...why, againInMs: pauseMs }, words)
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
    }
    started.on('error', err => {
      // One that never began, for want of processes or files, has no end either.
      if (started.pid === undefined) gone({ err }, 'the process of calls could not be started; it is tried again')
      else log.error({ err }, 'the process of calls does not hear the server')
    })
    started.on('exit', (code, signal) =>
      gone({ code, signal }, 'the process of calls ended; its calls are lost, and it is started again'),
    )
  }

  function post(order: Order): void {
    // One that is about to die needs no message.
    if (child?.connected === true) child.send(order, () => {})
  }

  /** A call that is accepted meanwhile lies in the database: the process finds it when it is there. */
  async function look(): Promise<void> {
    // A database that is away is reported elsewhere.
    const found = await isWanted().catch(() => false)
    if (!found || isStarted || isStopping) return
    isStarted = true
    clearInterval(looking)
    log.info('starting the process for calls: there is something for it')
    start()
  }

  const looking = setInterval(() => void look(), lookMs)
  looking.unref()
  void look()
  return {
    wake: gathered(queue => {
      if (isStarted) post({ type: 'wake', queue })
      else if (needs.has(queue)) void look()
    }),
    rekey: next => post({ type: 'rekey', material: next }),
    figures: () => figuresOf(child),
    async stop() {
      isStopping = true
      clearInterval(looking)
      clearTimeout(timer)
      const running = child
      if (running?.pid === undefined) return
      const ended = new Promise<void>(resolve => running.once('exit', () => resolve()))
      post({ type: 'stop' })
      await ended
    },
  }
}

const figuresWithinMs = 1_000

async function figuresOf(child: ChildProcess | undefined): Promise<string | undefined> {
  if (child?.connected !== true) return undefined
  try {
    const words = on(child, 'message', { signal: AbortSignal.timeout(figuresWithinMs) })
    child.send({ type: 'figures' } satisfies Order, () => {})
    for await (const [word] of words as AsyncIterable<[Word]>) if (word.type === 'figures') return word.text
  } catch {
    // It is starting, ending, or busier than it should be: the next time.
  }
  return undefined
}

/** The process itself: waits for messages from its server. */
export async function runVoiceProcess(): Promise<void> {
  // A terminal's Ctrl-C reaches this process too; its server says when it is to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const first = await new Promise<Extract<Order, { type: 'start' }>>(resolve =>
    process.once('message', (order: Order) => order.type === 'start' && resolve(order)),
  )
  const config: Config = { ...first.config, roles: ['voice'] }
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  const post = (word: Word) => process.connected && process.send?.(word, undefined, {}, () => {})
  // Tokens are signed and read by the server. This key is known to nobody else, and opens nothing.
  const signing: SigningKeys = { published: [await signingKeyFrom(await newSigningJwk(newId('kid')))], retired: [] }
  const keyring = createKeyring(first.material)
  // Its server sends it the next ones.
  const instance = { keyring, signing: () => signing, reload: async () => {} }
  const app = await createApp({
    config,
    app: first.app,
    instance,
    clock: systemClock,
    log,
    hasWorker: first.config.roles.includes('worker'),
    elsewhere: gathered(queue => post({ type: 'wake', queue })),
  })
  let isStopping = false
  async function stop(why: string): Promise<void> {
    if (isStopping) return
    isStopping = true
    log.debug({ why }, 'the process of calls stops')
    await app.stop().catch(error => log.error({ err: error }, 'the process of calls was not stopped in order'))
    process.exit(0)
  }
  process.on('message', (order: Order) => {
    if (order.type === 'wake') app.wake(order.queue)
    else if (order.type === 'rekey') keyring.replace(order.material)
    else if (order.type === 'figures')
      void app.services.metrics.ofProcess('calls').then(text => post({ type: 'figures', text }))
    else if (order.type === 'stop') void stop('asked to')
  })
  process.on('disconnect', () => void stop('the server is gone'))
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'a mistake of the program, in the process of calls')
    process.exit(1)
  })
  await app.startWork()
  post({ type: 'ready' })
}
