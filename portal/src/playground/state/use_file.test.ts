// A file that was chosen is of one request, also where several have the same method and path, and where one is brought back.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Draft, emptyDraft } from '../request/request.ts'
import { chooseFile, dropFile, fileOf } from './use_file.ts'

const csv: Draft = {
  ...emptyDraft,
  method: 'POST',
  path: '/v1/api/imports',
  headers: [{ name: 'content-type', value: 'text/csv', enabled: true }],
}
const mail: Draft = { ...csv, path: '/v1/api/mails' }

/** The screen, as far as its file goes. */
function createScreen() {
  const page: Parameters<typeof dropFile>[0] = { files: {} }
  const shown = { draft: csv, opened: 0 }
  return {
    ...{ page, shown },
    open(draft: Draft, isSame = false) {
      const { opened, takeBack } = dropFile(page, 'test', draft, isSame)
      Object.assign(shown, { draft, opened })
      return (lost: Draft) => Object.assign(shown, { draft: lost, opened: takeBack(lost) })
    },
    choose: (name: string) => chooseFile(page, 'test', shown, new File(['x'], name)),
    chosen: () => fileOf(page, 'test', shown)?.file?.name,
    dropped: () => fileOf(page, 'test', shown)?.name,
  }
}

test('undone, the file of the request that was opened goes, and the one of that before is there again', () => {
  const screen = createScreen()
  screen.open(csv, true)
  screen.choose('a.csv')
  const undo = screen.open({ ...csv, body: 'second' })
  assert.deepEqual([screen.chosen(), screen.dropped()], [undefined, 'a.csv'])
  screen.choose('b.csv')
  assert.equal(screen.chosen(), 'b.csv')
  undo(csv)
  assert.equal(screen.chosen(), 'a.csv')
})

test('undone where nothing had been chosen, nothing is', () => {
  const screen = createScreen()
  screen.open(csv, true)
  const undo = screen.open({ ...csv, body: 'second' })
  screen.choose('b.csv')
  undo(csv)
  assert.deepEqual([screen.chosen(), screen.dropped()], [undefined, undefined])
})

test('what comes back may be of another place than the request that was on the screen: its file stays behind', () => {
  const screen = createScreen()
  screen.open(mail, true)
  screen.choose('mail.eml')
  const undo = screen.open({ ...csv, body: 'second' })
  screen.choose('b.csv')
  undo(csv)
  assert.deepEqual([screen.chosen(), screen.dropped()], [undefined, 'mail.eml'])
})

test('a file is of the request that was opened with it, not of all of its method and path', () => {
  const screen = createScreen()
  screen.open(csv, true)
  screen.choose('a.csv')
  const first = { ...screen.shown }
  screen.open({ ...csv, body: 'second' })
  screen.choose('b.csv')
  assert.equal(fileOf(screen.page, 'test', first), undefined)
  assert.equal(fileOf(screen.page, 'live', screen.shown), undefined)
  // Who looked at another screen comes back to it.
  screen.open({ ...csv, body: 'second' }, true)
  assert.equal(screen.chosen(), 'b.csv')
})
