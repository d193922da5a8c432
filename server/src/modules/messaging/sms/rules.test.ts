// The table of a message's statuses is sound and is the one the database knows.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from '../../../../test/cluster.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import { problems } from '../../../nouns.ts'
import { encodings } from '../segments.ts'
import {
  directions,
  finalStatuses,
  initialStatuses,
  type MessageEvent,
  messageStatuses,
  messageTable,
  movesOf,
  nextMessage,
  refusalOf,
  retryAfterMs,
} from './rules.ts'

describe('statuses', () => {
  const expectation = { states: messageStatuses, initial: initialStatuses, terminal: finalStatuses }

  test('every status is reached, every event leads somewhere, the final ones are final', () => {
    assert.deepEqual(checkTable(messageTable, expectation), [])
  })

  test('nothing is sent twice: out of unconfirmed leads only the word of the carrier', () => {
    const events = Object.keys(messageTable) as MessageEvent[]
    const leaving = events.filter(event => nextMessage('unconfirmed', event) !== undefined)
    assert.deepEqual(leaving, ['accepted', 'receipt_delivered', 'receipt_undelivered', 'receipt_expired'])
    assert.deepEqual(
      events.filter(event => messageTable[event].to === 'sending'),
      ['claimed'],
    )
    assert.deepEqual(messageTable.claimed.from, ['queued'])
    assert.deepEqual(
      events.filter(event => messageTable[event].to === 'queued'),
      ['time_came', 'throttled', 'asked_again'],
    )
  })

  test('the moves handed to the database are the table', () => {
    const events = Object.keys(messageTable) as MessageEvent[]
    const moves = movesOf(...events)
    for (const event of events) {
      for (const status of messageStatuses) {
        const found = moves.filter(([by, from]) => by === event && from === status).map(([, , to]) => to)
        assert.deepEqual(
          found,
          [nextMessage(status, event)].filter(next => next !== undefined),
        )
      }
    }
  })
})

describe('the database knows the same words', () => {
  let database: FreshDatabase
  let client: pg.Client
  before(async () => {
    database = await freshDatabase()
    client = new pg.Client(database.owner)
    await client.connect()
  })
  after(async () => {
    await client?.end()
    await database?.drop()
  })

  for (const [constraint, words] of [
    ['messages_status', messageStatuses],
    ['messages_direction', directions],
    ['messages_encoding', encodings],
  ] as const) {
    test(constraint, async () => {
      const { rows } = await client.query(
        'select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1',
        [constraint],
      )
      const allowed = [...rows[0].text.matchAll(/'([^']+)'/g)].map(match => match[1])
      assert.deepEqual(allowed.toSorted(), [...words].toSorted())
    })
  }
})

test('refusals speak codes of the table, and only in the test mode', () => {
  for (let last = 0; last < 10_000; last++) {
    const number = `+1500555${String(last).padStart(4, '0')}`
    for (const [from, to] of [
      [number, '+15005550006'],
      ['+15005550006', number],
    ] as const) {
      const code = refusalOf('test', from, to)
      assert.ok(code === undefined || problems[code].status >= 400)
      assert.equal(refusalOf('live', from, to), undefined)
      if (last > 9) assert.equal(code, undefined)
    }
  }
  assert.equal(refusalOf('test', '+15005550006', '+15005550006'), undefined)
})

test('retries wait longer and longer, up to five minutes, from what the carrier asks for', () => {
  assert.deepEqual(
    [1, 2, 3, 7, 10, 50].map(attempt => retryAfterMs(attempt, undefined)),
    [1_000, 2_000, 4_000, 64_000, 300_000, 300_000],
  )
  assert.deepEqual(
    [1, 2, 9].map(attempt => retryAfterMs(attempt, 5_000)),
    [5_000, 10_000, 300_000],
  )
  assert.equal(retryAfterMs(3, 600_000), 600_000)
})
