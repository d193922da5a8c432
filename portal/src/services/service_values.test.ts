// What of a service's form is sent, and which field a fault belongs to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessagingService } from '@tandem/sdk'
import { changesOf, faultOf, fieldNames, valuesOf } from './service_values.ts'

const service = {
  serviceId: 'msv_1',
  name: 'Appointments',
  senders: ['num_1'],
  stickySender: true,
  smartEncoding: false,
  unknownOutcome: 'hold',
  validityPeriod: null,
  callbackUrl: null,
  duplicateWindow: 0,
  keywords: [
    {
      language: 'en',
      stop: { words: ['STOP', 'END'], reply: 'Bye.' },
      start: { words: ['START'], reply: null },
      help: { words: ['HELP'], reply: null },
    },
  ],
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
} satisfies MessagingService
const start = valuesOf(service)

test('an untouched form sends nothing', () => assert.deepEqual(changesOf(start, start), {}))

test('only what differs is sent; empty text means none', () => {
  const given = { ...start, validityPeriod: '600', duplicateWindow: '60', callbackUrl: ' https://example.com ' }
  assert.deepEqual(changesOf(given, start), {
    validityPeriod: 600,
    duplicateWindow: 60,
    callbackUrl: 'https://example.com',
  })
  assert.deepEqual(changesOf(start, given), { validityPeriod: null, duplicateWindow: 0, callbackUrl: null })
  assert.deepEqual(changesOf({ ...start, validityPeriod: 'long' }, start), { validityPeriod: 'long' })
})

test('words are read with commas or blanks between them, and without words those of the table are meant', () => {
  const [english] = start.keywords
  assert.ok(english !== undefined)
  const keywords = [{ ...english, stop: { words: 'stop,  end;quit', reply: '' }, help: { words: '', reply: 'Ask.' } }]
  assert.deepEqual(changesOf({ ...start, keywords }, start), {
    keywords: [
      {
        language: 'en',
        stop: { words: ['stop', 'end', 'quit'], reply: null },
        start: { words: ['START'], reply: null },
        help: { reply: 'Ask.' },
      },
    ],
  })
})

test('a language that is added as it is brings the words and answers of the table', () => {
  const blank = { words: '', reply: '' }
  const french = { language: 'fr', stop: { words: 'arret', reply: '' }, start: blank, help: blank }
  const [, added] = changesOf({ ...start, keywords: [...start.keywords, french] }, start).keywords ?? []
  assert.deepEqual(added, { language: 'fr', stop: { words: ['arret'], reply: null }, start: {}, help: {} })
})

test('a fault of one word or sender belongs to its field', () => {
  assert.ok(fieldNames(start).includes('keywords[0].stop.words[1]'))
  const fields = { 'keywords[0].stop.words[1]': 'Must be one word.' }
  assert.equal(faultOf(fields, 'keywords[0].stop.words'), 'Must be one word.')
  assert.equal(faultOf(fields, 'keywords[0].stop'), undefined)
  assert.equal(faultOf(fields, 'keywords[0].start.words'), undefined)
})
