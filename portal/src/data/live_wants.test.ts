// What listeners want together, and what each of them hears of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  covers,
  type EventPattern,
  hears,
  type LiveMessage,
  type LiveTopic,
  queryOf,
  unionOf,
  wantsOf,
} from './live_wants.ts'

const of = (...patterns: EventPattern[]) => wantsOf([{ events: patterns }])
const message = (event: string, data: object) => ({ event, data, id: 'e-1-2.3' }) as unknown as LiveMessage
const event = (type: string) => message('event', { type })

test('a union holds the patterns of all', () => {
  const union = unionOf([of('lead.created', 'task.*'), of('lead.*', 'message.received'), wantsOf(['requests'])])
  assert.deepEqual(union, {
    topics: ['events', 'requests'],
    events: ['lead.*', 'lead.created', 'message.received', 'task.*'],
    numbers: null,
  })
  assert.deepEqual(unionOf([of('lead.*'), wantsOf(['events'])]), { topics: ['events'], events: null, numbers: null })
})

test('who names no events does not listen to them', () => {
  assert.deepEqual(wantsOf([{ events: [] }]), { topics: [], events: [], numbers: [] })
  assert.deepEqual(wantsOf(['requests', { events: [] }]), { topics: ['requests'], events: [], numbers: [] })
})

test('a connection covers what it asks for, and not more', () => {
  const wide = unionOf([of('lead.*', 'message.received'), wantsOf(['conversations'])])
  for (const narrow of [of('lead.*'), of('lead.created'), of('message.received'), wantsOf(['conversations'])])
    assert.ok(covers(wide, narrow), JSON.stringify(narrow))
  for (const other of [of('message.*'), of('task.created'), wantsOf(['events']), wantsOf(['requests'])])
    assert.ok(!covers(wide, other), JSON.stringify(other))
  assert.ok(covers(wantsOf(['events']), of('message.*')))
  assert.ok(covers(wantsOf(['requests', 'events']), wantsOf(['requests'])))
})

test('types are named as far as the parameter takes them', () => {
  assert.equal(queryOf(of('task.*', 'lead.*')).eventTypes, 'lead.*,task.*')
  assert.equal(queryOf(wantsOf(['events'])).eventTypes, undefined)
  assert.equal(queryOf(wantsOf(['requests'])).eventTypes, undefined)
  const nouns = Array.from({ length: 40 }, (_, n): EventPattern => `${'x'.repeat(30)}_${n}.*`)
  assert.equal(queryOf(of(...nouns)).eventTypes, undefined)
})

test('each hears what it asked for, whatever others on its connection want', () => {
  const leads = of('lead.*', 'message.received')
  const heard = (listened: ReturnType<typeof wantsOf>, ...types: string[]) =>
    types.filter(type => hears(listened, event(type)))
  const types = ['lead.created', 'lead_source.created', 'message.received', 'message.sent']
  assert.deepEqual(heard(leads, ...types), ['lead.created', 'message.received'])
  assert.deepEqual(heard(wantsOf(['events']), ...types), types)
  assert.deepEqual(heard(wantsOf(['requests']), ...types), [])
})

test('requests, conversations and gaps are for those who listen to their topic; the rest is for nobody', () => {
  const listened: LiveTopic[] = ['requests', 'conversations', { events: ['lead.*'] }]
  const hearers = (one: LiveMessage) => listened.filter(topic => hears(wantsOf([topic]), one))
  assert.deepEqual(hearers(message('request', {})), ['requests'])
  assert.deepEqual(hearers(message('conversation', {})), ['conversations'])
  assert.deepEqual(hearers(message('gap', { topic: 'events' })), [{ events: ['lead.*'] }])
  assert.deepEqual(hearers(message('gap', { topic: 'requests' })), ['requests'])
  assert.deepEqual(hearers(message('ready', { topics: [] })), [])
})

test('of texts and calls one may want those of some numbers; another who wants all of them makes the connection ask for all', () => {
  const story = (...numbers: string[]) => wantsOf([{ events: ['lead.*', 'message.*'], numbers }])
  const one = story('+15550100001')
  const text = (from: string, to: string) => message('event', { type: 'message.sent', data: { from, to } })
  assert.ok(hears(one, text('+4930', '+15550100001')) && hears(one, text('+15550100001', '+4930')))
  assert.ok(!hears(one, text('+4930', '+15550100002')))
  assert.ok(hears(one, event('lead.created')))
  const two = unionOf([one, story('+15550100002'), of('task.*')])
  assert.equal(queryOf(two).numbers, '+15550100001,+15550100002')
  assert.ok(covers(two, one) && !covers(one, two) && !covers(two, of('message.received')))
  const all = unionOf([two, of('message.received')])
  assert.equal(queryOf(all).numbers, undefined)
  assert.ok(covers(all, two))
  // Who has no number exchanges nothing.
  assert.deepEqual(story(), { topics: ['events'], events: ['lead.*'], numbers: [] })
  assert.equal(queryOf(story()).numbers, undefined)
  assert.equal(queryOf(story(...Array.from({ length: 80 }, (_, n) => `+1555010${n}0000`))).numbers, undefined)
})
