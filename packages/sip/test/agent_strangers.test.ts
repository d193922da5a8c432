// Requests of who has proved nothing: one answer, no state, the same tag for each copy, little of it for one source.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createStrangers } from '../src/agent/strangers.ts'
import type { SipAgent, SipAgentOptions, SipReply } from '../src/agent/types.ts'
import { readCore } from '../src/core.ts'
import type { SipResponse } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import type { SipFlow } from '../src/transport/types.ts'
import { accept, openAgent } from './agent_support.ts'
import { requestOf, until } from './transport_support.ts'

async function openStranger(context: TestContext, options: Partial<SipAgentOptions>) {
  const agent = await openAgent(context, call => call.reject(480), options)
  return { agent, ...(await openSocket(context, agent)) }
}

async function openSocket(context: TestContext, agent: SipAgent, address = '127.0.0.1') {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 })
  const heard: string[] = []
  socket.on('message', bytes => heard.push(String(bytes)))
  socket.bind(0, address)
  await once(socket, 'listening')
  context.after(() => socket.close())
  const { port } = agent.bound.find(({ transport }) => transport === 'udp')!
  function send(method: string, id: number, { toTag = '', branch = `${method}${id}` } = {}): number {
    const own = `${address}:${socket.address().port}`
    const lines = [
      `${method} sip:+15550100@${own} SIP/2.0`,
      `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${branch}`,
      'From: <sip:stranger@example.com>;tag=1',
      `To: <sip:+15550100@example.com>${toTag}`,
      `Call-ID: ${id}@example.com`,
      `CSeq: 1 ${method}`,
      'Max-Forwards: 70',
      'Content-Length: 0',
    ]
    const text = `${lines.join('\r\n')}\r\n\r\n`
    socket.send(text, port, '127.0.0.1')
    return text.length
  }
  return { heard, send, sendText: (text: string) => socket.send(text, port, '127.0.0.1') }
}

const tagOf = (text: string | undefined) => /^To:.*;tag=(\w+)/m.exec(text ?? '')?.[1]

test('many INVITEs of strangers: each has one answer, and nothing is kept of any', async context => {
  const { agent, heard, send } = await openStranger(context, { screen: () => ({ status: 403 }) })
  let octets = 0
  const count = 5_000
  for (let id = 0; id < count; id++) {
    octets += send('INVITE', id)
    if (id % 100 === 99) await until(() => heard.length === id + 1, 'the answers')
    assert.equal(agent.counts.transactions, 0)
  }
  // A repetition would have come within 64*T1.
  await new Promise(resolve => setTimeout(resolve, 300))
  assert.equal(heard.length, count)
  assert.ok(heard.every(text => text.startsWith('SIP/2.0 403 ')))
  assert.ok(heard.join('').length < 2 * octets)
  assert.deepEqual(agent.counts, { live: 0, known: 0, transactions: 0, waiting: 0, held: 0, timers: 0 })
  assert.equal(agent.traces.length, 0)
})

test('a copy has the same tag; what follows a call that nobody has is refused without a state, ACK in silence', async context => {
  const { agent, heard, send } = await openStranger(context, {
    screen: ({ method }) => (method === 'INVITE' ? { status: 401 } : 'usual'),
  })
  for (const times of [1, 2]) {
    send('INVITE', 1)
    await until(() => heard.length === times, 'an answer')
  }
  assert.ok(tagOf(heard[0]))
  assert.equal(tagOf(heard[0]), tagOf(heard[1]))
  send('ACK', 1, { toTag: `;tag=${tagOf(heard[0])}`, branch: 'INVITE1' })
  send('CANCEL', 1, { branch: 'INVITE1' })
  await until(() => heard.length === 3, 'the answer to CANCEL')
  send('BYE', 2, { toTag: ';tag=nobody' })
  await until(() => heard.length === 4, 'the answer to BYE')
  send('OPTIONS', 3)
  await until(() => heard.length === 5, 'the answer to OPTIONS')
  assert.deepEqual(
    heard.map(text => text.slice(8, 11)),
    ['401', '401', '481', '481', '200'],
  )
  assert.equal(agent.counts.transactions, 0)
})

