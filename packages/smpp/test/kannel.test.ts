// Kannel's bearerbox, a gateway in use for decades, bound to our message centre: bind, enquire_link, texts of each kind
// from its HTTP side, receipts back to it, and a message from a phone to its HTTP callback.
// test: waits, programs
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../scripts/testing/free_port.ts'
import type { PduOf } from '../src/index.ts'
import { composeMessage, readMessage } from '../src/index.ts'
import { startSmsc, until } from './support.ts'

const searchPath = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`
const isInstalled = ['bearerbox', 'smsbox'].every(
  name => spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: searchPath } }).status === 0,
)
const skip = isInstalled ? false : 'Kannel is not installed: bash scripts/system_tools.sh'

/** Both of Kannel's programs, ended with the test. */
async function startKannel(context: TestContext, smscPort: number, callback: string): Promise<{ sendPort: number }> {
  const [adminPort, boxPort, sendPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'kannel_'))
  const config = join(folder, 'kannel.conf')
  const local = 'box-allow-ip = "127.0.0.1"\nbox-deny-ip = "*.*.*.*"'
  writeFileSync(
    config,
    `group = core
admin-port = ${adminPort}
admin-interface = 127.0.0.1
admin-password = test
smsbox-port = ${boxPort}
smsbox-interface = 127.0.0.1
dlr-storage = internal
${local}

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = VMA
interface-version = 34
enquire-link-interval = 1
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = tester
password = secret
max-messages = 10
concatenation = true

group = sms-service
keyword = default
get-url = "${callback}?from=%p&to=%P&text=%b&coding=%c"
max-messages = 0
`,
  )
  const children: ChildProcess[] = []
  context.after(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    }
    rmSync(folder, { recursive: true })
  })
  for (const program of ['bearerbox', 'smsbox']) {
    const options = { stdio: 'ignore', cwd: folder, env: { ...process.env, PATH: searchPath } } as const
    children.push(spawn(program, ['-v', '4', config], options))
    await canConnect(program === 'bearerbox' ? boxPort : sendPort)
  }
  return { sendPort }
}

async function canConnect(port: number): Promise<void> {
  const endMs = performance.now() + 15_000
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      (error: Error & { cause?: { code?: string } }) => error.cause?.code !== 'ECONNREFUSED',
    )
    if (answered) return
    assert.ok(performance.now() < endMs, `nothing listens on port ${port}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('Kannel binds, asks, sends texts of each kind, and gets receipts and messages', {
  skip,
  timeout: 90_000,
}, async context => {
  const requests: URL[] = []
  const http = createHttpServer((request, response) => {
    requests.push(new URL(request.url ?? '/', 'http://127.0.0.1'))
    response.end('ok')
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    http.closeAllConnections()
    http.close()
  })
  const callback = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  const submits: PduOf<'submit_sm'>[] = []
  const seen: string[] = []
  const { smsc, port } = await startSmsc(context, {
    authenticate: ({ systemId, password }) => (systemId === 'kannel' && password === 'secret' ? 0 : 0x0e),
    onSubmit: async (_session, pdu) => {
      submits.push(pdu as PduOf<'submit_sm'>)
      return { status: 0, messageId: `k${submits.length}` }
    },
    onTrace: ({ direction, text }) => seen.push(`${direction} ${text}`),
  })
  const { sendPort } = await startKannel(context, port, callback)
  await until(() => smsc.sessions.length === 1, 'the bind of Kannel')
  const session = smsc.sessions[0]!
  assert.equal(session.role, 'transceiver')

  const sendSms = async (text: string, extra: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      username: 'tester',
      password: 'secret',
      from: '4930123456',
      to: '4915112345678',
      ...extra,
    })
    // Kannel wants the octets of its `charset`, UTF-8 here.
    const url = `http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}&charset=UTF-8&text=${encodeURIComponent(text)}`
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    assert.equal(response.status, 202, await response.text())
  }
  const dlr = { 'dlr-mask': '3', 'dlr-url': `${callback}/dlr?state=%d` }
  await sendSms('Grüße [€] @home', dlr)
  await until(() => submits.length === 1)
  assert.equal(readMessage(submits[0]!).text, 'Grüße [€] @home')
  assert.equal(submits[0]!.destinationAddr, '4915112345678')
  assert.ok((submits[0]!.registeredDelivery & 1) === 1)
  await sendSms('привет 😀', { coding: '2' })
  await until(() => submits.length === 2)
  assert.deepEqual([readMessage(submits[1]!).text, submits[1]!.dataCoding], ['привет 😀', 8])
  const long = 'A long text in several parts. '.repeat(12)
  await sendSms(long)
  await until(() => submits.length === 5)
  const parts = submits.slice(2).map(pdu => readMessage(pdu))
  parts.sort((a, b) => a.join!.part - b.join!.part)
  assert.deepEqual(
    parts.map(({ join }) => [join?.total, join?.part]),
    [
      [3, 1],
      [3, 2],
      [3, 3],
    ],
  )
  assert.equal(parts.map(({ text }) => text).join(''), long)

  const address = { sourceAddr: '4915112345678', sourceAddrTon: 1, sourceAddrNpi: 1, destinationAddr: '4930123456' }
  const receipt = 'id:k1 sub:001 dlvrd:001 submit date:2611211429 done date:2611211430 stat:DELIVRD err:000 text:'
  const tlvs = { receiptedMessageId: 'k1', messageState: 2 }
  const receiptAnswer = await session.deliver({ ...address, ...composeMessage(receipt)[0]!, esmClass: 4, tlvs })
  assert.equal(receiptAnswer.status, 0)
  await until(() => requests.some(url => url.pathname === '/dlr' && url.searchParams.get('state') === '1'), 'a receipt')

  const inbound = await session.deliver({ ...address, ...composeMessage('Hallo [€]')[0]! })
  assert.equal(inbound.status, 0)
  await until(() => requests.some(url => url.searchParams.get('text') === 'Hallo [€]'), 'the message')
  const arrived = requests.find(url => url.searchParams.has('text'))!
  assert.match(arrived.searchParams.get('from') ?? '', /4915112345678$/)
  await until(() => seen.some(line => line.startsWith('in enquire_link')), 'an enquiry')
  assert.equal(session.counters.faults, 0)
})
