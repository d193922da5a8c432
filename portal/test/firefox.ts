// Starts Firefox for tests, headless, with a false microphone that hums, and drives one page of it by WebDriver BiDi over its own socket: what
// playwright-core cannot do with a Firefox as Debian builds it.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

function findFirefox(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'].filter(folder => folder !== '')
  const named = process.env['TANDEM_FIREFOX']
  const found = folders.flatMap(folder => [join(folder, 'firefox-esr'), join(folder, 'firefox')])
  return [...(named === undefined ? [] : [named]), ...found].find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For `{ skip }` of a test or suite: false, or the reason, which `npm test` lists at its end. */
export const firefoxMissing: string | false = findFirefox() === null ? 'firefox is missing' : false

/** Of the hum of the false microphone, in Hz. */
export const hum = 700

const preferences: Record<string, string | number | boolean> = {
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'media.navigator.audio.fake_frequency': hum,
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'media.autoplay.block-webaudio': false,
  'media.peerconnection.ice.loopback': true,
  // Cut off from every host but this machine.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
}

export type FirefoxPage = {
  open(url: string): Promise<void>
  /** Evaluates an expression in the page; what it answers, or resolves to, is a string, a number, a boolean or null. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

/** A page of a Firefox of its own; rejects within 60 s. */
export async function openFirefox(): Promise<FirefoxPage> {
  const program = findFirefox()
  if (program === null) throw new Error('Firefox is missing: sudo bash scripts/system_tools.sh installs it')
  const profile = mkdtempSync(join(tmpdir(), 'tandem-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  try {
    const bidi = await connect(`${await addressOf(child)}/session`)
    await bidi.say('session.new', { capabilities: {} })
    const { contexts } = (await bidi.say('browsingContext.getTree', {})) as { contexts: { context: string }[] }
    const context = contexts[0]?.context
    return {
      async open(url) {
        await bidi.say('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      async evaluate(expression) {
        const target = { context }
        const how = { expression, target, awaitPromise: true, userActivation: true }
        const done = (await bidi.say('script.evaluate', how)) as Evaluated
        if (done.type !== 'success') throw new Error(`in the page: ${done.exceptionDetails?.text}`)
        return done.result?.value
      },
      async close() {
        bidi.close()
        await end(child, profile)
      },
    }
  } catch (error) {
    await end(child, profile)
    throw error
  }
}

type Evaluated = { type: string; result?: { value?: unknown }; exceptionDetails?: { text: string } }

async function addressOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stderr! })
  const timer = setTimeout(() => lines.close(), 60_000)
  try {
    for await (const line of lines) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
      if (address !== undefined) return address
    }
  } finally {
    clearTimeout(timer)
    child.stderr?.resume()
  }
  throw new Error('Firefox does not report where it listens')
}

async function connect(address: string) {
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`no connection to ${address}`))
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data))
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(`${error}: ${message}`))
    waiting.delete(id)
  }
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox is gone'))
  }
  return {
    say(method: string, params: unknown): Promise<unknown> {
      const answer = Promise.withResolvers<unknown>()
      waiting.set(++lastId, answer)
      socket.send(JSON.stringify({ id: lastId, method, params }))
      return answer.promise
    },
    close: () => socket.close(),
  }
}

/** Its whole process group: it starts processes of its own. */
async function end(child: ChildProcess, profile: string): Promise<void> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  const ended = new Promise<void>(resolve => (isOver ? resolve() : child.once('exit', () => resolve())))
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of it has ended by itself.
  }
  await ended
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}
