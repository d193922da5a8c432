// The tables of transactions hold together: what starts is heard of, what is entered exists, and every way can come to its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionState, TransactionTable } from '../src/transaction/tables.ts'
import { inviteClient, inviteServer, otherClient, otherServer, statusEvent } from '../src/transaction/tables.ts'
import type { TimerName } from '../src/transaction/timers.ts'
import { defaultTransactionTimers, firstSpan, nextSpan } from '../src/transaction/timers.ts'

const tables: [string, TransactionState, TransactionTable][] = [
  ['INVITE client', 'calling', inviteClient],
  ['other client', 'trying', otherClient],
  ['INVITE server', 'proceeding', inviteServer],
  ['other server', 'trying', otherServer],
]

for (const [name, first, table] of tables) {
  test(`${name}: every state is reached and can end, every timer that starts is heard of`, () => {
    const reached = new Set<string>([first])
    for (const state of reached) {
      const row = table[state as TransactionState]
      assert.ok(row, `${state} has no row`)
      for (const timer of row.starts) assert.ok(row.on[timer], `${timer} fires unheard in ${state}`)
      const targets = Object.values(row.on).map(step => step.to)
      assert.ok(
        targets.some(to => to !== undefined && to !== state),
        `${state} is never left`,
      )
      for (const to of targets) if (to !== undefined && to !== 'terminated') reached.add(to)
    }
    assert.deepEqual([...reached].sort(), Object.keys(table).sort())
  })
}

test('each final state is left by time alone, so that nothing stays for ever', () => {
  for (const [name, , table] of tables) {
    for (const state of ['accepted', 'completed', 'confirmed'] as const) {
      const row = table[state]
      if (row === undefined) continue
      const ends = row.starts.filter(timer => row.on[timer]?.to === 'terminated')
      assert.equal(ends.length, 1, `${name}, ${state}`)
    }
  }
})

test('the timers have the lengths of RFC 3261 table 4 and RFC 6026', () => {
  const spans = (isReliable: boolean, isInvite: boolean, names: string) =>
    names.split(' ').map(name => firstSpan(name as TimerName, defaultTransactionTimers, { isReliable, isInvite }))
  assert.deepEqual(spans(false, true, 'A B D G H I L M'), [500, 32_000, 32_000, 500, 32_000, 5000, 32_000, 32_000])
  assert.deepEqual(spans(true, true, 'A B D G H I L M'), [undefined, 32_000, 0, undefined, 32_000, 0, 32_000, 32_000])
  assert.deepEqual(spans(false, false, 'E F J K answer'), [500, 32_000, 32_000, 5000, 32_000])
  assert.deepEqual(spans(true, false, 'E F J K answer'), [undefined, 32_000, 0, 0, 32_000])
  for (const isReliable of [true, false]) {
    assert.deepEqual(spans(isReliable, true, 'trying again reliable prack cancel'), [200, 500, 500, 32_000, 32_000])
    assert.deepEqual(spans(isReliable, false, 'trying transport'), [3500, 0])
  }
})

test('only what repeats something has a next interval', () => {
  const next = (name: string, spanMs: number, hasProvisional = false) =>
    nextSpan(name as TimerName, spanMs, hasProvisional, defaultTransactionTimers)
  assert.deepEqual([next('A', 4000), next('reliable', 4000)], [8000, 8000])
  assert.deepEqual([next('E', 500), next('G', 500), next('again', 500)], [1000, 1000, 1000])
  assert.deepEqual([next('E', 4000), next('G', 4000), next('again', 4000)], [4000, 4000, 4000])
  assert.equal(next('E', 500, true), 4000)
  for (const name of 'B D F H I J K L M trying prack answer cancel transport'.split(' '))
    assert.equal(next(name, 1), undefined)
})

test('a status is one of three events', () => {
  assert.deepEqual([100, 199, 200, 299, 300, 699].map(statusEvent), ['1xx', '1xx', '2xx', '2xx', '3xx-6xx', '3xx-6xx'])
})
