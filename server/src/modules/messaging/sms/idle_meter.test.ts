// Who measures what is left of a process's time sees its event loop, and not the machine alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createIdleMeter, createSpareMeter } from './idle_meter.ts'

test('a process whose event loop is never idle has nothing to spare, whatever the machine has', async () => {
  await nextTurn()
  const spare = createSpareMeter()
  const untilMs = performance.now() + 40
  while (performance.now() < untilMs);
  assert.ok(spare() < 0.01)
})

test('what a machine left unused is a share of time', async () => {
  const idle = createIdleMeter()
  await new Promise(resolve => setTimeout(resolve, 40))
  const share = idle()
  assert.ok(share >= 0 && share <= 1, `${share}`)
})
