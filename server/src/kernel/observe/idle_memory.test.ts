// Memory that a busy time has left behind is given back once there is nothing to do, and not while there is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const file = join(import.meta.dirname, 'idle_memory.ts')

/** The heap of a process after a busy time and a second later, in MiB; `meanwhile` is what it does in that second. */
function heapOf(meanwhile: string, trims = true): [busy: number, later: number] {
  const program = `
    import { getHeapStatistics } from 'node:v8'
    import { trimWhenIdle } from ${JSON.stringify(file)}
    const heap = () => Math.round(getHeapStatistics().total_heap_size / 2 ** 20)
    let kept = []
    for (let n = 0; n < 2_000_000; n++) kept.push({ n })
    kept = []
    for (let n = 0; n < 2_000_000; n++) kept[n % 100_000] = { n }
    kept = []
    const busy = heap()
    if (${trims}) trimWhenIdle({ lookMs: 100 })
    ${meanwhile}
    setTimeout(() => { console.log(JSON.stringify([busy, heap()])); process.exit() }, 1_500)`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}

test('an idle process gives back what it does not use', () => {
  const [busy, later] = heapOf('')
  assert.ok(later < busy / 3, `${later} of ${busy} MiB are left`)
  const [, kept] = heapOf('', false)
  assert.ok(kept > 2 * later, `by itself it keeps ${kept} MiB`)
})

test('one that is at work is left alone', () => {
  const [busy, later] = heapOf('setInterval(() => { const end = Date.now() + 15; while (Date.now() < end); }, 20)')
  assert.ok(later > (2 * busy) / 3, `${later} of ${busy} MiB are left`)
})
