// No organization reaches another's records: a slice of what `npm run escapes` tries with every credential and id.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tryToEscape } from './escapes.ts'
import { startTestApp, type TestApp } from './harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

test('ids of another organization in every place of every request, and its rows in every table', async () => {
  const { http, statements, tables, endpoints, through } = await tryToEscape(t, { everything: false })
  assert.deepEqual(through, [])
  // What would pass with nothing tried proves nothing.
  assert.ok(tables >= 60 && endpoints >= 80, `${tables} tables, ${endpoints} endpoints`)
  assert.ok(http >= 400 && statements >= 1_200, `${http} requests, ${statements} statements`)
})
