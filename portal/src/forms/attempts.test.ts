// The same words are sent with the same key until they have arrived; others, and the same once more afterwards, with another.
// A draft in the storage of a tab stands for the server not having answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAttempts } from './attempts.ts'

/** As the storage of a tab. */
function storeOfDraft() {
  let kept: unknown
  return {
    read: () => kept,
    keep(value: unknown) {
      kept = JSON.parse(JSON.stringify(value))
    },
    drop() {
      kept = undefined
    },
  }
}

test('one content is one attempt until it is over', () => {
  const store = storeOfDraft()
  const attempts = createAttempts(store)
  const first = attempts.of({ body: 'Hello' })
  assert.match(first.key, /^[0-9a-f]{32}$/)
  assert.equal(attempts.of({ body: 'Hello' }).key, first.key)
  assert.equal(createAttempts(store).of({ body: 'Hello' }).key, first.key, 'by another form of the same draft')
  const other = attempts.of({ body: 'Hello!' })
  assert.notEqual(other.key, first.key)
  assert.equal(attempts.of({ body: 'Hello' }).key, first.key, 'typed back')
  attempts.forget()
  assert.notEqual(attempts.of({ body: 'Hello' }).key, first.key)
})

test('what belongs to a request beside its content stays as it was first sent', () => {
  const attempts = createAttempts(storeOfDraft())
  const { key } = attempts.of({ text: 'Yes', seen: 'itm_1' }, 'Yes')
  assert.deepEqual(attempts.of({ text: 'Yes', seen: 'itm_2' }, 'Yes'), { key, request: { text: 'Yes', seen: 'itm_1' } })
})
