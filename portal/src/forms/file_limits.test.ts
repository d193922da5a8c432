// Files that may go along, and those that are left out with their reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeFiles } from './file_limits.ts'

const file = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name)

test('what is too large, too much, one too many or empty is left out, and all others are taken', () => {
  const limits = { files: 3, bytesEach: 10, bytesAll: 15 }
  const take = (had: readonly File[], ...chosen: File[]) => {
    const { all, refused } = takeFiles(had, chosen, limits)
    return [all.map(({ name }) => name).join(' '), refused]
  }
  const [five, six, ten] = [file('five', 5), file('six', 6), file('ten', 10)]
  assert.deepEqual(take([], five, ten), ['five ten', undefined])
  assert.deepEqual(take([five], file('none', 0), six), ['five six', { name: 'none', why: 'empty', limit: 0 }])
  assert.deepEqual(take([], file('eleven', 11), five), ['five', { name: 'eleven', why: 'too large', limit: 10 }])
  assert.deepEqual(take([six], ten, five), ['six five', { name: 'ten', why: 'too large with others', limit: 15 }])
  assert.deepEqual(take([file('a', 1), file('b', 1)], file('c', 1), file('d', 1)), [
    'a b c',
    { name: 'd', why: 'too many', limit: 3 },
  ])
})
