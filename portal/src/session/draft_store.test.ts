// Drafts outlive a reload of their tab, are bounded, and are gone after logging out; what another version wrote does no harm.
// A map stands for the session storage of the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraftStore, type DraftStorage, fitted } from './draft_store.ts'

function storageOf(entries = new Map<string, string>()): DraftStorage & { entries: Map<string, string> } {
  return {
    entries,
    get length() {
      return entries.size
    },
    key: index => [...entries.keys()][index] ?? null,
    getItem: name => entries.get(name) ?? null,
    setItem: (name, text) => void entries.set(name, text),
    removeItem: name => void entries.delete(name),
  }
}

test('a draft is there again after a reload, without its files', () => {
  const storage = storageOf()
  const before = createDraftStore(storage)
  const values = { body: 'Half a note', files: [new Blob(['x'])] }
  before.keep('1 live note', values)
  assert.equal(before.read('1 live note'), values)
  const after = createDraftStore(storage)
  const empty = { body: '', files: [] as Blob[] }
  assert.deepEqual(fitted(after.read('1 live note'), empty), { body: 'Half a note', files: [] })
  after.drop('1 live note')
  assert.equal(createDraftStore(storage).read('1 live note'), undefined)
})

test('logging out leaves no draft behind, and nothing else of the storage is touched', () => {
  const storage = storageOf(new Map([['other', 'stays']]))
  const store = createDraftStore(storage)
  for (const name of ['a', 'b', 'c']) store.keep(name, { text: name })
  store.clear()
  assert.equal(store.read('a'), undefined)
  assert.deepEqual([...storage.entries], [['other', 'stays']])
})

test('drafts are bounded: the oldest go, and a very long one is kept in memory only', t => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  const storage = storageOf()
  const store = createDraftStore(storage)
  for (let at = 0; at < 60; at++) {
    t.mock.timers.tick(1)
    store.keep(`draft ${at}`, { text: `${at}` })
  }
  assert.equal(storage.entries.size, 50)
  const again = createDraftStore(storage)
  assert.equal(again.read('draft 9'), undefined)
  assert.deepEqual(again.read('draft 10'), { text: '10' })
  store.keep('long', { text: 'x'.repeat(200_000) })
  assert.equal(createDraftStore(storage).read('long'), undefined)
  assert.notEqual(store.read('long'), undefined)
})

test('a storage that refuses, and what another version wrote, do no harm', () => {
  const refuse = () => {
    throw new Error('forbidden')
  }
  const store = createDraftStore({ ...storageOf(), getItem: refuse, setItem: refuse, removeItem: refuse })
  store.keep('a', { text: 'x' })
  assert.deepEqual(store.read('a'), { text: 'x' })
  store.clear()
  const empty = { text: '', lines: ['first'], lead: null as number | null }
  assert.deepEqual(fitted({ text: 5, lines: 'none', lead: 7, gone: true }, empty), { ...empty, lead: 7 })
  for (const odd of ['text', null, 3]) assert.deepEqual(fitted(odd, empty), empty)
})
