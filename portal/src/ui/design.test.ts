// The rules of README.md that a machine can hold: sizes, weights, lines, tracking, radii, shadows and durations in the stylesheets are
// tokens, motion is over within 150 ms, and links in lists are not underlined at rest.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const folder = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
const sheets = globSync('**/*.module.css', { cwd: folder })
const tokens = read('ui/tokens.css')

/** Every value that a stylesheet gives to a property, without fonts of `@font-face`. */
function valuesOf(property: string): [file: string, value: string][] {
  const declaration = new RegExp(`(?:^|[{;\\s])${property}:\\s*([^;}]+)[;}]`, 'g')
  return sheets.flatMap(file =>
    [...read(file).matchAll(declaration)].map(([, value = '']): [string, string] => [file, value.trim()]),
  )
}

function onlyTokens(property: string, token: string, others: RegExp = /^$/): void {
  const values = valuesOf(property)
  assert.ok(values.length > 0, `nobody sets ${property}`)
  const own = values.filter(([, value]) => {
    const rest = value.replaceAll(new RegExp(`var\\(--${token}[\\w-]*\\)`, 'g'), '').trim()
    return rest !== '' && !others.test(value)
  })
  assert.deepEqual(own, [], `${property} is written with --${token}… of tokens.css`)
}

/** In milliseconds. */
function durationOf(name: string): number {
  const [, value = '', unit] = new RegExp(`--${name}: ([\\d.]+)(m?s);`).exec(tokens) ?? []
  return Number(value) * (unit === 's' ? 1000 : 1)
}

describe('the design', () => {
  test('sizes of text', () => onlyTokens('font-size', 'text', /^(?:inherit|[\d.]+em)$/))
  test('weights', () => onlyTokens('font-weight', 'weight', /^inherit$/))
  test('lines', () => onlyTokens('line-height', 'line', /^(?:[01]|20px|var\(--control-height\))$/))
  test('tracking', () => onlyTokens('letter-spacing', 'track'))
  test('radii', () =>
    onlyTokens(
      'border-radius',
      'radius',
      /^(?:0|inherit|50%|26%|46px|36px|var\(--radius-\d\)(?: (?:0|var\(--radius-\w+\)))+)$/,
    ))
  test('elevation', () => onlyTokens('box-shadow', 'shadow', /^(?:none|inset .+|0 0 0 1px var\(--[\w-]+\))$/))

  test('motion is short, and its durations are tokens', () => {
    assert.ok(durationOf('motion-fast') > 0 && durationOf('motion-fast') <= durationOf('motion'))
    assert.ok(durationOf('motion') <= 150, 'what moves is there within 150 ms')
    for (const property of ['transition', 'transition-duration', 'animation', 'animation-duration', 'animation-delay'])
      for (const [file, value] of valuesOf(property)) {
        assert.doesNotMatch(value, /(?:^|[\s,])[\d.]+m?s\b/, `${file}: ${property}: ${value}`)
        // Only what turns while one waits goes on.
        if (value.includes('--motion-loop') && property === 'animation')
          assert.match(value, /infinite/, `${file}: ${value}`)
      }
  })

  test('who asks for less motion gets none', () => {
    const reduced = /prefers-reduced-motion: reduce\)\s*\{([\s\S]+?\})\s*\}/.exec(read('ui/base.css'))?.[1] ?? ''
    for (const property of [
      'animation-duration',
      'animation-iteration-count',
      'transition-duration',
      'scroll-behavior',
    ])
      assert.match(reduced, new RegExp(`${property}: [^;]+ !important`))
  })

  test('every token is used, and what is used is set somewhere', () => {
    const known = namesIn(tokens, /(--[\w-]+):/g)
    const scripts = globSync('**/*.{ts,tsx}', { cwd: folder }).filter(file => !file.endsWith('.test.ts'))
    const rest = [...sheets, 'ui/base.css', ...scripts].map(read).join('\n')
    const unused = [...known].filter(name => !rest.includes(name))
    assert.deepEqual(unused, [], 'nobody uses them')
    const here = namesIn(rest, /['"\s{;](--[\w-]+)['"]?\]?:/g)
    const asked = namesIn(rest, /var\((--[\w-]+)\)/g)
    assert.deepEqual([...asked.difference(known).difference(here)], [], 'nobody sets them')
  })
})

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
}
