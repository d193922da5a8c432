// Guards: two voice nodes behind Kamailio, with the configuration that docs/voice.md shows. Calls that come in go to either node, and
// all of a call to the one that holds it; calls that go out pass through Kamailio; a dead node is passed over; a phone that
// registered through it is called through it.
// test: own process, waits, programs
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isUdpBound, openFolder, startSipp, without } from '../../../../packages/sip/test/agent_programs.ts'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { addTrunk, startCarrier } from '../../../test/engines/sip_carrier.ts'
import { addAccount, openTestPhone, startPhoneServer } from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import { callIn, startCall } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const number = '+15550100077'

/** Debian keeps it where only root's path leads. */
process.env['PATH'] += ':/usr/sbin'
const skip = without('kamailio') || without('sipp')

async function startKamailio(context: TestContext, nodes: readonly number[], carrier: number): Promise<number> {
  const folder = openFolder(context)
  const port = await freePort()
  const list = join(folder, 'dispatcher.list')
  const lines = [...nodes.map(node => `1 sip:127.0.0.1:${node}`), `2 sip:127.0.0.1:${carrier}`]
  writeFileSync(list, `${lines.join('\n')}\n`)
  const example = readFileSync(join(import.meta.dirname, '../../../../docs/examples/kamailio.cfg'), 'utf8')
  const config = example
    .replace('udp:203.0.113.10:5060', `udp:127.0.0.1:${port}`)
    .replace('/etc/kamailio/dispatcher.list', list)
    .replace('children=4', 'children=1')
  assert.ok(config.includes(String(port)) && config.includes(list))
  const file = join(folder, 'kamailio.cfg')
  writeFileSync(file, config)
  const args = ['-f', file, '-DD', '-E', '-m', '16', '-M', '4', '-Y', folder, '-P', join(folder, 'pid')]
  const child = spawn('kamailio', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', bytes => {
    said = (said + bytes).slice(-5_000)
  })
  const exit = once(child, 'exit')
  // It ends its own children when it is asked to.
  context.after(async () => {
    child.kill('SIGTERM')
    await exit
  })
  await eventually('Kamailio', () => {
    assert.equal(child.exitCode, null, said)
    return isUdpBound(port)
  })
  return port
}

test('two nodes behind Kamailio', { skip }, async context => {
  const [first, second] = [await freePort(), await freePort()]
  const carrier = await startCarrier({ talkMs: 200 })
  context.after(() => carrier.close())
  const proxy = await startKamailio(context, [first, second], carrier.port)
  const env = { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_TRUSTED_PROXIES: '127.0.0.1' }
  const t = await startPhoneServer(first, env)
  context.after(() => t.close())
  const as = t.main.liveKey
  const settings = { outboundProxy: `127.0.0.1:${proxy}`, sourceAddresses: ['127.0.0.1'] }
  const trunk = await addTrunk(t, carrier.port, { settings })
  // Each node knows the trunk from the moment that it listens, and is passed over until then.
  const other = await t.secondApp({ TANDEM_SIP_PORT: String(second) })
  await other.app.startWork()
  const account = await addAccount(t, as, { username: 'desk' })
  const made = await t.call('POST', '/v2/numbers', { as, body: { number, voice: true } })
  const numberId = made.json.data.numberId
  const list = { instructions: [{ verb: 'answer' }, { verb: 'pause', seconds: 60 }] }
  assert.equal((await t.call('PUT', `/v2/numbers/${numberId}/voice`, { as, body: list })).status, 200)
  const isUp = () => t.ownerSql("select 1 from trunk_states where trunk_id = $1 and state = 'up'", [trunk])
  await eventually('the trunk', async () => (await isUp()).length > 0)
  await eventually('both nodes', () => isUdpBound(first) && isUdpBound(second))

  async function comeIn(calls: number): Promise<void> {
    const sipp = await startSipp(context, 'uac_routed', {
      to: `127.0.0.1:${proxy}`,
      calls,
      replace: { NUMBER: number },
      args: ['-l', '1'],
    })
    const { code, text } = await sipp.done
    assert.equal(code, 0, text)
  }
  /** Which nodes answered calls that came in, by the Contact of their 200. */
  async function answeredBy(count: number): Promise<number[]> {
    const rows = await eventually('the traces', async () => {
      const found = await t.ownerSql<{ message: string }>(
        `select message from call_traces where direction = 'sent' and message like 'SIP/2.0 200%1 INVITE%'`,
      )
      return found.length >= count && found
    })
    return rows.map(({ message }) => Number(/Contact: <sip:127\.0\.0\.1:(\d+)>/.exec(message)?.[1]))
  }

  await comeIn(4)
  const taken = await answeredBy(4)
  assert.deepEqual(new Set(taken), new Set([first, second]), taken.join(' '))

  const outbound = await callIn(t, await startCall(t, '+15550100002', {}, as), over, as, 20_000)
  assert.deepEqual([outbound.state, outbound.hangupBy], ['completed', 'callee'])
  assert.deepEqual([carrier.calls.length, carrier.seen.port], [1, proxy])

  const phone = await openTestPhone(proxy, account, { talkMs: 200 })
  context.after(() => phone.close())
  await eventually('the registration', async () => (await phone.register()).status === 200)
  const rung = await callIn(t, await startCall(t, account.address, {}, as), over, as, 20_000)
  assert.deepEqual([rung.state, phone.calls.length, phone.seen.port], ['completed', 1, proxy])

  await other.app.stop()
  await comeIn(3)
  const later = (await answeredBy(7)).filter(port => port === first)
  assert.ok(later.length >= 5, String(later.length))
})
