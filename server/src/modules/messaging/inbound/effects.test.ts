// What a text that comes in sets off, on the real database: opt-outs, answers, leads, events; each once, whatever comes at the same
// moment.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { carrier, ours, startInbound, theirs } from '../../../../test/inbound.ts'
import { receiveInbound } from './jobs.ts'

const { t, text, receive, call, inbox, answers, eventTypes } = await startInbound()

describe('keywords', () => {
  const send = (body = 'Hello') =>
    t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body: { from: ours, to: theirs, body } })

  test('STOP opts out and is answered once; START opts in again and is answered; nothing in between is sent', async () => {
    assert.equal((await send()).status, 200)
    await receive(text('stop.'))
    const refused = await send()
    assert.equal(refused.json.error.code, 'recipient_opted_out', refused.text)
    await receive(text('STOP'), text('no'))
    await receive(text('Start'))
    await receive(text('YES'))
    assert.equal((await send('again')).status, 200)
    assert.deepEqual(await answers(), [
      'Hello',
      'You will get no more messages from us. Reply START to get them again.',
      'You will get our messages again. Reply STOP to end them, HELP for help.',
      'again',
    ])
    assert.deepEqual(await eventTypes('opt_out.%'), ['opt_out.created', 'opt_out.deleted'])
    const [created, removed] = await t.sql<{ resource_id: string; sequence: number; data: Record<string, unknown> }>(
      "select resource_id, sequence, data from event_log where type like 'opt_out.%' order by id",
    )
    assert.deepEqual(
      { ...created!.data, createdAt: '' },
      {
        ...{ optOutId: created!.resource_id, scope: ours, recipient: theirs },
        ...{ source: 'keyword', keyword: 'STOP', createdAt: '' },
      },
    )
    assert.deepEqual([removed!.resource_id, created!.sequence, removed!.sequence], [created!.resource_id, 1, 2])
  })

  test('STOP of a number that no plan has is kept, and not answered', async () => {
    const from = '+22507123456'
    await receive(text('STOP', { from }), text('STOP', { from: '12345' }), text('STOP', { from: 'ACME' }))
    const rows = await t.sql<{ recipient: string }>('select recipient from opt_outs')
    assert.deepEqual(
      rows.map(({ recipient }) => recipient),
      [from],
    )
    assert.deepEqual(await answers(), [])
    await receive(text('START', { from }))
    assert.deepEqual(await eventTypes('opt_out.%'), ['opt_out.created', 'opt_out.deleted'])
  })

  test('the word decides the language of the answer', async () => {
    await receive(text('Arrêt'))
    await receive(text('weiter'))
    const [first, second] = await answers()
    assert.match(first!, /^Vous ne recevrez plus/)
    assert.match(second!, /^Sie erhalten wieder/)
  })

  test('in a service they are its own, and stand for all its senders', async () => {
    const german = { language: 'de', stop: { words: ['SCHLUSS'], reply: 'Schade.' }, help: { reply: null } }
    const { serviceId } = await call('POST', '/v2/messages/services', { name: 'S', keywords: [german] })
    const callbackUrl = 'https://example.com/hook'
    await call('POST', '/v2/numbers', { number: ours, serviceId, callbackUrl })
    await call('POST', '/v2/numbers', { number: '+15005550016', serviceId })
    await receive(text('basta'), text('hilfe'))
    assert.deepEqual(await answers(), [], 'a word of no language of the service, and one that is not answered')
    await receive(text('schluß'))
    assert.deepEqual(await answers(), ['Schade.'])
    const [optOut] = await call('GET', '/v2/messages/opt-outs')
    assert.deepEqual([optOut.scope, optOut.recipient, optOut.keyword], [serviceId, theirs, 'SCHLUSS'])
    const [event] = await t.sql("select callback_url from event_log where type = 'opt_out.created'")
    assert.deepEqual(event, { callback_url: callbackUrl })
    const body = { from: '+15005550016', to: theirs, body: 'x' }
    const refused = await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })
    assert.equal(refused.json.error.code, 'recipient_opted_out')
    await receive(text('START', { to: '+15005550016' }))
    assert.match((await answers()).at(-1)!, /^Sie erhalten wieder/)
  })

  test('HELP is answered once in ten minutes, also to who opted out', async () => {
    await receive(text('STOP'))
    await receive(text('HELP'), text('info'))
    await receive(text('help'))
    assert.deepEqual((await answers()).slice(1), [
      'Reply STOP to get no more messages from us, START to get them again.',
    ])
    await t.ownerSql("update messages set created_at = created_at - interval '11 minutes'")
    await receive(text('help'))
    assert.equal((await answers()).length, 3)
  })

  test('delivered twice they are answered once; a number that sends no texts answers nothing', async () => {
    const stop = text('STOP')
    await Promise.all([receive(stop), receive(stop)])
    assert.equal((await answers()).length, 1)
    await call('POST', '/v2/numbers', { number: '+15005550016', sms: false })
    await receive(text('STOP', { to: '+15005550016' }))
    assert.equal((await answers()).length, 1)
    assert.equal((await call('GET', '/v2/messages/opt-outs')).length, 2)
  })

  test('from what is no telephone number are texts like others', async () => {
    await receive(text('STOP', { from: 'ACME' }), text('HELP', { from: '12345' }))
    assert.deepEqual(await answers(), [])
    assert.deepEqual(await call('GET', '/v2/messages/opt-outs'), [])
    assert.equal((await inbox()).length, 2)
  })

  test('of many people at the same moment on two nodes: none lost, none waits for ever', async () => {
    const second = await t.secondApp()
    const people = Array.from({ length: 30 }, (_, n) => `+49151${10_000_000 + n}`)
    const batch = (order: string[]) => order.map(from => text('STOP', { from }))
    await Promise.all([
      receive(...batch(people)),
      receiveInbound(second.app.services, carrier, batch(people.toReversed())),
    ])
    assert.equal((await call('GET', '/v2/messages/opt-outs?limit=200')).length, people.length)
    await second.app.stop()
  })
})

