// What was saved of a call before something failed is not made twice, and a correction changes what was made.
// The server is a list of what it was asked to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteps } from './steps.ts'

test('a step is made once, and changed where its content was', async () => {
  const step = createSteps()
  const log: string[] = []
  const note = (content: string) =>
    step('note', {
      content,
      make: async () => {
        log.push(`make ${content}`)
        return { id: 'note_1' }
      },
      change: async ({ id }) => log.push(`change ${id} to ${content}`),
    })
  for (const content of ['Called', 'Called', 'Called back', 'Called back', 'Called']) await note(content)
  assert.deepEqual(log, ['make Called', 'change note_1 to Called back', 'change note_1 to Called'])
})

test('what failed is tried again: with the same key where it is the same', async () => {
  const step = createSteps()
  const keys: string[] = []
  const task = (content: string, fails: boolean) =>
    step('task', {
      content,
      async make(key) {
        keys.push(key)
        if (fails) throw new Error('lost')
        return content
      },
      change: async () => undefined,
    })
  await assert.rejects(task('Send the offer', true), /lost/)
  await assert.rejects(task('Send an offer', true), /lost/)
  assert.equal(await task('Send the offer', false), 'Send the offer')
  assert.equal(keys[0], keys[2])
  assert.notEqual(keys[0], keys[1])
  const change = async () => {
    throw new Error('refused')
  }
  const again = () => step('task', { content: 'Other', make: async () => '', change })
  await assert.rejects(again(), /refused/)
  await assert.rejects(again(), /refused/, 'a change that failed is not taken for done')
})
