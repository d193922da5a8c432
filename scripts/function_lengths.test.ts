// The lengths of functions: where each kind of function begins and ends, what it is called, and that nothing is missed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FunctionLength, functionLengths } from './function_lengths.ts'

const one = (source: string, file?: string): FunctionLength => {
  const found = functionLengths(source, file)
  assert.equal(found.length, 1, JSON.stringify(found))
  return found[0] as FunctionLength
}

test('a declaration counts from its first line to its last, its parameters included', () => {
  assert.deepEqual(one('// head\nexport async function run(\n  a: number,\n): Promise<void> {\n  await a\n}\n'), {
    name: 'run',
    line: 2,
    lines: 5,
  })
  assert.deepEqual(one('function* all() {}'), { name: 'all', line: 1, lines: 1 })
})

test('an arrow function and a function expression are called by the variable that holds them', () => {
  assert.deepEqual(one('const double: Sum<number> = (n: number) =>\n  n * 2\n'), { name: 'double', line: 1, lines: 2 })
  assert.deepEqual(one('let later\nlater = function () {\n}\n'), { name: 'later', line: 2, lines: 2 })
  assert.deepEqual(one('const f = function own() {}'), { name: 'own', line: 1, lines: 1 })
})

test('methods, accessors, constructors and properties are called by their key', () => {
  const source = `class Session {
  constructor() {
    this.a = 1
  }
  get state() {
    return 1
  }
  static #open(
  ) {}
  onEnd = () => {
  }
}
const record = {
  end() {
  },
  cancel: () => 1,
}
`
  assert.deepEqual(functionLengths(source), [
    { name: 'constructor', line: 2, lines: 3 },
    { name: 'state', line: 5, lines: 3 },
    { name: '#open', line: 8, lines: 2 },
    { name: 'onEnd', line: 10, lines: 2 },
    { name: 'end', line: 14, lines: 2 },
    { name: 'cancel', line: 16, lines: 1 },
  ])
})

test('a callback is called by the call that it is handed to, with the title if it has one', () => {
  assert.equal(one("test('it works', async () => {\n})").name, "test('it works')")
  assert.equal(one('test(`it works`, () => {})').name, 'test(`it works`)')
  assert.equal(one('list.map(one => one)').name, 'list.map()')
  assert.equal(one('(() => {})()').name, 'anonymous')
})

test('an outer function counts its whole extent, and those within are counted too', () => {
  const source = 'function outer() {\n  const inner = () => {\n    return 1\n  }\n  return inner\n}\n'
  assert.deepEqual(functionLengths(source), [
    { name: 'outer', line: 1, lines: 6 },
    { name: 'inner', line: 2, lines: 3 },
  ])
})

test('what has no body is no function', () => {
  assert.deepEqual(
    functionLengths('declare function a(): void\ntype F = () => void\ninterface I {\n  go(): void\n}'),
    [],
  )
  const overloads = 'function a(n: 1): 1\nfunction a(n: 2): 2\nfunction a(n: number) {\n  return n\n}'
  assert.deepEqual(one(overloads), { name: 'a', line: 3, lines: 3 })
  assert.deepEqual(functionLengths('abstract class A {\n  abstract go(): void\n}'), [])
})

test('TSX is read by the name of its file', () => {
  const source = 'export const Frame = () => (\n  <button onClick={() => {}}>\n    text\n  </button>\n)\n'
  assert.deepEqual(functionLengths(source, 'frame.tsx'), [
    { name: 'Frame', line: 1, lines: 5 },
    { name: 'anonymous', line: 2, lines: 1 },
  ])
  assert.throws(() => functionLengths(source, 'frame.ts'), SyntaxError)
})

test('lines are counted right after characters of more than one byte, and with Windows line ends', () => {
  assert.deepEqual(one("const text = '→ 😀 ä'\r\nfunction after() {\r\n}\r\n"), { name: 'after', line: 2, lines: 2 })
})

test('a text that does not parse is said, not counted as empty', () => {
  assert.throws(() => functionLengths('function {', 'broken.ts'), /broken\.ts/)
})
