// Colours by arithmetic: what the stylesheets combine can be read and distinguished in both themes (WCAG 2.2, 1.4.3 and 1.4.11),
// and no colour is written anywhere but in tokens.css, where a theme could not change it. What nesting combines is
// looked at in the browser (portal/test/contrast.ts).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { contrastRatio } from '../../test/contrast.ts'

const folder = join(import.meta.dirname, '..')
const files = globSync('**/*.{css,ts,tsx}', { cwd: folder }).filter(file => !/\.test\.tsx?$/.test(file))
const text = (file: string) => readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
const styles = files.filter(file => file.endsWith('.css') && file !== 'ui/tokens.css')

type Theme = ReadonlyMap<string, string>

/** Light first; dark is light with what it changes. */
function themes(): Record<'light' | 'dark', Theme> {
  const [light = '', dark = ''] = [...text('ui/tokens.css').matchAll(/\{([^}]*)\}/g)].map(match => match[1])
  const read = (block: string) =>
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex])
  const entries = (block: string) => read(block) as [string, string][]
  return { light: new Map(entries(light)), dark: new Map([...entries(light), ...entries(dark)]) }
}

function ratioOf(theme: Theme, ink: string, ground: string): number {
  const colour = (name: string) => {
    const hex = theme.get(name)
    assert.ok(hex !== undefined, `--${name} is no colour of tokens.css`)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
    return [red, green, blue, 1] as const
  }
  return contrastRatio(colour(ink), colour(ground))
}

/** Ink and ground that one rule sets together, such as `color: var(--bad)` on `background: var(--bad-bg)`. */
function pairsOfRules(): [ink: string, ground: string, file: string][] {
  return styles.flatMap(file =>
    [...text(file).matchAll(/\{([^{}]*)\}/g)].flatMap(([, rule = '']): [string, string, string][] => {
      const ink = /(?:^|[\s;])color: var\(--([\w-]+)\)/.exec(rule)?.[1]
      const ground = /(?:^|[\s;])background(?:-color)?: var\(--([\w-]+)\)/.exec(rule)?.[1]
      return ink === undefined || ground === undefined ? [] : [[ink, ground, file]]
    }),
  )
}

describe('colours', () => {
  const grounds = ['bg', 'surface', 'surface-2']
  for (const [name, theme] of Object.entries(themes())) {
    test(`${name}: every ink can be read on every plain ground`, () => {
      for (const ink of ['text', 'text-muted', 'text-faint', 'accent-ink', 'ok', 'warn', 'bad', 'info']) {
        for (const ground of grounds) {
          const ratio = ratioOf(theme, ink, ground)
          assert.ok(ratio >= 4.5, `--${ink} on --${ground}: ${ratio.toFixed(2)}`)
        }
      }
    })

    test(`${name}: what a rule combines can be read`, () => {
      const pairs = pairsOfRules()
      assert.ok(pairs.length > 30, `only ${pairs.length} were found`)
      for (const [ink, ground, file] of pairs) {
        const ratio = ratioOf(theme, ink, ground)
        // A line drawn in the colour of text, such as a dot of a timeline, is no text.
        assert.ok(
          ratio >= (ink.startsWith('border') ? 3 : 4.5),
          `${file}: --${ink} on --${ground}: ${ratio.toFixed(2)}`,
        )
      }
    })

    test(`${name}: code can be read`, () => {
      for (const ink of [
        'code-text',
        'code-key',
        'code-string',
        'code-number',
        'code-atom',
        'code-comment',
        'code-line',
      ]) {
        const ratio = ratioOf(theme, ink, 'code-bg')
        assert.ok(ratio >= 4.5, `--${ink}: ${ratio.toFixed(2)}`)
      }
    })

    test(`${name}: the outline of a control and the ring of the focus can be seen`, () => {
      for (const line of ['border-strong', 'focus']) {
        for (const ground of grounds) {
          const ratio = ratioOf(theme, line, ground)
          assert.ok(ratio >= 3, `--${line} on --${ground}: ${ratio.toFixed(2)}`)
        }
      }
    })
  }

  test('no colour is written outside tokens.css', () => {
    const named = 'black|white|red|green|blue|gr[ae]y|orange|yellow|purple|silver'
    const colour = new RegExp(
      `#[0-9a-f]{3,8}\\b(?![^{]*\\{)|\\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb)\\(|:[^;{]*\\b(?:${named})\\b(?=[^{]*;)`,
      'i',
    )
    for (const file of styles) assert.doesNotMatch(text(file), colour, `${file} has a colour of its own`)
    const inScripts = /['"`\s](?:#(?:[0-9a-f]{3}){1,2}\b|(?:rgba?|hsla?)\()/i
    for (const file of files.filter(file => !file.endsWith('.css'))) {
      assert.doesNotMatch(text(file), inScripts, `${file} has a colour of its own`)
    }
  })
})