test('who is let in is served as ever; a source gets so many answers, and more after a while', async context => {
  let isLetIn = false
  const screen = () => (isLetIn ? undefined : ({ status: 403 } as const))
  const { agent, heard, send } = await openStranger(context, { screen, strangers: { perSecond: 20, burst: 5 } })
  for (let id = 0; id < 50; id++) send('INVITE', id)
  await until(() => heard.length >= 5, 'the answers')
  const early = heard.length
  assert.ok(early < 15, String(early))
  await until(() => {
    send('INVITE', 100)
    return heard.length > early
  }, 'another answer')
  isLetIn = true
  await until(() => {
    send('INVITE', 200)
    return heard.some(text => text.startsWith('SIP/2.0 480'))
  }, 'a served call')
  assert.ok(agent.counts.transactions >= 1)
})

test('of a source that is let in at once no more is served than it would be answered', async context => {
  const { agent, heard, send } = await openStranger(context, {
    screen: () => undefined,
    strangers: { perSecond: 1, burst: 5 },
  })
  for (let id = 0; id < 50; id++) send('INVITE', id)
  const served = () =>
    new Set(heard.filter(text => text.startsWith('SIP/2.0 480')).map(text => /^Call-ID: (.*)/m.exec(text)?.[1])).size
  await until(() => served() >= 5, 'the calls that are served')
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.ok(served() < 10, String(served()))
  assert.ok(agent.counts.transactions < 10, String(agent.counts.transactions))
})

test('whose request has to be looked up hears nothing until then, and is one answer or is let in', async context => {
  const looks: PromiseWithResolvers<SipReply | undefined>[] = []
  const { agent, heard, send } = await openStranger(context, {
    screen() {
      return () => {
        const look = Promise.withResolvers<SipReply | undefined>()
        looks.push(look)
        return look.promise
      }
    },
  })
  const held = (count: number) => until(() => agent.counts.held === count, `${count} that are held`)
  for (const _copy of [1, 2, 3]) send('INVITE', 1)
  await held(1)
  // Longer than all repetitions of a transaction.
  await new Promise(resolve => setTimeout(resolve, 300))
  assert.deepEqual([heard.length, looks.length, agent.counts.transactions], [0, 1, 0])
  looks[0]!.resolve({ status: 404 })
  await held(0)
  await new Promise(resolve => setTimeout(resolve, 300))
  assert.deepEqual(
    heard.map(text => text.slice(8, 11)),
    ['404'],
  )
  assert.deepEqual(agent.counts, { live: 0, known: 0, transactions: 0, waiting: 0, held: 0, timers: 0 })

  send('INVITE', 2)
  await held(1)
  looks[1]!.resolve(undefined)
  await until(() => heard.length === 3, 'a served call')
  assert.deepEqual(
    heard.slice(1).map(text => text.slice(8, 11)),
    ['100', '480'],
  )
  // A mistake lets nobody in.
  send('INVITE', 3)
  await held(1)
  looks[2]!.reject(new Error('the database is away'))
  await until(() => heard.some(text => text.startsWith('SIP/2.0 500')), 'an answer')
  assert.equal(agent.errors.length, 1)
})

test('a CANCEL of a request that is held takes it back as soon as it is let in', async context => {
  const look = Promise.withResolvers<undefined>()
  const agent = await openAgent(context, call => void accept(call), {
    screen: ({ method }) => (method === 'INVITE' ? () => look.promise : 'usual'),
  })
  const { heard, send } = await openSocket(context, agent)
  send('INVITE', 1)
  await until(() => agent.counts.held === 1, 'it is held')
  send('CANCEL', 1, { branch: 'INVITE1' })
  send('CANCEL', 1, { branch: 'INVITE1' })
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.equal(heard.length, 0)
  look.resolve(undefined)
  await until(() => heard.length >= 3, 'the answers')
  assert.deepEqual(
    heard
      .slice(0, 3)
      .map(text => `${text.slice(8, 11)} ${/CSeq: 1 (\w+)/.exec(text)?.[1]}`)
      .toSorted(),
    ['100 INVITE', '200 CANCEL', '487 INVITE'],
  )
  assert.equal(agent.calls, 0)
})

