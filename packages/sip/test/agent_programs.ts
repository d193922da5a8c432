// Runs other people's SIP programs against our agents, where they are installed.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../../../scripts/testing/free_port.ts'

export const hasProgram = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** False where the program is there: for `skip`. */
export const without = (name: string) =>
  !hasProgram(name) && `NOT TESTED: interop with ${name} needs it installed: bash scripts/system_tools.sh`

export function openFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sip_peer_'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** @param asPerson it is written to, and has the folder for its home */
export function start(
  context: TestContext,
  command: string,
  args: readonly string[],
  folder: string,
  asPerson = false,
) {
  const child: ChildProcess = spawn(command, args, {
    cwd: folder,
    stdio: [asPerson ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(asPerson ? { env: { ...process.env, HOME: folder } } : {}),
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      output.text = (output.text + bytes.toString('latin1')).slice(-20_000)
    })
  }
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  context.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return { child, output, exit }
}

export type Sipp = { port: number; uri: string; done: Promise<{ code: number | null; text: string }> }

/** `replace`: what stands in capitals in a scenario. */
export async function startSipp(
  context: TestContext,
  scenario: string,
  {
    to,
    calls = 1,
    replace = {},
    args = [],
  }: {
    to?: string
    calls?: number
    replace?: Record<string, string>
    args?: readonly string[]
  } = {},
): Promise<Sipp> {
  const folder = openFolder(context)
  const [port, media] = [await freePort(), await freeMediaPort()]
  let text = readFileSync(join(import.meta.dirname, 'sipp', `${scenario}.xml`), 'latin1')
  for (const [from, into] of Object.entries(replace)) text = text.replaceAll(from, into)
  const file = join(folder, 'scenario.xml')
  writeFileSync(file, text)
  const common = ['-sf', file, '-i', '127.0.0.1', '-p', String(port), '-mp', String(media), '-m', String(calls)]
  const more = ['-nostdin', '-timeout', '20', '-timeout_error', '-trace_err', '-error_file', join(folder, 'errors.txt')]
  const { exit, output } = start(
    context,
    'sipp',
    [...common, ...more, ...args, ...(to === undefined ? [] : [to])],
    folder,
  )
  const done = exit.then(code => {
    let errors = ''
    try {
      errors = readFileSync(join(folder, 'errors.txt'), 'latin1')
    } catch {
      // None were written.
    }
    return { code, text: code === 0 ? '' : `${errors}\n${output.text.slice(-3_000)}` }
  })
  if (to === undefined)
    await Promise.race([untilBound(port), done.then(({ text }) => assert.fail(`sipp ended: ${text}`))])
  return { port, uri: `sip:sipp@127.0.0.1:${port}`, done }
}

/** For sipp, which ends at its start where it cannot have an even port for sound and the one two above it for pictures. */
async function freeMediaPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port % 2 === 0 && !isUdpBound(port + 2)) return port
  }
}

/** Whether somebody has a UDP port (proc(5), `/proc/net/udp`: addresses in hexadecimal). */
export function isUdpBound(port: number): boolean {
  return readFileSync('/proc/net/udp', 'latin1').includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `)
}

/** Waits until somebody has a UDP port. */
async function untilBound(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (isUdpBound(port)) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`nobody has taken UDP port ${port}`)
}
