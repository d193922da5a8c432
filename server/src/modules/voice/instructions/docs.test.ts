// docs/voice.md names every event of calls and every number of the simulator, and of none that there is not.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { outcomes } from '../../../engines/simulator/scripts.ts'
import { eventTypes } from '../../../nouns.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../../docs/voice.md'), 'utf8')
/** The first cells of the table below a heading. */
function firstCells(heading: string): string[] {
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| ---'))
  return rows.slice(1).map(line => line.split(' | ')[0] ?? '')
}

test('the table of events holds each event of calls, once', () => {
  const documented = firstCells('Events').flatMap(cell =>
    [...cell.matchAll(/`([^`]+)`/g)].map(match => match[1] as string),
  )
  const types = Object.keys(eventTypes).filter(type => /^(call|gather|conference|queue|recording)\./.test(type))
  assert.deepEqual(documented.toSorted(), types.toSorted())
})

test('the table of numbers holds each number of the simulator', () => {
  const cells = firstCells('Numbers of the simulator')
  const numbers = cells.map(cell => `+${(/\+([0-9 ]+)/.exec(cell)?.[1] ?? '').replaceAll(' ', '')}`)
  assert.deepEqual(numbers, Object.keys(outcomes))
})
