// The timeline of a message that is tried many times stays short: equal rounds are shown once, with how many
// there were.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf } from './history.ts'

type Entry = Parameters<typeof stepsOf>[0][number]

function history(...statuses: string[]): Entry[] {
  return statuses.map((text, index) => {
    const [status, code = null] = text.split(' ')
    return { status: status as Entry['status'], code, at: `2026-11-21T08:00:0${index % 10}.000Z` } as Entry
  })
}
const reported = (...statuses: string[]) =>
  stepsOf(history(...statuses)).map(({ entry, rounds }) => (rounds === 0 ? entry.status : `${entry.status} x${rounds}`))
const back = (times: number, code = 'carrier_throttled') =>
  Array.from({ length: times }, () => ['sending', `queued ${code}`]).flat()

test('rounds that a carrier puts back for the same reason are shown once, with how many there were', () => {
  assert.deepEqual(reported('queued', ...back(34), 'expired carrier_queue_overflow'), [
    'queued',
    'sending',
    'queued',
    'queued x33',
    'expired',
  ])
})

test('a few rounds are shown in full, and so is what is no round', () => {
  const usual = ['queued', 'sending', 'sent', 'delivered']
  assert.deepEqual(reported(...usual), usual)
  assert.deepEqual(reported('queued', ...back(2), 'sending', 'sent').length, 7)
  assert.deepEqual(reported(), [])
})

test('another reason begins another run', () => {
  const steps = reported(...back(3), ...back(3, 'carrier_queue_full'))
  assert.deepEqual(steps, ['sending', 'queued', 'queued x2', 'sending', 'queued', 'queued x2'])
})

test('each entry knows when the one before it happened', () => {
  const steps = stepsOf(history('queued', ...back(3), 'expired'))
  assert.deepEqual(
    steps.map(({ before }) => before?.slice(17, 19)),
    [undefined, '00', '01', '05', '06'],
  )
})