describe('leads', () => {
  const leads = async () => (await t.call('GET', '/v1/api/leads', { as: t.main.testKey })).json.leads

  test('are made of strangers where the number says so, once, with their history and event', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    await receive(text('Hello'), text('Anybody?'))
    await receive(text('Hello?'), text('to another', { to: '+15005550016', from: '+4915123456780' }))
    const found = await leads()
    assert.equal(found.length, 1)
    const { name, phone, source, status, owner_id } = found[0]
    assert.deepEqual(
      { name, phone, source, status, owner_id },
      { ...{ name: theirs, phone: theirs, source: 'sms' }, ...{ status: 'New', owner_id: null } },
    )
    assert.deepEqual(await eventTypes('lead.%'), ['lead.created'])
    const history = await t.call('GET', `/v1/api/leads/${found[0].id}/history`, { as: t.main.testKey })
    assert.deepEqual(
      history.json.changes.map(({ at: _, ...change }: { at: string }) => change),
      [{ version: 1, user_id: null, key_id: null, source: 'inbound', batch_id: null, fields: [] }],
    )
  })

  test('are not made of who is one already, nor of who wants no texts', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    const lead = await t.call('POST', '/v1/api/leads', { as: t.main.testKey, body: { name: 'Ada', phone: theirs } })
    assert.equal(lead.status, 201, lead.text)
    await receive(text('Hello'), text('STOP', { from: '+4915123456780' }), text('Hi', { from: 'ACME' }))
    assert.deepEqual(
      (await leads()).map((row: { name: string }) => row.name),
      ['Ada'],
    )
    // In the trash is gone.
    await t.call('DELETE', `/v1/api/leads/${lead.json.lead.id}`, { as: t.main.testKey })
    await receive(text('Hello again'))
    assert.deepEqual(
      (await leads()).map((row: { name: string }) => row.name),
      [theirs],
    )
  })

  test('of two texts at the same moment on two nodes: one', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    const second = await t.secondApp()
    await Promise.all([
      receive(text('a')),
      receiveInbound(second.app.services, carrier, [text('b')]),
      receive(text('c')),
    ])
    assert.equal((await leads()).length, 1)
    await second.app.stop()
  })
})
