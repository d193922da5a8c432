// Runs sipp as a carrier, and reads from the log it keeps of every message what it saw of each call.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUdpBound } from '../../../../packages/sip/test/agent_programs.ts'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { eventually } from '../../eventually.ts'

export type Sipp = {
  port: number
  /** What it has written of its messages so far. */
  log(): string
  /** What it said last, for who wonders why it ended. */
  output(): string
  isRunning(): boolean
  /** Starts no more calls; those under way go on. */
  finish(): void
  stop(): Promise<void>
}

export type SippOptions = {
  folder: string
  name: string
  script: string
  /** Makes calls, so many a second, there; without it, it is called. */
  calls?: { port: number; perSecond: number }
}

export async function startSipp({ folder, name, script, calls }: SippOptions): Promise<Sipp> {
  const file = join(folder, `${name}.xml`)
  const logFile = join(folder, `${name}.log`)
  writeFileSync(file, script)
  const port = await freePort()
  const args = ['-sf', file, '-i', '127.0.0.1', '-p', String(port), '-mp', String((await freePort()) & ~1)]
  args.push('-nostdin', '-trace_msg', '-message_file', logFile, '-message_overwrite', 'false')
  args.push('-trace_err', '-error_file', join(folder, `${name}.err`), '-rtcheck', 'loose')
  if (calls !== undefined) {
    const { port: to, perSecond } = calls
    // A copy of 100 or 180 that comes behind the answer is nothing to give a call up for.
    args.push('-default_behaviors', 'all,-abortunexp')
    // Slower than one a second: one every so many ms.
    args.push('-r', '1', '-rp', String(Math.round(1_000 / perSecond)), '-l', '1000', `127.0.0.1:${to}`)
  }
  const child: ChildProcess = spawn('sipp', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      text = (text + bytes.toString('latin1')).slice(-4_000)
    })
  const exit = once(child, 'exit')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  if (calls === undefined)
    await eventually(
      `a program at UDP port ${port}`,
      () => {
        if (!isRunning()) throw new Error(`sipp ended before it took UDP port ${port}: ${text}`)
        return isUdpBound(port)
      },
      { withinMs: 30_000, everyMs: 10 },
    )
  return {
    port,
    log() {
      try {
        return readFileSync(logFile, 'latin1')
      } catch {
        // Nothing was said yet.
        return ''
      }
    },
    output: () => text,
    isRunning,
    finish: () => void child.kill('SIGUSR1'),
    async stop() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** One call as a carrier saw it; times in ms since 1970. */
export type RemoteCall = {
  carrier: string
  callId: string
  /** Who called, and whom, by From and To. */
  from: string
  to: string
  isInbound: boolean
  /** Where the server wants to hear it. */
  soundPort: number | undefined
  invites: number
  /** When its 2xx to the first INVITE was sent, or came in. */
  answeredMs: number | undefined
  acknowledgedMs: number | undefined
  /** The status that refused it. */
  refused: number | undefined
  canceledMs: number | undefined
  /** When the remote party first asked to hold the call: its own INVITE within it. */
  heldMs: number | undefined
  /** CANCEL was taken by the remote party: sipp may end without a refusal then. */
  isCancelTaken: boolean
  /** The first BYE, and whose it was; `isStray`: it names no dialog, so that it ends none (RFC 3261 §15.1.2). */
  bye: { ms: number; isOurs: boolean; isStray: boolean } | undefined
  /** How often BYE was sent, by whom ever. */
  byes: number
  /** That BYE was answered, or the call was said to be unknown. */
  byeAnsweredMs: number | undefined
  /** Every message of it, in short: for who wonders. */
  story: string[]
}

const head = /^-{20,} (\d{4}-\d\d-\d\d)[ \t]+(\d\d:\d\d:\d\d\.\d{3})\d*.*$/

/** `isInbound`: sipp calls the server. */
export function readSippLog(text: string, carrier: string, isInbound: boolean): RemoteCall[] {
  const calls = new Map<string, RemoteCall>()
  let at = 0
  let direction: 'sent' | 'received' | undefined
  let lines: string[] = []

  function flush(): void {
    const [first = '', ...rest] = lines
    lines = []
    if (direction === undefined || first === '') return
    const header = (name: string) =>
      rest
        .find(line => line.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim() ?? ''
    const callId = header('call-id')
    const [number = '', method = ''] = header('cseq').split(' ')
    const user = (value: string) => /sips?:([^@;>]+)@/.exec(value)?.[1]?.replace('%2B', '+') ?? ''
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(first)?.[1] ?? 0)
    let call = calls.get(callId)
    if (call === undefined) {
      if (status !== 0 || method !== 'INVITE') return
      call = {
        carrier,
        callId,
        from: user(header('from')),
        to: user(isInbound ? header('to') : first),
        isInbound,
        soundPort: undefined,
        invites: 0,
        answeredMs: undefined,
        acknowledgedMs: undefined,
        refused: undefined,
        canceledMs: undefined,
        heldMs: undefined,
        isCancelTaken: false,
        bye: undefined,
        byes: 0,
        byeAnsweredMs: undefined,
        story: [],
      }
      calls.set(callId, call)
    }
    call.story.push(
      `${new Date(at).toISOString().slice(14, 23)} ${direction === 'sent' ? 'far' : 'us'} ${status || method} (${number} ${method})`,
    )
    const port = direction === 'received' ? rest.find(line => line.startsWith('m=audio '))?.split(' ')[1] : undefined
    if (port !== undefined) call.soundPort ??= Number(port)
    const isFirstInvite = method === 'INVITE' && number === '1'
    if (status === 0) {
      if (isFirstInvite) call.invites++
      if (method === 'INVITE' && !isFirstInvite && direction === 'sent') call.heldMs ??= at
      if (method === 'ACK' && call.answeredMs !== undefined) call.acknowledgedMs ??= at
      if (method === 'CANCEL') call.canceledMs ??= at
      if (method === 'BYE') {
        call.bye ??= { ms: at, isOurs: direction === 'received', isStray: !/;\s*tag=/i.test(header('to')) }
        call.byes++
      }
    } else if (isFirstInvite && status >= 200) {
      if (status < 300) call.answeredMs ??= at
      else call.refused ??= status
    } else if (method === 'CANCEL' && status === 200) call.isCancelTaken = true
    else if (method === 'BYE' && status >= 200) call.byeAnsweredMs ??= at
  }

  for (const line of text.split(/\r?\n/)) {
    const found = head.exec(line)
    if (found !== null) {
      flush()
      direction = undefined
      at = new Date(`${found[1]}T${found[2]}`).getTime()
    } else if (direction === undefined) direction = /^UDP message (sent|received)/.exec(line)?.[1] as typeof direction
    else if (line !== '' || lines.length > 0) lines.push(line)
  }
  flush()
  return [...calls.values()]
}
