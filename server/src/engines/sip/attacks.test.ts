// Guards: what strangers try at the SIP port. Forged datagrams lock no phone out and fill no log; credentials are good for one address
// and one call; what is sent to phones goes nowhere else; carriers that have a connection are not taken at a datagram's word.
// test: waits
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerChallenge, challengesOf, isFault, parseMessage, type SipResponse } from '@tandem/sip'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { addTrunk, type Carrier, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { type Account, addAccount, listening, openTestPhone } from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const carrier = '127.0.0.2'
/** Of another, whose host is an address that anybody may write on a datagram. */
const known = '127.0.0.8'
const own = '+15550100077'

type Asking = { method?: string; uri?: string; user?: string; headers?: string[]; body?: string }

/** Somebody at an address of this machine who writes what he likes. */
async function openStranger(context: TestContext, address: string, port: number) {
  const socket = createSocket('udp4')
  const heard: Buffer[] = []
  socket.on('message', bytes => heard.push(bytes))
  socket.bind(0, address)
  await once(socket, 'listening')
  context.after(() => socket.close())
  let count = 0
  function write({ method = 'REGISTER', uri = 'sip:phones.test', user = 'x', headers = [] }: Asking): Buffer {
    const from = `<sip:${user}@phones.test>`
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${address}:${socket.address().port};branch=z9hG4bK${socket.address().port}-${++count}`,
      `From: ${from};tag=a`,
      `To: ${method === 'REGISTER' ? from : `<${uri}>`}`,
      `Call-ID: ${socket.address().port}-${count}@x`,
      `CSeq: ${count} ${method}`,
      'Max-Forwards: 70',
      `Contact: <sip:${user}@${address}:${socket.address().port}>`,
      ...headers,
      'Content-Length: 0',
    ]
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  }
  const sendBytes = (bytes: Buffer) => socket.send(bytes, port, '127.0.0.1')
  const send = (asking: Asking) => sendBytes(write(asking))
  /** The final answer to a request. */
  async function ask(asking: Asking): Promise<SipResponse> {
    const before = heard.length
    send(asking)
    return eventually('an answer', async () => {
      for (const bytes of heard.slice(before)) {
        const message = parseMessage(bytes)
        if (!isFault(message) && message.kind === 'response' && message.status >= 200) return message
      }
      return undefined
    })
  }
  /** A challenge, and credentials that answer it for some URI. */
  async function proof(account: Account, asking: Asking, signed = asking.uri ?? 'sip:phones.test', password?: string) {
    const [challenge] = challengesOf(await ask({ ...asking, user: account.user }), 'WWW-Authenticate')
    assert.ok(challenge)
    const value = answerChallenge(challenge, {
      username: account.user,
      password: password ?? account.password,
      method: asking.method ?? 'REGISTER',
      uri: signed,
      nonceCount: 1,
      cnonce: 'abcdefgh',
    })
    return { ...asking, user: account.user, headers: [...(asking.headers ?? []), `Authorization: ${value}`] }
  }
  const login = async (account: Account, more: Asking & { password?: string } = {}) =>
    (await ask(await proof(account, more, undefined, more.password))).status
  return { address, heard, send, sendBytes, ask, proof, login, write, port: socket.address().port }
}

describe('strangers at the SIP port', () => {
  let t: TestApp
  let port: number
  let hall: Account
  let phone: Carrier
  let log = ''
  before(async () => {
    port = await freePort()
    const logTo = new PassThrough()
    logTo.on('data', text => {
      log += text
    })
    t = await startTestApp({
      work: true,
      logTo,
      env: {
        ...sipEnv,
        TANDEM_EGRESS_ALLOW: `${carrier}/32,${known}/32`,
        TANDEM_SIP_DOMAIN: 'phones.test',
        TANDEM_SIP_PORT: String(port),
        TANDEM_LOG_LEVEL: 'warn',
      },
    })
    hall = await addAccount(t, t.main.liveKey, { username: 'hall' })
    const one = await openTestPhone(port, hall, { onCall: ({ call }) => void call.answer() })
    phone = one
    await listening(one)
    await addTrunk(t, 9, { settings: { host: carrier, transport: 'tcp', foreignCallerIds: true } })
    await eventually('the trunk', async () => (await t.ownerSql('select 1 from trunk_states')).length === 1)
    await t.call('POST', '/v2/numbers', { as: t.main.liveKey, body: { number: own, voice: true } })
  })
  after(async () => {
    await t.close()
    await phone.close()
  })
  const timesLogged = (text: string) => log.split('\n').filter(line => line.includes(text)).length

  test('who has proved nothing gets one answer, no more than twice what was sent', async context => {
    const stranger = await openStranger(context, '127.0.0.12', port)
    for (const [user, status] of [
      ['stranger', 403],
      [hall.user, 401],
    ] as const) {
      const asking = { method: 'INVITE', uri: 'sip:+15550100200@phones.test', user }
      const before = stranger.heard.length
      assert.equal((await stranger.ask(asking)).status, status)
      // T1 is half a second: there it would be repeated.
      await sleep(700)
      const [answer, ...more] = stranger.heard.slice(before)
      assert.equal(more.length, 0)
      assert.ok((answer?.length ?? 0) < 2 * stranger.write(asking).length, String(answer))
    }
  })

  test('who forges the address of a carrier that is called by datagrams gets one answer to each, and no more', async context => {
    const trunk = await addTrunk(t, 9, { settings: { host: known, transport: 'udp', foreignCallerIds: true } })
    const forger = await openStranger(context, known, port)
    const [unowned, ours] = ['sip:+15550100999@phones.test', `sip:${own}@phones.test`]
    await eventually('the trunk', async () => {
      const rows = await t.ownerSql('select 1 from trunk_states where trunk_id = $1', [trunk])
      return rows.length === 1 && (await forger.ask({ method: 'INVITE', uri: unowned })).status === 404
    })
    const refused: [Asking, number][] = [
      [{ method: 'INVITE', uri: unowned }, 404],
      [{ method: 'INVITE', uri: ours, headers: ['Require: telepathy'] }, 420],
    ]
    for (const [asking, status] of refused) {
      const before = forger.heard.length
      const datagram = forger.write(asking)
      for (let copy = 0; copy < 3; copy++) forger.sendBytes(datagram)
      // A refusal that is kept would be repeated after 0.5 and 1.5 s.
      await sleep(1_800)
      const answers = forger.heard.slice(before)
      assert.ok(answers.length >= 1 && answers.length <= 3, `${answers.length} answers to 3 datagrams`)
      assert.equal(new Set(answers.map(String)).size, 1)
      assert.match(String(answers[0]), new RegExp(`^SIP/2.0 ${status} `))
      assert.ok((answers[0]?.length ?? 0) < 2 * datagram.length, String(answers[0]))
    }
    await t.call('DELETE', `/v2/voice/trunks/${trunk}`, { as: t.main.tokens.Admin })
  })

  test('datagrams that are forged lock no phone out', async context => {
    const office = await openStranger(context, '127.0.0.9', port)
    const credentials = (nonce: string) =>
      `Authorization: Digest username="${hall.user}", realm="tandem", nonce="${nonce}", uri="sip:phones.test", response="${'0'.repeat(32)}", algorithm=MD5`
    const before = office.heard.length
    for (let tries = 0; tries < 40; tries++) office.send({ user: hall.user, headers: [credentials('00')] })
    await eventually('the answers', async () => office.heard.length >= before + 40)
    assert.equal(await office.login(hall), 200)
    assert.equal(timesLogged('wrong password'), 0)
  })

  test('who guesses waits, and a phone that is registered beside him does not; the log records it once', async context => {
    const [desk, guesser] = [
      await openStranger(context, '127.0.0.10', port),
      await openStranger(context, '127.0.0.10', port),
    ]
    assert.equal(await desk.login(hall), 200)
    const statuses: number[] = []
    for (let tries = 0; tries < 9; tries++) statuses.push(await guesser.login(hall, { password: 'guess' }))
    assert.deepEqual([statuses[0], statuses.at(-1), await guesser.login(hall)], [401, 403, 403])
    assert.equal(await desk.login(hall), 200)
    assert.equal(timesLogged('wrong password'), 1)
  })

  test('credentials are for one call and one address', async context => {
    const [one, other] = [
      await openStranger(context, '127.0.0.1', port),
      await openStranger(context, '127.0.0.11', port),
    ]
    const invite = { method: 'INVITE', uri: 'sip:+15550100200@phones.test' }
    const moved = await one.ask(await one.proof(hall, invite, 'sip:+15550100201@phones.test'))
    assert.equal(moved.status, 400)
    assert.match(JSON.stringify(moved.headers), /another Request-URI/)
    const stolen = await other.ask(await one.proof(hall, {}))
    assert.equal(stolen.status, 401)
    assert.equal(challengesOf(stolen, 'WWW-Authenticate')[0]?.isStale, true)
    assert.equal(await other.login(hall), 200)
    // As some phones spell it.
    assert.equal((await one.ask(await one.proof(hall, {}, 'sip:phones.test;transport=udp'))).status, 200)
  })

  test('another tenant reaches nobody where a phone once came from, and a phone sends no calls elsewhere', async context => {
    const victim = await openStranger(context, '127.0.0.1', port)
    const desk = await addAccount(t, t.main.liveKey, { username: 'desk' })
    const call = async (to: string, instructions: unknown[]) => {
      const { json, text, status } = await t.call('POST', '/v2/voice/calls', {
        as: t.main.liveKey,
        body: { from: own, to, timeoutSeconds: 5, instructions },
      })
      assert.equal(status, 200, text)
      return callIn(t, json.data.callId, over, t.main.liveKey, 20_000)
    }
    assert.equal(await victim.login(desk), 200)
    const before = victim.heard.length
    const targets = [{ type: 'sip', uri: `sip:anybody@127.0.0.1:${victim.port}` }]
    const ended = await call(hall.address, [{ verb: 'dial', targets, timeoutSeconds: 5 }])
    assert.equal(ended.state, 'completed')
    const { json } = await t.call('GET', `/v2/voice/calls?parentCallId=${ended.callId}`, { as: t.main.liveKey })
    assert.deepEqual(
      json.data.map((child: { to: string; state: string }) => [child.to, child.state]),
      [[targets[0]?.uri, 'failed']],
    )
    await sleep(100)
    assert.equal(victim.heard.length, before)

    const third = await openStranger(context, carrier, port)
    const pathed = { headers: ['Supported: path', `Path: <sip:${carrier}:${third.port};lr>`] }
    assert.equal(await victim.login(desk, pathed), 200)
    assert.equal((await call(desk.address, [{ verb: 'pause', seconds: 1 }])).state, 'no_answer')
    assert.match(String(victim.heard.at(-1)), /^(?:INVITE|CANCEL)/)
    assert.equal(third.heard.length, 0)
  })

  test('a datagram from the address of a carrier that is called over TCP is none of the carrier', async context => {
    const forger = await openStranger(context, carrier, port)
    const uri = `sip:${own}@phones.test`
    assert.equal((await forger.ask({ method: 'INVITE', uri })).status, 403)
    const socket = connect({ port, host: '127.0.0.1', localAddress: carrier })
    context.after(() => socket.destroy())
    socket.write(forger.write({ method: 'INVITE', uri }).toString().replace('/UDP', '/TCP'))
    let said = ''
    socket.on('data', text => {
      said += text
    })
    await eventually('an answer', async () => /SIP\/2\.0 [2-6]/.test(said))
    assert.doesNotMatch(said, /SIP\/2\.0 40[13]/)
  })
})
