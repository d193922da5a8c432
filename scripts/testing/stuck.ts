// What a process that runs tests was doing when its time was up, for its file's fault: where it is, also within an endless loop, what it
// waits for, and what sessions of the database wait for.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SocketAddress } from '../../server/src/kernel/boot/embedded_postgres.ts'
import { processorTime } from './processor_time.ts'

/** For a process that may be described: it opens its inspector when it is asked to, at a free port. */
export const describable = ['--inspect-port=127.0.0.1:0']

/** It answers within milliseconds; a machine that is full takes longer. */
const answerMs = 5_000
const sampleMs = 1_000

/** In lines. Says what it could find out; it never fails. */
export async function describeStuck(child: ChildProcess): Promise<string> {
  const own = () => processorTime(child.pid ?? 0).own
  const before = own()
  await sleep(sampleMs)
  const used = (100 * (own() - before)) / (sampleMs / 1_000)
  const lines = [`It used ${used.toFixed(0)} % of a processor.`, await whereabouts(child), await sessions()]
  return lines.filter(Boolean).join('\n')
}

async function whereabouts(child: ChildProcess): Promise<string> {
  try {
    const silent = sleep(answerMs, undefined, { ref: false })
    return (await Promise.race([inspect(child), silent])) ?? 'It did not say where it is.'
  } catch (error) {
    return `Where it was is not known: ${String(error)}`
  }
}

type Frame = { functionName: string; location: { scriptId: string; lineNumber: number } }

async function inspect(child: ChildProcess): Promise<string> {
  const url = inspectorOf(child)
  child.kill('SIGUSR1')
  const inspector = await openInspector(await url)
  await inspector.ask('Debugger.enable')
  await inspector.ask('Debugger.pause')
  // Only while it is at work is there such a place.
  const frames = await Promise.race([inspector.paused, sleep(sampleMs, [])])
  const { result } = await inspector.ask('Runtime.evaluate', {
    expression: 'process.getActiveResourcesInfo().join()',
    returnByValue: true,
  })
  inspector.close()
  const open = countsOf((result as { value: string }).value.split(','))
  const places = frames.slice(0, 12).map(inspector.placeOf)
  return [`Open: ${open}.`, ...(places.length > 0 ? ['It was at:'] : []), ...places].join('\n')
}

/** Node.js says on standard error where its inspector is. */
function inspectorOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    stderr?.on('data', text => {
      const [url] = /ws:\/\/\S+/.exec(String(text)) ?? []
      if (url !== undefined) resolve(url)
    })
  })
}

type Inspector = {
  /** One command of the Chrome DevTools protocol. */
  ask(method: string, params?: object): Promise<Record<string, unknown>>
  readonly paused: Promise<Frame[]>
  placeOf(frame: Frame): string
  close(): void
}

async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  const scripts = new Map<string, string>()
  const answers = new Map<number, (result: Record<string, unknown>) => void>()
  const { promise: paused, resolve: pausedAt } = Promise.withResolvers<Frame[]>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data))
    if (method === 'Debugger.paused') pausedAt(params.callFrames)
    else if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url)
    else answers.get(id)?.(result)
  })
  await new Promise(resolve => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  return {
    ask(method, params = {}) {
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()
      answers.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
      return promise
    },
    paused,
    placeOf: ({ functionName, location: { scriptId, lineNumber } }) =>
      `  ${functionName || '(nameless)'} ${scripts.get(scriptId) ?? ''}:${lineNumber + 1}`,
    close: () => socket.close(),
  }
}

function countsOf(names: readonly string[]): string {
  return [...Map.groupBy(names, name => name)].map(([name, { length }]) => `${length} ${name}`).join(', ')
}

/** Sessions of test databases that are in the midst of something. */
async function sessions(): Promise<string> {
  const given = process.env['TANDEM_TEST_CLUSTER']
  if (given === undefined) return ''
  const address = JSON.parse(given) as SocketAddress
  const client = new pg.Client({ ...address, user: 'postgres', database: 'postgres', query_timeout: answerMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ line: string }>(
      `select format('%s %s %s, %s, waits for %s, for %s s: %s', pid, application_name, datname, state,
         coalesce(wait_event, 'nothing'), round(extract(epoch from clock_timestamp() - state_change)),
         left(regexp_replace(query, '\\s+', ' ', 'g'), 200)) as line
       from pg_stat_activity where datname like 'test\\_%' and (state <> 'idle' or clock_timestamp() - state_change > '60 s')
       order by state, pid limit 40`,
    )
    return ['Sessions of databases:', ...rows.map(({ line }) => `  ${line}`)].join('\n')
  } catch (error) {
    return `The database could not be asked: ${String(error)}`
  } finally {
    await client.end().catch(() => {})
  }
}
