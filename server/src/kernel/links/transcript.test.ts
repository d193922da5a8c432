// What is kept of a test of a link: all of an orderly one, the beginning and a count of one that says too much, and the
// moment from which it is a flood.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTranscript, type Said } from './transcript.ts'

const received: Said = { direction: 'received', text: 'pong' }
const sent: Said = { direction: 'sent', text: 'ping' }

test('a hundred entries of a step are shown, and how many more there were each way', () => {
  const transcript = createTranscript()
  transcript.add(sent)
  transcript.add(received)
  assert.deepEqual(transcript.take(), [sent, received])
  for (let i = 0; i < 1_334; i++) transcript.add(received)
  transcript.add(sent)
  const said = transcript.take()
  assert.equal(said.length, 102)
  assert.deepEqual(said.slice(99), [
    received,
    { direction: 'sent', text: '… and 1 more' },
    { direction: 'received', text: '… and 1,234 more' },
  ])
  transcript.add(sent)
  assert.deepEqual(transcript.take(), [sent], 'the next step begins with nothing')
})

test('five thousand entries are a flood, whichever step they belong to', async () => {
  const transcript = createTranscript()
  const isFlooded = () =>
    Promise.race([transcript.flooded.then(() => true), new Promise(setImmediate).then(() => false)])
  for (let i = 0; i < 4_999; i++) transcript.add(received)
  transcript.take()
  assert.equal(await isFlooded(), false)
  transcript.add(received)
  assert.equal(await isFlooded(), true)
})
