// How sizes are asked for and compared.
import assert from 'node:assert/strict'
import test from 'node:test'
import { askedMillions, type VolumeRound, volumeTable } from './volume.ts'

function roundOf(round: number, millions: number, perSecond: number, databaseUs: number): VolumeRound {
  const burst = {
    endToEndPerSecond: perSecond,
    acceptsPerSecond: perSecond,
    costs: { database: databaseUs, server: 100 },
  }
  const readsUs = { 'one message': 1_000, 'the newest 20': 1_000, 'those of one recipient': 1_000 }
  return { round, millions, burst, written: { walBytes: 3_000 }, readsUs } as unknown as VolumeRound
}

const cellsOf = (table: string, start: string): string[] =>
  table
    .split('\n')
    .find(line => line.startsWith(`| ${start}`))!
    .split('|')
    .map(cell => cell.trim())

test('sizes come fewest first, and what is none is refused', () => {
  assert.deepEqual(askedMillions('50,1,10'), [1, 10, 50])
  assert.deepEqual(askedMillions('0.05'), [0.05])
  for (const text of ['', '1,x', '0', '-1']) assert.throws(() => askedMillions(text), /BENCH_MILLIONS/)
})

test('ratios are taken within a round: of rates, and the inverse of costs', () => {
  const table = volumeTable([
    roundOf(1, 1, 1_000, 200),
    roundOf(1, 10, 950, 250),
    roundOf(2, 1, 2_000, 100),
    roundOf(2, 10, 1_900, 125),
  ])
  assert.deepEqual(cellsOf(table, 'end to end/s, 10 million').slice(4, 7), ['0.95', '0.95 0.95', 'reached'])
  assert.deepEqual(cellsOf(table, 'database µs a message, 10 million').slice(4, 7), ['0.80', '0.80 0.80', 'MISSED'])
  assert.equal(cellsOf(table, 'end to end/s, 1 million')[4], '')
})
