// What systemd hears: when it listens, what it hears in which order, and over a real socket by its own program.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSupervisor } from './supervisor.ts'

function listener(isDeaf = false) {
  const heard: string[] = []
  const warned: string[] = []
  return {
    heard,
    warned,
    notify: async (args: readonly string[]) => {
      heard.push(args.join(' '))
      if (isDeaf) throw new Error('spawn systemd-notify ENOENT')
    },
    log: { warn: (_: object, message: string) => void warned.push(message) } as never,
  }
}

test('without a supervisor nothing is said', async () => {
  const { heard, notify, log } = listener()
  const supervisor = createSupervisor({ environment: {}, log, notify })
  supervisor.ready('ready')
  supervisor.stopping()
  await sleep(20)
  assert.deepEqual(heard, [])
})

test('it hears of the start, three times in each span that the event loop turns, and of the end', async () => {
  const { heard, notify, log } = listener()
  const environment = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '90000' }
  const supervisor = createSupervisor({ environment, log, notify })
  await sleep(100)
  assert.deepEqual(heard, [], 'a start that hangs says nothing')
  supervisor.ready('on http://127.0.0.1:3000')
  while (heard.length < 4) await sleep(5)
  supervisor.stopping()
  const [first, ...rest] = heard
  assert.equal(first, '--ready --status=on http://127.0.0.1:3000')
  assert.equal(rest.at(-1), 'STOPPING=1 --status=stopping')
  assert.ok(
    rest.slice(0, -1).every(line => line === 'WATCHDOG=1'),
    rest.join(),
  )
  const count = heard.length
  await sleep(100)
  assert.equal(heard.length, count, 'nothing after the end')
})

test('where it cannot be reached that is logged once, and nothing else happens', async () => {
  const { heard, warned, notify, log } = listener(true)
  const supervisor = createSupervisor({ environment: { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '30000' }, log, notify })
  supervisor.ready('ready')
  while (heard.length < 4) await sleep(5)
  supervisor.stopping()
  assert.equal(warned.length, 1)
})

const missing = ['systemd-notify', 'python3'].find(name => spawnSync(name, ['--version']).error !== undefined)
const skip = missing === undefined ? false : `no ${missing} on this system`

test('its own program brings it over a socket', { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-notify-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const socket = join(folder, 'socket')
  const script = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
s.settimeout(20)
print('bound', flush=True)
seen = ''
while 'WATCHDOG=1' not in seen:
    data, ancillary, _, _ = s.recvmsg(4096, 4096)
    seen += data.decode() + '\\n'
    for level, kind, content in ancillary:
        pass
print(seen)
`
  const child = spawn('python3', ['-c', script, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => void child.kill())
  const output = text(child.stdout)
  await new Promise(resolve => child.stdout.once('data', resolve))
  const environment = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' }
  const supervisor = createSupervisor({ environment, log: listener().log })
  supervisor.ready('ready')
  const seen = await output
  supervisor.stopping()
  assert.match(seen, /READY=1\nSTATUS=ready/)
})
