// What the setting of retention takes, and what comes of it together with the older settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRetention, retentionClasses, retentionDefaults, retentionOf } from './classes.ts'

test('an entry is a class and its days, with or without what organizations may choose', () => {
  assert.deepEqual(parseRetention('messages=730'), { name: 'messages', kept: { days: 730, min: 30, max: 3_650 } })
  assert.deepEqual(parseRetention('messages=7'), { name: 'messages', kept: { days: 7, min: 7, max: 3_650 } })
  assert.deepEqual(parseRetention('request_log=14:1-30'), { name: 'request_log', kept: { days: 14, min: 1, max: 30 } })
  for (const text of ['messages', 'messages=0', 'texts=30', 'audit=400', 'calls=30:40-50', 'calls=30:10-99999'])
    assert.equal(parseRetention(text), undefined, text)
})

test('nothing is kept for ever, and every default is within its bounds', () => {
  const settings = retentionOf({ retention: [], recordingDays: 0, callTraceDays: 30, auditDays: 400 })
  assert.deepEqual(Object.keys(settings), [...retentionClasses])
  for (const name of retentionClasses) {
    const { days, min, max } = settings[name]
    assert.ok(min >= 1 && min <= days && days <= max && max <= 3_650, name)
    assert.equal(days, retentionDefaults[name].days, name)
  }
})

test('recordings follow their own setting, and otherwise calls', () => {
  const of = (retention: string[], recordingDays: number) =>
    retentionOf({ retention, recordingDays, callTraceDays: 7, auditDays: 90 })
  assert.equal(of(['calls=60'], 0).recordings.days, 60)
  assert.equal(of(['calls=60', 'recordings=20'], 0).recordings.days, 20)
  assert.equal(of(['recordings=20'], 10).recordings.days, 10)
  assert.equal(of([], 0).audit.days, 90)
})
