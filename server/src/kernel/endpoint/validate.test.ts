// Dates and times that validation lets through are such as PostgreSQL knows: in years 0001 to 9999, also where their offset is taken away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { DateOnly, MomentInput, Timestamp } from './schema.ts'
import { compileValidator } from './validate.ts'

const validate = compileValidator({
  body: Type.Object({
    date: Type.Optional(DateOnly),
    time: Type.Optional(Timestamp),
    moment: Type.Optional(MomentInput),
  }),
})

const sound: Record<string, string[]> = {
  date: ['0001-01-01', '2024-02-29', '9999-12-31'],
  time: ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.123456+01:00', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'],
  moment: ['2026-11-21', '2026-11-21T08:00Z', '2026-11-21T08:00:00-05:00'],
}
const unknown: Record<string, string[]> = {
  date: ['0000-05-05', '2026-02-29', '2026-13-01', '20261121', '12026-01-01'],
  time: [
    '0000-05-05T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    '2016-12-31T23:59:60Z',
    '2026-11-21T24:00:00Z',
    '2026-02-30T08:00:00Z',
    '2026-11-21T08:00:00',
    '2026-11-21T08:00:00+01',
  ],
  moment: ['0000-05-05', '9999-12-31T23:59-01:00', '2026-02-30', '2026-11-21T08:00'],
}

test('dates and times that the database knows are taken, and no others', () => {
  for (const [field, texts] of Object.entries(sound))
    for (const text of texts) assert.equal(validate({ query: {}, body: { [field]: text } }), undefined, text)
  for (const [field, texts] of Object.entries(unknown))
    for (const text of texts) {
      const [fault] = validate({ query: {}, body: { [field]: text } }) ?? []
      assert.deepEqual([fault?.field, fault?.code], [field, 'wrong_format'], text)
    }
})
