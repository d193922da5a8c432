// Against an implementation that is not ours: our client with the server of the npm package `smpp`, its client with ours.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import smpp, { type PeerPdu, type PeerSession } from 'smpp'
import type { Delivery, PduOf } from '../src/index.ts'
import { composeMessage, parseReceipt, readMessage } from '../src/index.ts'
import { startEsme, startSmsc, until } from './support.ts'

type Content = { message: string; udh?: Buffer[] }

test('our client and their server: texts, headers, parameters, receipts, unbind', async context => {
  const submits: PeerPdu[] = []
  const sessions: PeerSession[] = []
  const server = smpp.createServer(session => {
    sessions.push(session)
    session.on('error', () => {})
    session.on('bind_transceiver', pdu => void session.send(pdu.response({ system_id: 'theirs' })))
    session.on('enquire_link', pdu => void session.send(pdu.response()))
    session.on('unbind', pdu => void session.send(pdu.response()))
    session.on('submit_sm', pdu => {
      submits.push(pdu)
      session.send(pdu.response({ message_id: `their-${submits.length}` }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const deliveries: Delivery[] = []
  const esme = startEsme(context, {
    port: (server.address() as AddressInfo).port,
    onDeliver: pdu => {
      deliveries.push(pdu)
      return 0
    },
  })
  await esme.bound()
  const base = {
    sourceAddr: 'Tandem',
    sourceAddrTon: 5,
    destinationAddr: '4915112345678',
    destAddrTon: 1,
    destAddrNpi: 1,
  }
  const send = async (text: string, options = {}) => {
    for (const part of composeMessage(text, options)) {
      const { status, messageId } = await esme.submit({ ...base, registeredDelivery: 1, ...part })
      assert.deepEqual([status, messageId], [0, `their-${submits.length}`])
    }
    return submits.splice(0)
  }
  const [gsm] = await send('Grüße [€] @home')
  assert.equal((gsm!['short_message'] as Content).message, 'Grüße [€] @home')
  assert.deepEqual(
    ['source_addr', 'source_addr_ton', 'destination_addr', 'registered_delivery'].map(name => gsm![name]),
    ['Tandem', 5, '4915112345678', 1],
  )
  const [wide] = await send('привет 😀')
  assert.equal((wide!['short_message'] as Content).message, 'привет 😀')
  const long = 'A long text in several parts. '.repeat(12)
  const parts = (await send(long, { reference: 0x77 })).map(pdu => pdu['short_message'] as Content)
  assert.equal(parts.map(part => part.message).join(''), long)
  assert.deepEqual(
    parts.map(part => part.udh?.[0]?.toString('hex')),
    ['0003770301', '0003770302', '0003770303'],
  )
  const sar = await send(long, { form: 'sar', reference: 0x1234 })
  assert.deepEqual(
    sar.map(pdu => [pdu['sar_msg_ref_num'], pdu['sar_total_segments'], pdu['sar_segment_seqnum']]),
    [
      [0x1234, 3, 1],
      [0x1234, 3, 2],
      [0x1234, 3, 3],
    ],
  )
  const [payload] = await send(long, { form: 'payload' })
  assert.equal((payload!['message_payload'] as Content).message, long)

  const theirs = sessions[0]!
  const text = 'id:their-1 sub:001 dlvrd:001 submit date:2611211429 done date:2611211430 stat:DELIVRD err:000 text:Gr'
  theirs.deliver_sm({
    esm_class: 4,
    short_message: Buffer.from(text),
    receipted_message_id: 'their-1',
    message_state: 2,
  })
  theirs.deliver_sm({
    source_addr: '49151',
    short_message: { udh: Buffer.from('050003090201', 'hex'), message: 'ünï' },
  })
  await until(() => deliveries.length === 2)
  const receipt = parseReceipt(deliveries[0]!)
  assert.deepEqual(
    [receipt?.messageId, receipt?.state, receipt?.doneAt],
    ['their-1', 'delivered', '2026-11-21T14:30:00'],
  )
  const inbound = deliveries[1] as PduOf<'deliver_sm'>
  // Their library labels Latin-1 as such.
  assert.deepEqual([readMessage(inbound).text, readMessage(inbound).join], ['ünï', { reference: 9, total: 2, part: 1 }])
  const asked = new Promise<PeerPdu>(resolve => theirs.enquire_link({}, resolve))
  assert.equal((await asked).command, 'enquire_link_resp')
  await esme.close()
  assert.equal(esme.counters.faults, 0)
})

test('their client and our server: texts, headers, parameters, receipts, unbind', async context => {
  const submits: PduOf<'submit_sm'>[] = []
  const { smsc, port } = await startSmsc(context, {
    systemId: 'ours',
    authenticate: ({ systemId, password }) => (systemId === 'their' && password === 'secret' ? 0 : 0x0e),
    onSubmit: (_session, pdu) => {
      submits.push(pdu as PduOf<'submit_sm'>)
      return { status: 0, messageId: `ours-${submits.length}` }
    },
  })
  const session = smpp.connect({ url: `smpp://127.0.0.1:${port}` })
  session.on('error', () => {})
  context.after(() => session.destroy())
  const ask = (command: 'bind_transceiver' | 'submit_sm' | 'enquire_link' | 'unbind' | 'query_sm', fields: object) =>
    new Promise<PeerPdu>(resolve => session[command]({ ...fields }, resolve))
  const bound = await ask('bind_transceiver', { system_id: 'their', password: 'secret', interface_version: 0x34 })
  assert.deepEqual([bound.command_status, bound['system_id'], bound['sc_interface_version']], [0, 'ours', 0x34])
  const profile = { dataCodings: { gsm: 1 } }
  // Their library labels GSM text with data_coding 1, which is what profiles are for.
  const texts = ['Grüße [€] @home', 'привет 😀']
  for (const [index, text] of texts.entries()) {
    const answer = await ask('submit_sm', { destination_addr: '4915112345678', short_message: text })
    assert.deepEqual([answer.command_status, answer['message_id']], [0, `ours-${index + 1}`])
    assert.equal(readMessage(submits[index]!, profile).text, text)
  }
  const udh = Buffer.from('0608041234 0201'.replace(' ', ''), 'hex')
  await ask('submit_sm', { destination_addr: '49', short_message: { udh, message: 'part' } })
  assert.deepEqual(readMessage(submits[2]!, profile).join, { reference: 0x1234, total: 2, part: 1 })
  await ask('submit_sm', { destination_addr: '49', message_payload: 'x'.repeat(400), user_message_reference: 77 })
  assert.equal(readMessage(submits[3]!, profile).text, 'x'.repeat(400))
  assert.equal(submits[3]!.tlvs.userMessageReference, 77)
  assert.equal((await ask('query_sm', { message_id: 'x' })).command_status, 0x67)
  assert.equal((await ask('enquire_link', {})).command_status, 0)

  const received: PeerPdu[] = []
  session.on('deliver_sm', pdu => {
    received.push(pdu)
    session.send(pdu.response())
  })
  const part = composeMessage('id:ours-1 stat:DELIVRD')[0]!
  const tlvs = { receiptedMessageId: 'ours-1', messageState: 2 }
  const answer = await smsc.sessions[0]!.deliver({ sourceAddr: '49151', ...part, esmClass: 4, tlvs })
  assert.equal(answer.status, 0)
  assert.deepEqual(
    ['receipted_message_id', 'message_state', 'esm_class'].map(name => received[0]![name]),
    ['ours-1', 2, 4],
  )
  await ask('unbind', {})
  await until(() => smsc.sessions.length === 0)
})
