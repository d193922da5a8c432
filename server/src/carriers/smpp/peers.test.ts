// Messages through the whole server to a message centre that is none of ours: npm `smpp`. What the API says of them in the
// end must be what the peer did, however it misbehaves on the way.
// test: waits, programs
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import smpp from 'smpp'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: the peer's library has no types
type Any = any

type Peer = {
  port: number
  submitted: Any[]
  sessions: Set<Any>
  /** Answers a submit_sm; the session may send a receipt afterwards. */
  onSubmit: (session: Any, pdu: Any, id: string) => void | Promise<void>
  deliver(fields: object): Promise<Any>
  /** Cuts every connection. */
  cut(): void
  close(): Promise<void>
}

async function startPeer(port = 0): Promise<Peer> {
  let ids = 0
  const server = smpp.createServer((session: Any) => {
    peer.sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => peer.sessions.delete(session))
    for (const command of ['bind_transceiver', 'bind_transmitter', 'bind_receiver'])
      session.on(command, (pdu: Any) => session.send(pdu.response({ system_id: 'peer' })))
    session.on('enquire_link', (pdu: Any) => session.send(pdu.response()))
    session.on('unbind', (pdu: Any) => session.send(pdu.response(), () => session.close()))
    session.on('submit_sm', (pdu: Any) => {
      peer.submitted.push(pdu)
      void peer.onSubmit(session, pdu, `${1000 + ++ids}`)
    })
  })
  const peer: Peer = {
    port,
    submitted: [],
    sessions: new Set(),
    onSubmit: (session, pdu, id) => session.send(pdu.response({ message_id: id })),
    deliver(fields) {
      const [session] = peer.sessions
      return new Promise(resolve => session.deliver_sm(fields, resolve))
    },
    cut() {
      for (const session of peer.sessions) session.socket.destroy()
    },
    close: () =>
      new Promise<void>(resolve => {
        peer.cut()
        server.close(() => resolve())
      }),
  }
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  peer.port = (server.address() as AddressInfo).port
  return peer
}

const receipt = (pdu: Any, id: string, stat: string, err = '000') => ({
  source_addr: pdu.destination_addr,
  destination_addr: pdu.source_addr,
  esm_class: 4,
  short_message: `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:${stat} err:${err} text:x`,
})

const from = '+15005550006'
let numbers = 0
/** Nobody was ever sent anything here. */
const nextRecipient = () => `+4915155${String(++numbers).padStart(6, '0')}`

