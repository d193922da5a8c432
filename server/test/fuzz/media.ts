// What the fuzzing of STUN and of DTLS have in common: a process with a live call, which must go on; a port that listens for calls and has none;
// calls that may be lost, attacked in the name of their browser or by who holds the right password; and a way to know that everything sent so
// far has been taken.
import { type ChildProcess, fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { candidateIn, createBrowserCall } from '../engines/browser_phone.ts'
import { openRogue, type Rogue } from '../rtc/rogue.ts'
import { nomination, readStun } from '../rtc/stun.ts'
import type { MediaOrder, MediaState } from './media_child.ts'

export type MediaTarget = {
  /** Of a call that may be lost: how checks of its browser are named and proved. */
  named(): { username: string; password: string }
  /** Sends what that browser did not, from its address. */
  inName(bytes: Buffer): void
  /** Sends as a stranger to the port of the live call, or to one without calls. */
  asStranger(bytes: Buffer, to: 'live' | 'idle'): void
  /** A remote party of a call that may be lost; another after a while or when that one is over. */
  expendable(setup: 'active' | 'passive', fingerprint: string): Promise<{ rogue: Rogue; isNew: boolean }>
  check(): Promise<number>
  close(): Promise<void>
}

const livePorts = { minPort: 21_000, maxPort: 21_099 }
const idlePorts = { minPort: 21_100, maxPort: 21_199 }
/** Inputs for one call that may be lost. */
const inputsEach = 1_000

function startChild() {
  const child = fork(fileURLToPath(new URL('./media_child.ts', import.meta.url)), {
    execArgv: ['--conditions=source'],
  })
  const waiting = new Map<number, PromiseWithResolvers<MediaState>>()
  let lastId = 0
  child.on('message', (word: { id: number; state?: MediaState; fault?: string }) => {
    const asked = waiting.get(word.id)
    waiting.delete(word.id)
    if (word.state === undefined) asked?.reject(new Error(word.fault))
    else asked?.resolve(word.state)
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the process ended: ${signal ?? code}`))
    waiting.clear()
  })
  async function ask(order: MediaOrder): Promise<MediaState> {
    if (hasEnded(child)) throw new Error(`the process ended: ${child.signalCode ?? child.exitCode}`)
    const asked = Promise.withResolvers<MediaState>()
    waiting.set(++lastId, asked)
    child.send({ id: lastId, order })
    return asked.promise
  }
  return { child, ask }
}

type Ask = ReturnType<typeof startChild>['ask']
type MediaPorts = typeof livePorts

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Calls a browser, or is called by it: sound flows. */
async function openCall(ask: Ask, call: string, ports: MediaPorts) {
  const browser = createBrowserCall()
  const offer = await browser.offer()
  const { answer } = await ask({ type: 'open', call, offer, ports })
  const username = `${ufragIn(answer)}:${ufragIn(offer)}`
  const password = /^a=ice-pwd:(.*?)\r?$/m.exec(answer)?.[1] ?? ''
  return { browser, answer, username, password }
}

export async function openMediaTarget(): Promise<MediaTarget> {
  const { child, ask } = startChild()
  await once(child, 'message')
  const { browser, answer, username, password } = await openCall(ask, 'live', livePorts)
  await browser.connect(answer)
  const idle = await openCall(ask, 'idle', idlePorts)
  await ask({ type: 'close', call: 'idle' })
  await idle.browser.vanish()
  const to = { live: candidateIn(answer), idle: candidateIn(idle.answer) }
  const stranger = createSocket('udp4')
  await new Promise<void>(resolve => stranger.bind(0, '127.0.0.9', resolve))
  const expendables = createExpendables(ask)
  let named = await openNamed()
  let lastHeard = { count: 0, atMs: performance.now() }

  async function openNamed() {
    const opened = await openCall(ask, 'named', livePorts)
    await opened.browser.connect(opened.answer)
    return opened
  }

  /** Datagrams are taken in order: when a right check is answered, what was sent before has been looked at. */
  async function ping(): Promise<void> {
    const deadlineMs = performance.now() + 10_000
    while (performance.now() < deadlineMs) {
      const check = nomination(username, { password })
      const transaction = check.subarray(8, 20)
      const answered = Promise.withResolvers<boolean>()
      browser.relay?.onServer(bytes => {
        if (readStun(bytes)?.transaction.equals(transaction)) answered.resolve(true)
      })
      browser.relay?.inject(check)
      if (await Promise.race([answered.promise, sleep(500, false)])) return
      if (hasEnded(child)) throw new Error(`the process ended: ${child.signalCode ?? child.exitCode}`)
    }
    throw new Error('checks of ICE are not answered any more')
  }

  /** Whether the call attacked in the name of its browser was lost; then there is another. */
  async function renewNamed(): Promise<number> {
    if (!(await ask({ type: 'report', call: 'named' })).isGone) return 0
    await ask({ type: 'close', call: 'named' })
    await named.browser.vanish()
    named = await openNamed()
    return 1
  }

  return {
    named: () => named,
    inName: bytes => named.browser.relay?.inject(bytes),
    asStranger: (bytes, where) => stranger.send(bytes, to[where].port, to[where].address),
    expendable: expendables.take,
    async check() {
      await ping()
      const { heard, isGone } = await ask({ type: 'report', call: 'live' })
      if (isGone) throw new Error('the live call is over')
      if (performance.now() - lastHeard.atMs >= 2_000) {
        if (heard <= lastHeard.count) throw new Error('the live call is silent')
        lastHeard = { count: heard, atMs: performance.now() }
      }
      return renewNamed()
    },
    async close() {
      stranger.close()
      expendables.close()
      await Promise.all([browser.vanish(), named.browser.vanish()])
      if (hasEnded(child)) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function ufragIn(sdp: string): string {
  return /^a=ice-ufrag:(.*?)\r?$/m.exec(sdp)?.[1] ?? ''
}

function createExpendables(ask: Ask) {
  let current: { rogue: Rogue; call: string; setup: string } | undefined
  let used = 0
  let count = 0

  async function drop(): Promise<void> {
    current?.rogue.close()
    if (current !== undefined) await ask({ type: 'close', call: current.call })
    current = undefined
  }

  return {
    async take(setup: 'active' | 'passive', fingerprint: string) {
      used += 1
      if (current !== undefined && used < inputsEach) return { rogue: current.rogue, isNew: false }
      await drop()
      used = 0
      count += 1
      const call = `expendable ${count}`
      const rogue = await openRogue()
      current = { rogue, call, setup }
      const { answer } = await ask({ type: 'open', call, offer: rogue.offer(fingerprint, setup), ports: livePorts })
      rogue.begin(answer)
      await Promise.race([rogue.connected, sleep(2_000)])
      return { rogue, isNew: true }
    },
    close() {
      current?.rogue.close()
    },
  }
}