test('a flood that has to be looked up: one source holds so much and no more, and others are served', async context => {
  const looks: (() => void)[] = []
  const { agent, send } = await openStranger(context, {
    screen: () => () => new Promise<undefined>(resolve => looks.push(() => resolve(undefined))),
  })
  for (let id = 0; id < 2_000; id++) {
    send('INVITE', id)
    if (id % 100 === 99) await new Promise(resolve => setTimeout(resolve, 5))
  }
  await until(() => looks.length === 200, 'what is looked up')
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.deepEqual([looks.length, agent.counts.held, agent.counts.transactions], [200, 200, 0])
  const other = await openSocket(context, agent, '127.0.0.3')
  other.send('INVITE', 9_000)
  await until(() => agent.counts.held === 201, 'one of another source')
  looks[200]!()
  await until(() => other.heard.some(text => text.startsWith('SIP/2.0 480')), 'its answer')
})

test('an INVITE that cannot be served has one answer, and nothing is kept of it', async context => {
  const { agent, heard, sendText } = await openStranger(context, {})
  const { port } = agent.bound[0]!
  const send = (id: number, line: string) =>
    sendText(
      [
        `INVITE sip:+15550100@127.0.0.1:${port} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:1;rport;branch=z9hG4bKunfit${id}`,
        'From: <sip:stranger@example.com>;tag=1',
        'To: <sip:+15550100@example.com>',
        `Call-ID: unfit${id}@example.com`,
        'CSeq: 1 INVITE',
        'Max-Forwards: 70',
        line,
        'Content-Length: 0\r\n\r\n',
      ].join('\r\n'),
    )
  send(1, 'Require: telepathy')
  send(2, 'Replaces: nobody@example.com;to-tag=1;from-tag=2')
  await until(() => heard.length === 2, 'the answers')
  await new Promise(resolve => setTimeout(resolve, 300))
  assert.deepEqual(
    heard.map(text => text.slice(8, 11)),
    ['420', '481'],
  )
  assert.equal(agent.counts.transactions, 0)
})

test('an answer that cannot be read is reported, and traced', async context => {
  const reported: string[] = []
  const { agent, sendText } = await openStranger(context, { onUnreadable: ({ detail }) => void reported.push(detail) })
  const { port } = agent.bound[0]!
  const lines = [
    'SIP/2.0 200 OK',
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK1`,
    'From: <sip:a@example.com>;tag=1',
    'To: <sip:b@example.com>;tag=2',
    'Call-ID: unreadable@example.com',
    'CSeq: 1 INVITE',
    'Contact: <sip:b|c@example.com>',
    'Content-Length: 0',
  ]
  sendText(`${lines.join('\r\n')}\r\n\r\n`)
  await until(() => reported.length === 1, 'what is wrong')
  assert.match(reported[0]!, /Contact/)
  assert.deepEqual(
    agent.traces.map(({ callId, direction }) => [callId, direction]),
    [['unreadable@example.com', 'in']],
  )
})

test('a source of IPv6 is a network, however its addresses are written', () => {
  const sent: SipResponse[] = []
  const strangers = createStrangers({
    product: 'Test/1.0',
    onError: error => assert.fail(String(error)),
    screen: () => ({ status: 403 }),
    strangers: { perSecond: 1, burst: 3 },
    key: Buffer.alloc(16),
    now: () => 0,
    isKnown: () => false,
    usual: () => ({ status: 200 }),
    unfit: () => undefined,
    letIn: () => assert.fail('it is a stranger'),
    send: response => sent.push(response),
  })
  const request = requestOf({ via: 'SIP/2.0/UDP [2001:db8::1];branch=z9hG4bK1' })
  const core = readCore(request)
  assert.ok(!isFault(core))
  const from = (address: string) => strangers.answered(request, core, { remote: { address, port: 5060 } } as SipFlow)
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:3::', '2001:db8::ffff:4', '2001:db8::5']
  for (const address of addresses) from(address)
  assert.equal(sent.length, 3)
  from('2001:db8:0:1::1')
  assert.equal(sent.length, 4)
})