describe('a message centre of others', () => {
  let t: TestApp
  let peer: Peer
  let carrierId: string
  before(async () => {
    t = await startTestApp({ work: true, env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_LOG_LEVEL: 'fatal' } })
    peer = await startPeer()
    const number = await api('POST', '/v2/numbers', { number: from })
    assert.equal(number.status, 201, number.text)
    carrierId = await addCarrier(peer.port, { name: 'first', routes: [{ prefix: '+49', priority: 1 }] })
  })
  after(async () => {
    await t?.close()
    await peer?.close()
  })

  const api = (method: string, path: string, body?: object) =>
    t.call(method, path, { as: t.main.liveKey, ...(body === undefined ? {} : { body }) })

  async function addCarrier(port: number, { settings = {}, ...more }: { settings?: object; [key: string]: unknown }) {
    const own = { host: '127.0.0.1', port, systemId: 'tandem', password: 'secret', segmentsPerSecond: 1_000 }
    const { status, text, json } = await api('POST', '/v2/carriers', {
      kind: 'smpp',
      settings: { ...own, ...settings },
      ...more,
    })
    assert.equal(status, 201, text)
    await eventually(
      'the carrier is up',
      async () => (await api('GET', `/v2/carriers/${json.data.carrierId}`)).json.data.state === 'up',
    )
    return json.data.carrierId as string
  }

  async function change(settings: object): Promise<void> {
    const answer = await api('PATCH', `/v2/carriers/${carrierId}`, { settings })
    assert.equal(answer.status, 200, answer.text)
    await eventually('bound again', async () => {
      const { state, links } = (await api('GET', `/v2/carriers/${carrierId}`)).json.data
      return (
        state === 'up' && peer.sessions.size > 0 && Date.parse(links[0].since) > Date.parse(answer.json.data.updatedAt)
      )
    })
  }

  async function send(body: string, to = nextRecipient()): Promise<string> {
    const { status, text, json } = await api('POST', '/v2/messages/sms', { from, to, body })
    assert.equal(status, 200, text)
    return json.messageId
  }

  const message = async (id: string) => (await api('GET', `/v2/messages/${id}`)).json.data

  async function endsAs(id: string, status: string, withinMs = 12_000): Promise<Any> {
    let last: Any
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(20)) {
      last = await message(id)
      if (last.status === status) return last
    }
    assert.fail(`it is not ${status} within ${withinMs} ms: ${JSON.stringify(last)}`)
  }

  /** What the peer does with the next messages. */
  function answerWith(onSubmit: Peer['onSubmit']): void {
    peer.onSubmit = onSubmit
    peer.submitted = []
  }

  const accept = (session: Any, pdu: Any, id: string) => session.send(pdu.response({ message_id: id }))

  test('takes messages with their addresses, codings and parts', async () => {
    answerWith((session, pdu, id) => {
      accept(session, pdu, id)
      session.deliver_sm(receipt(pdu, id, 'DELIVRD'))
    })
    const recipient = nextRecipient()
    await endsAs(await send('Hello {€}', recipient), 'delivered')
    const [plain] = peer.submitted
    assert.equal(plain.destination_addr, recipient.slice(1))
    assert.deepEqual(
      [plain.source_addr_ton, plain.source_addr_npi, plain.dest_addr_ton, plain.dest_addr_npi],
      [1, 1, 1, 1],
    )
    assert.equal(plain.source_addr, from.slice(1))
    assert.equal(plain.data_coding, 0)
    assert.equal(plain.registered_delivery, 1)
    assert.equal(plain.short_message.message, 'Hello {€}')
    peer.submitted = []
    await endsAs(await send('Привет, мир 😀'), 'delivered')
    assert.equal(peer.submitted[0].data_coding, 8)
    assert.equal(peer.submitted[0].short_message.message, 'Привет, мир 😀')
    peer.submitted = []
    const long = 'A long text of several parts. '.repeat(12)
    const done = await endsAs(await send(long), 'delivered')
    assert.equal(done.segments, 3)
    assert.equal(peer.submitted.map(pdu => pdu.short_message.message).join(''), long)
    const headers = peer.submitted.map(pdu => pdu.short_message.udh[0])
    assert.deepEqual(
      headers.map((header: Buffer) => [header[3], header[4]]),
      [
        [3, 1],
        [3, 2],
        [3, 3],
      ],
    )
    assert.equal(new Set(headers.map((header: Buffer) => header[2])).size, 1)
  })

  test('may send receipts early, late, twice, out of order, and for what nobody sent', async () => {
    const reported: [Any, string][] = []
    answerWith(async (session, pdu, id) => {
      // Before the answer to the submission.
      if (reported.length === 0) session.deliver_sm(receipt(pdu, id, 'DELIVRD'))
      accept(session, pdu, id)
      reported.push([pdu, id])
    })
    await endsAs(await send('early'), 'delivered')
    const ids = [await send('one'), await send('two'), await send('three')]
    for (const id of ids) await endsAs(id, 'sent')
    const [one, two, three] = reported.slice(1) as [[Any, string], [Any, string], [Any, string]]
    await peer.deliver(receipt(one[0], 'nobody-knows-it', 'DELIVRD'))
    await peer.deliver(receipt(three[0], three[1], 'UNDELIV', '001'))
    await peer.deliver(receipt(three[0], three[1], 'DELIVRD'))
    await peer.deliver(receipt(two[0], two[1], 'ENROUTE'))
    await peer.deliver(receipt(two[0], two[1], 'EXPIRED'))
    await peer.deliver(receipt(one[0], `00${one[1]}`, 'DELIVRD'))
    const byBody = new Map(reported.map(([pdu]) => [pdu.short_message.message, pdu]))
    assert.equal(byBody.size, 4)
    const final = Object.fromEntries(
      await Promise.all(ids.map(async id => [(await message(id)).body, await message(id)])),
    )
    const bodyOf = ([pdu]: [Any, string]) => pdu.short_message.message as string
    await eventually('all have ended', async () =>
      (await Promise.all(ids.map(message))).every(({ status }) => status !== 'sent'),
    )
    for (const id of ids) final[(await message(id)).body] = await message(id)
    assert.equal(final[bodyOf(one)].status, 'delivered')
    assert.equal(final[bodyOf(two)].status, 'expired')
    assert.equal(final[bodyOf(three)].status, 'undelivered')
    assert.equal(final[bodyOf(three)].code, 'unknown_subscriber')
  })

  test('may refuse, throttle, and be full for a while', async () => {
    const seen = new Map<string, number>()
    answerWith((session, pdu, id) => {
      const body = pdu.short_message.message
      const times = (seen.get(body) ?? 0) + 1
      seen.set(body, times)
      if (body === 'sender') session.send(pdu.response({ command_status: 0x0a }))
      else if (body === 'throttle' && times === 1) session.send(pdu.response({ command_status: 0x58 }))
      else accept(session, pdu, id)
    })
    const [sender, throttle] = [await send('sender'), await send('throttle')]
    assert.equal((await endsAs(sender, 'failed')).code, 'carrier_rejected_sender')
    await endsAs(throttle, 'sent', 20_000)
    assert.equal(seen.get('throttle'), 2)
    assert.equal(seen.get('sender'), 1)
    const events = await t.ownerSql<{ type: string }>('select type from event_log where resource_id = $1', [carrierId])
    assert.equal(events.filter(({ type }) => type === 'carrier.throttled').length, 1)
    await eventually(
      'at full speed again',
      async () => (await api('GET', `/v2/carriers/${carrierId}`)).json.data.state === 'up',
      { withinMs: 25_000 },
    )
  })

  test('brings messages, whole and in parts, in any order', async () => {
    const text = (body: string) => ({
      source_addr: '4915155999999',
      source_addr_ton: 1,
      destination_addr: from.slice(1),
      dest_addr_ton: 1,
      short_message: body,
    })
    assert.equal((await peer.deliver(text('Hello there'))).command_status, 0)
    const parts = ['The first part, ', 'the second, ', 'the third.']
    for (const part of [3, 1, 2]) {
      const udh = Buffer.from([5, 0, 3, 77, 3, part])
      const answer = await peer.deliver({ ...text(''), short_message: { udh, message: parts[part - 1] } })
      assert.equal(answer.command_status, 0)
    }
    const inbound = async () =>
      t.ownerSql<{ body: string; from_address: string; to_address: string }>(
        "select body, from_address, to_address from messages where direction = 'inbound' order by id",
      )
    await eventually('both', async () => (await inbound()).length === 2)
    assert.deepEqual(await inbound(), [
      { body: 'Hello there', from_address: '+4915155999999', to_address: from },
      { body: parts.join(''), from_address: '+4915155999999', to_address: from },
    ])
  })

  test('that spells ids in another base is understood', async () => {
    await change({ receiptIds: 'hex_in_receipt' })
    answerWith((session, pdu, id) => {
      accept(session, pdu, id)
      session.deliver_sm(receipt(pdu, `0${Number(id).toString(16).toUpperCase()}`, 'DELIVRD'))
    })
    await endsAs(await send('in hex'), 'delivered')
    await change({ receiptIds: 'same' })
  })

  test('that takes a message undivided reports all its parts at once', async () => {
    await change({ longMessages: 'message_payload' })
    answerWith((session, pdu, id) => {
      accept(session, pdu, id)
      session.deliver_sm(receipt(pdu, id, 'DELIVRD'))
    })
    const body = 'Undivided. '.repeat(40)
    const done = await endsAs(await send(body), 'delivered')
    assert.equal(done.segments, 3)
    assert.equal(peer.submitted.length, 1)
    assert.equal(peer.submitted[0].message_payload.message, body)
    await change({ longMessages: 'udh8' })
  })

  test('that breaks off before it answers leaves the message unconfirmed, never sent again; its receipt still counts', async () => {
    let lost: [Any, string] | undefined
    answerWith((session, pdu, id) => {
      lost = [pdu, id]
      session.socket.destroy()
    })
    const id = await send('lost')
    await eventually('it was written', () => lost !== undefined)
    await endsAs(id, 'unconfirmed', 20_000)
    await eventually('bound again', () => peer.sessions.size > 0)
    assert.equal((await message(id)).code, 'submit_unconfirmed')
    await sleep(500)
    assert.equal(peer.submitted.length, 1)
    const [pdu, own] = lost as [Any, string]
    answerWith(accept)
    await peer.deliver(receipt(pdu, own, 'DELIVRD'))
    // By sender and recipient, once no answer can be expected any more.
    await t.ownerSql('update message_routes set due_at = now() where message_id is null')
    await endsAs(id, 'delivered')
    assert.equal(peer.submitted.length, 0)
  })

  test('whose links are down is passed over for the next one, and what it had not taken goes there', async () => {
    const second = await startPeer()
    const secondId = await addCarrier(second.port, { name: 'second', routes: [{ prefix: '+49', priority: 2 }] })
    answerWith(accept)
    await endsAs(await send('by the first'), 'sent')
    assert.equal(second.submitted.length, 0)
    const { port } = peer
    await peer.close()
    await eventually(
      'the first is down',
      async () => (await api('GET', `/v2/carriers/${carrierId}`)).json.data.state === 'down',
    )
    const id = await send('by the second')
    const sent = await endsAs(id, 'sent')
    assert.equal(sent.carrierId ?? secondId, secondId)
    assert.equal(second.submitted.length, 1)
    peer = await startPeer(port)
    answerWith(accept)
    await eventually(
      'the first is up again',
      async () => (await api('GET', `/v2/carriers/${carrierId}`)).json.data.state === 'up',
      { withinMs: 20_000 },
    )
    await endsAs(await send('by the first again'), 'sent')
    assert.equal(peer.submitted.length, 1)
    await api('DELETE', `/v2/carriers/${secondId}`)
    await second.close()
  })
})
