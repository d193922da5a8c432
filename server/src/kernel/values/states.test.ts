// Guards: a move is made only where the table allows it, and the checker names every way in which a table can be wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allowedEvents, checkTable, move, type Table, tableMarkdown, tableMermaid, terminalStates } from './states.ts'

type State = 'queued' | 'sending' | 'sent' | 'failed' | 'given up'
type Event = 'claimed' | 'retried' | 'accepted' | 'refused' | 'expired'
const states: readonly State[] = ['queued', 'sending', 'sent', 'failed', 'given up']
const table: Table<State, Event> = {
  claimed: { from: ['queued'], to: 'sending' },
  retried: { from: ['sending'], to: 'queued' },
  accepted: { from: ['sending'], to: 'sent' },
  refused: { from: ['sending'], to: 'failed' },
  expired: { from: ['queued', 'sending'], to: 'given up' },
}
const initial: readonly State[] = ['queued']

test('move follows the table in every state and event, and nowhere else', () => {
  for (const state of states)
    for (const event of Object.keys(table) as Event[]) {
      const expected = table[event].from.includes(state) ? table[event].to : undefined
      assert.equal(move(table, state, event), expected, `${event} in ${state}`)
      assert.equal(allowedEvents(table, state).includes(event), expected !== undefined)
    }
})

test('words that are not events move nothing, not even those every object knows', () => {
  for (const word of ['', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.equal(move(table, 'queued', word as Event), undefined, word)
})

test('a walk of allowed events only never leaves the states, and ends only in terminal ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 50 }), picks => {
      let state: State = 'queued'
      for (const pick of picks) {
        const events: Event[] = allowedEvents(table, state)
        if (events.length === 0) {
          assert.ok(terminalStates(table, states).includes(state))
          return
        }
        state = move(table, state, events[pick % events.length]!)!
        assert.ok(states.includes(state))
      }
    }),
  )
})

test('a sound table has no faults', () => {
  assert.deepEqual(checkTable(table, { states, initial }), [])
  assert.deepEqual(checkTable(table, { states, initial, terminal: ['sent', 'failed', 'given up'] }), [])
})

test('each kind of fault is named', () => {
  const faults = (changed: Partial<Table<State, Event>>, more = {}) =>
    checkTable({ ...table, ...changed } as Table<State, Event>, { states, initial, ...more }).join('; ')
  assert.match(faults({ claimed: { from: [], to: 'sending' } }), /claimed leaves no state.*sending cannot be reached/)
  assert.match(faults({ claimed: { from: ['queued', 'queued'], to: 'sending' } }), /claimed lists a state twice/)
  assert.match(faults({ claimed: { from: ['queued'], to: 'sendign' as State } }), /claimed names sendign, not a state/)
  assert.match(faults({ refused: { from: ['sending'], to: 'sent' } }), /state failed cannot be reached/)
  assert.match(faults({}, { initial: ['new'] }), /initial state new is not a state/)
  assert.match(faults({}, { states: [...states, 'sent'] }), /listed twice/)
  assert.match(faults({}, { terminal: ['sent', 'failed'] }), /given up has no way out/)
  assert.match(faults({}, { terminal: ['sent', 'failed', 'given up', 'queued'] }), /queued must be final, but is left/)
})

test('a table prints as Markdown and as a Mermaid diagram', () => {
  assert.equal(
    tableMarkdown({ expired: table.expired } as Table<State, 'expired'>),
    '| Event | From | To |\n|---|---|---|\n| `expired` | `queued`, `sending` | `given up` |\n',
  )
  const lines = tableMermaid(table, { states, initial }).split('\n')
  assert.equal(lines[0], 'stateDiagram-v2')
  for (const line of ['  [*] --> queued', '  queued --> sending: claimed', '  sent --> [*]', '  given_up --> [*]'])
    assert.ok(lines.includes(line), line)
  assert.ok(lines.includes('  state "given up" as given_up'))
  assert.ok(lines.includes('  sending --> given_up: expired'))
})
