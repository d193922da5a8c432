// Guards: phones that register. Who proves a password is reached where it said, by any node and after a restart; who does not is
// kept out and slowed down; all phones of a user ring, and one has the call; tenants do not reach each other's.
// test: waits
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatCredentials } from '@tandem/sip'
import { startSipp, without } from '../../../../packages/sip/test/agent_programs.ts'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import type { CarrierOptions } from '../../../test/engines/sip_carrier.ts'
import {
  type Account,
  addAccount,
  listening,
  openTestPhone,
  startPhoneServer,
  type TestPhone,
} from '../../../test/engines/sip_phones.ts'
import { eventually } from '../../../test/eventually.ts'
import type { TestApp } from '../../../test/harness.ts'
import { callIn } from '../../../test/voice/calls.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const path = '/v2/voice/sip-credentials'

describe('phones', () => {
  let t: TestApp
  let port: number
  const phones: TestPhone[] = []
  let desk: Account
  let hall: Account
  before(async () => {
    port = await freePort()
    t = await startPhoneServer(port)
    desk = await addAccount(t, t.main.testKey, { username: 'desk', displayName: 'Desk' })
    hall = await addAccount(t, t.main.testKey, { username: 'hall' })
    await listening(await open(desk))
  })
  after(async () => {
    await t.close()
    await Promise.all(phones.map(phone => phone.close()))
  })
  async function open(account: Account, options?: CarrierOptions): Promise<TestPhone> {
    const phone = await openTestPhone(port, account, options)
    phones.push(phone)
    return phone
  }
  const seen = async ({ credentialId }: Account, as = t.main.testKey) =>
    (await t.call('GET', `${path}/${credentialId}`, { as })).json.data.registrations
  const forget = () => t.ownerSql('delete from sip_contacts')
  async function call(to: string, as = t.main.testKey, body: Record<string, unknown> = {}): Promise<string> {
    const instructions = [{ verb: 'pause', seconds: 60 }]
    const { status, json, text } = await t.call('POST', '/v2/voice/calls', {
      as,
      body: { from: '+15550100001', to, instructions, ...body },
    })
    assert.equal(status, 200, text)
    return json.data.callId
  }

  test('a phone is registered, shown, replaced and forgotten when its time is over', async () => {
    await forget()
    const phone = await open(hall)
    assert.equal((await phone.register({ headers: [['User-Agent', 'Example 1']] })).status, 200)
    const [shown, ...others] = await seen(hall)
    assert.deepEqual([others.length, shown.userAgent], [0, 'Example 1'])
    assert.match(shown.source, /^sip:127\.0\.0\.1:\d+;transport=udp$/)
    assert.equal((await phone.register({ expires: 59 })).status, 423)
    assert.equal((await phone.register()).status, 200)
    assert.equal((await seen(hall)).length, 1)
    assert.equal((await phone.register({ contact: '*', expires: 0 })).status, 200)
    assert.deepEqual(await seen(hall), [])
    assert.equal((await phone.register({ expires: 60 })).status, 200)
    t.clock.advance(61_000)
    assert.deepEqual(await seen(hall), [])
  })

  test('a phone that is reached by its connection says something before that is closed as idle', async () => {
    await forget()
    const phone = await open(hall)
    const secondsOf = ({ headers }: Awaited<ReturnType<TestPhone['register']>>) =>
      Number(/expires=(\d+)/.exec(headers.find(({ name }) => name === 'Contact')?.value ?? '')?.[1])
    assert.equal(secondsOf(await phone.register({ tcp: true, expires: 3_600 })), 300)
    assert.equal(secondsOf(await phone.register({ tcp: true, expires: 90 })), 90)
    await forget()
    assert.equal(secondsOf(await phone.register({ expires: 3_600 })), 3_600)
  })

  test('all phones of a user ring, over UDP and over the connection they came by; the first has the call', async () => {
    await forget()
    const ringing: CarrierOptions = { onCall: ({ call }) => call.ring() }
    const slow = await open(desk, ringing)
    // Its Contact leads nowhere: it is reached by its connection alone.
    const quick = await open(desk, {
      async onCall({ call }) {
        call.ring()
        await eventually('the other one to ring', async () => slow.calls.length > 0)
        await call.answer()
      },
    })
    await slow.register()
    await quick.register({ tcp: true, contact: `<sip:${desk.user}@192.0.2.1:9;transport=tcp>` })
    const callId = await call(desk.address)
    const answered = await callIn(t, callId, ['answered'], t.main.testKey)
    assert.equal(answered.sipCode, null)
    await eventually('the end of the other', async () => slow.calls[0]?.call.phase === 'ended')
    assert.equal(quick.calls[0]?.call.phase, 'answered')
    quick.calls[0]?.call.end()
    const ended = await callIn(t, callId, over, t.main.testKey)
    assert.deepEqual([ended.state, ended.hangupBy], ['completed', 'callee'])
    await eventually('nothing of it is stored', async () => {
      return (await t.ownerSql('select 1 from sip_calls where call_id = $1', [callId])).length === 0
    })
  })

  test('sound goes to no address that only a description names, and to the phone once it is heard', async context => {
    await forget()
    const victim = createSocket('udp4').bind(0, '127.0.0.66')
    context.after(() => victim.close())
    await once(victim, 'listening')
    let packets = 0
    victim.on('message', () => packets++)
    const local = { address: { family: 'IP4', address: '127.0.0.66' } as const, port: victim.address().port }
    const phone = await open(desk, { local, onCall: ({ call }) => void call.answer() })
    await phone.register()
    const callId = await call(desk.address)
    await callIn(t, callId, ['answered'], t.main.testKey)
    const heard = () => phone.calls[0]?.rtp?.statistics().received.packets ?? 0
    await eventually('sound', async () => heard() > 50)
    // Its own call says the same; it sends nothing.
    const answered = Promise.withResolvers<void>()
    const calling = phone.agent.call({
      from: `<sip:${desk.user}@phones.test>`,
      to: '<sip:+15005550205@phones.test>',
      target: `sip:+15005550205@127.0.0.1:${port}`,
      account: { username: desk.user, password: desk.password },
      local: { sessionId: '9', ...local },
      handlers: { onMedia() {}, onAnswered: answered.resolve, onEnded() {} },
    })
    await answered.promise
    await sleep(500)
    assert.equal(packets, 0)
    calling.end()
    phone.calls[0]?.call.end()
    await callIn(t, callId, over, t.main.testKey)
  })

  test('what phones say is what is reported: busy, nobody registered, no such user, another tenant', async () => {
    await forget()
    const endOf = async (to: string, as = t.main.testKey) => {
      const ended = await callIn(t, await call(to, as), over, as)
      return [ended.state, ended.hangupCause, ended.sipCode]
    }
    assert.deepEqual(await endOf(desk.address), ['no_answer', 'not_registered', 480])
    const busy = await open(desk, { onCall: ({ call }) => call.reject(486) })
    await busy.register()
    assert.deepEqual(await endOf(desk.address), ['busy', 'user_busy', 486])
    assert.deepEqual(await endOf('sip:nobody@phones.test'), ['failed', 'unallocated', 404])
    assert.deepEqual(await endOf(desk.address, t.other.testKey), ['failed', 'unallocated', 404])
    assert.deepEqual(await endOf('sip:desk@phones.test', t.main.liveKey), ['failed', 'unallocated', 404])
    assert.equal(busy.calls.length, 1)
    const foreign = await t.call('POST', '/v2/voice/calls', {
      as: t.main.testKey,
      body: { from: '+15550100001', to: 'sip:desk@elsewhere.test' },
    })
    assert.equal(foreign.json.error.code, 'invalid_to_number', foreign.text)
  })

  test('sipp registers with its proof, and not with a wrong one', { skip: without('sipp') }, async context => {
    await forget()
    const right = { USER: desk.user, PASSWORD: desk.password, WANTED: '200' }
    const to = `127.0.0.1:${port}`
    // Left alone it signs the address it sends to.
    const args = ['-auth_uri', 'phones.test']
    const { code, text } = await (await startSipp(context, 'uac_register', { to, replace: right, args })).done
    assert.equal(code, 0, text)
    assert.equal((await seen(desk))[0].userAgent, 'sipp')
    const wrong = { ...right, PASSWORD: 'guessed', WANTED: '401' }
    const guessed = await (await startSipp(context, 'uac_register', { to, replace: wrong, args })).done
    assert.equal(guessed.code, 0, guessed.text)
  })

  test('what is registered outlives the process: another node rings the phone', async () => {
    await forget()
    const phone = await open(desk)
    await phone.register()
    const nextPort = await freePort()
    const next = await t.secondApp({ TANDEM_SIP_PORT: String(nextPort), TANDEM_SIP_DIGESTS: 'SHA-256,MD5' })
    await t.app.stop()
    await next.app.startWork()
    port = nextPort
    t = { ...t, app: next.app, call: next.call }
    const callId = await call(desk.address)
    const ended = await callIn(t, callId, over, t.main.testKey)
    assert.deepEqual([ended.state, phone.calls.length], ['completed', 1])
  })

  test('a phone dials another by its name, and hears why it is not reached', async () => {
    await forget()
    const target = await open(hall, { onCall: ({ call }) => call.reject(486) })
    await target.register()
    const caller = await open(desk)
    await eventually('the registrar', async () => (await caller.register()).status === 200)
    const dial = async (user: string, password = desk.password) => {
      const { promise, resolve } = Promise.withResolvers<number>()
      caller.agent.call({
        from: `<sip:${desk.user}@phones.test>`,
        to: `<sip:${user}@phones.test>`,
        target: `sip:${user}@127.0.0.1:${port}`,
        account: { username: desk.user, password },
        local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
        handlers: { onMedia() {}, onEnded: end => resolve(end.status) },
      })
      return promise
    }
    assert.equal(await dial('hall'), 486)
    const [outbound, inbound] = await eventually('the end of both', async () => {
      const { json } = await t.call('GET', '/v2/voice/calls?limit=2', { as: t.main.testKey })
      return json.data.every(({ state }: { state: string }) => over.includes(state)) && json.data
    })
    assert.deepEqual(
      [inbound.direction, inbound.from, inbound.to, inbound.state, inbound.callerName],
      ['inbound', desk.address, hall.address, 'busy', 'Desk'],
    )
    assert.deepEqual([outbound.parentCallId, outbound.from, outbound.state], [inbound.callId, desk.address, 'busy'])
    assert.equal(await dial('nobody'), 404)
    assert.equal(await dial('hall', 'not the password'), 401)
  })

  test('wrong passwords are reported, and slowed down', async () => {
    const phone = await open(hall)
    const statuses: number[] = []
    for (let tries = 0; tries < 8; tries++) statuses.push((await phone.register({ password: 'guess' })).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 403])
    t.clock.advance(20 * 60_000)
    assert.equal((await phone.register()).status, 200)
  })

  test('a credential that is removed lets nobody in; one with a new password only who knows it', async () => {
    const phone = await open(hall)
    assert.equal((await phone.register()).status, 200)
    const password = 'another-password-1'
    const patched = await t.call('PATCH', `${path}/${hall.credentialId}`, { as: t.main.testKey, body: { password } })
    assert.equal(patched.status, 200, patched.text)
    assert.equal((await phone.register()).status, 401)
    assert.equal((await phone.register({ password })).status, 200)
    await t.call('DELETE', `${path}/${hall.credentialId}`, { as: t.main.testKey })
    assert.equal((await phone.register({ password })).status, 401)
    assert.deepEqual(await t.ownerSql('select 1 from sip_contacts where credential_id = $1', [hall.credentialId]), [])
  })
})

test('guesses of one network are slowed down together, whatever addresses of it they come from', async context => {
  const port = await freePort()
  const t = await startPhoneServer(port, { TANDEM_TRUSTED_PROXIES: '127.0.0.1' })
  context.after(() => t.close())
  const { user } = await addAccount(t, t.main.testKey, { username: 'attic' })
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  context.after(() => socket.close())
  await once(socket, 'listening')
  let cseq = 0
  /** By a proxy, which says where it came from. */
  async function register(address: string, credentials = '', waitMs = 20_000): Promise<string> {
    cseq++
    const lines = [
      'REGISTER sip:phones.test SIP/2.0',
      `Via: SIP/2.0/UDP 127.0.0.1:${socket.address().port};branch=z9hG4bKproxy${cseq}`,
      `Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK${cseq};received=${address};rport=5060`,
      'Max-Forwards: 70',
      `From: <sip:${user}@phones.test>;tag=1`,
      `To: <sip:${user}@phones.test>`,
      'Call-ID: attic',
      `CSeq: ${cseq} REGISTER`,
      'Contact: <sip:attic@192.0.2.1>',
      ...(credentials === '' ? [] : [`Authorization: ${credentials}`]),
      'Content-Length: 0',
    ]
    const heard = once(socket, 'message', { signal: AbortSignal.timeout(waitMs) })
    socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, '127.0.0.1')
    return String((await heard)[0])
  }
  async function guess(address: string): Promise<string> {
    const nonce = /nonce="([^"]+)"/.exec(await register(address))?.[1] ?? ''
    const parts = { username: user, realm: 'tandem', nonce, uri: 'sip:phones.test', qop: 'auth' } as const
    const count = { nonceCount: '00000001', cnonce: 'guess123', opaque: undefined }
    return register(address, formatCredentials({ ...parts, ...count, algorithm: 'MD5', response: '0'.repeat(32) }))
  }
  await eventually('the registrar', () =>
    register('2001:db8:7::1', '', 200).then(
      () => true,
      () => false,
    ),
  )
  const answers: string[] = []
  for (let host = 1; host <= 7; host++) answers.push(await guess(`2001:db8::${host}`))
  assert.match(answers[0]!, /^SIP\/2\.0 401 /)
  assert.match(answers.at(-1)!, /^SIP\/2\.0 403 [\s\S]*\r\nRetry-After: /)
  assert.match(await guess('2001:db8:0:1::1'), /^SIP\/2\.0 401 /)
})
