// What the portal may weigh and may contain, read from a real build: a screen that grows past its budget, a style or
// script that a strict Content-Security-Policy would refuse, or an address of somebody else's server fails here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../src/words/files.ts'
import { type Build, portalSources, readBuild, screenSources } from './built.ts'

const kib = 1024
const build: Build = await readBuild()

function weigh(files: Iterable<string>): { total: number; reported: string } {
  const sizes = [...files].map((file): [string, number] => [file, build.gzipBytes(file)]).sort((a, b) => b[1] - a[1])
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  return {
    total,
    reported: sizes.map(([file, bytes]) => `  ${(bytes / kib).toFixed(1).padStart(6)} KiB ${file}`).join('\n'),
  }
}

function within(what: string, files: Iterable<string>, limitKib: number): void {
  const { total, reported } = weigh(files)
  const sum = `${what}: ${(total / kib).toFixed(1)} KiB with gzip, ${limitKib} KiB allowed`
  assert.ok(total <= limitKib * kib, `${sum}\n${reported}`)
}

const isPlayground = (source: string) => source.includes('/playground/')

test('a screen is there with at most 200 KiB of script', () => {
  for (const source of screenSources().filter(source => !isPlayground(source))) {
    within(source, build.screenScripts(source), 200)
  }
})

// Raised from 12 KiB when records, calls and the phone spoke German: the inbox has 17, as it says what its composer, calls and records say.
test('the texts that come with a screen are at most 18 KiB, in whichever language', () => {
  for (const source of screenSources())
    for (const language of languages) within(`${source}, ${language}`, build.screenTexts(source, language), 18)
})

/** What few of those who send a request open: it is fetched when they do. */
const opened = [
  'drawers/collections_drawer.tsx',
  'drawers/conflict_dialog.tsx',
  'drawers/environments_drawer.tsx',
  'drawers/history_drawer.tsx',
  'drawers/save_dialog.tsx',
  'drawers/variables_drawer.tsx',
  'request_panel/curl_dialog.tsx',
  'request_panel/file_panel.tsx',
  'request_panel/tests_panel.tsx',
  'response_panel/stream_view.tsx',
  'response_panel/test_results.tsx',
  'runner/runner_dialog.tsx',
  'tests/answer.ts',
].map(file => `src/playground/${file}`)

test('the Playground adds at most 144 KiB that no other screen needs, its editor included; what opens beside the request 30 more', () => {
  const [playground = '', ...others] = screenSources().sort((a, b) => Number(isPlayground(b)) - Number(isPlayground(a)))
  assert.ok(isPlayground(playground))
  const needed = new Set(others.flatMap(source => [...build.allScreenScripts(source)]))
  const sending = build.allScreenScripts(playground, opened)
  within(playground, sending.difference(needed), 144)
  within(
    `${playground}, what opens beside the request`,
    build.allScreenScripts(playground).difference(sending).difference(needed),
    30,
  )
  within(`${playground} with all it shares`, build.allScreenScripts(playground), 214 + 144 + 8)
})

// Nobody loads them all: this says when a library has come in twice. Raised from 700 KiB when roles, teams, sign-up, single sign-on, the
// console of operators and ten screens of mail came, each of 1 to 6 KiB and none with a library of its own.
// To 860 KiB when Home, the inbox, what teams keep in the Playground, record pages as workplaces and the formats of numbers came; back to
// 790 when small files were put together, which compress better so; 800 when forms came to keep what was typed whatever happens; 815 when
// texts went to many, mails took files along, and what only the API could change of mail, audit log and apps got its forms.
test('all scripts together stay below 815 KiB', () => within('all scripts', build.scripts, 815))

test('no screen fetches more than 20 scripts: each takes longer than its bytes', () => {
  for (const source of screenSources()) {
    const files = build.screenScripts(source)
    assert.ok(files.size <= 20, `${source} fetches ${files.size}:\n${weigh(files).reported}`)
  }
})

// Raised from 30 KiB when the page of design came: motion, quiet controls, filters in one line, the drawing of empty places.
test('all styles together stay below 32 KiB', () => within('all styles', build.styles, 32))

test('two fonts, preloaded, of at most 100 kB together', () => {
  assert.equal(build.fonts.length, 2, build.fonts.join(', '))
  const bytes = build.fonts.reduce((sum, file) => sum + build.bytes(file), 0)
  assert.ok(bytes <= 100_000, `${bytes} bytes`)
  for (const file of build.fonts) {
    const link = [...build.page.matchAll(/<link\b[^>]*>/g)].map(match => match[0]).find(tag => tag.includes(file)) ?? ''
    assert.match(link, /rel="preload"/, `${file} is not preloaded`)
    assert.match(link, /as="font"/)
    assert.match(link, /crossorigin/)
  }
})

test('index.html holds nothing that a strict policy refuses', () => {
  const { page } = build
  assert.doesNotMatch(page, /<style\b/i)
  assert.doesNotMatch(page, /\sstyle\s*=/i)
  assert.doesNotMatch(page, /\son[a-z]+\s*=/i)
  assert.doesNotMatch(page, /javascript:/i)
  const scripts = [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
  assert.ok(scripts.length > 0)
  for (const [tag, attributes = '', content] of scripts) {
    assert.equal(content, '', `an inline script: ${tag}`)
    assert.match(attributes, /\ssrc="\/[^/]/, `a script from elsewhere: ${tag}`)
  }
})

test('no script makes code from text', () => {
  for (const file of build.scripts) {
    const found = /\beval\(|\bnew Function\b|[^\w.$]Function\(|set(?:Timeout|Interval)\(["'`]/.exec(build.text(file))
    const around = found === null ? '' : build.text(file).slice(Math.max(0, found.index - 60), found.index + 60)
    assert.equal(around, '', `${file}: …${around}…`)
  }
})

/** Names of XML namespaces and of file formats, and addresses that stand for "yours" or "nowhere" (RFC 2606). */
const knownAddress =
  /^https?:\/\/(?:www\.w3\.org\/|schema\.getpostman\.com\/|(?:[\w-]+\.)*example(?:\.com|\.org|\.net)?\b|[\w-]+\.invalid\b|127\.0\.0\.1|localhost|your-|[${<]|\[\^|$)/

test('no source names another origin', () => {
  for (const [file, text] of portalSources()) {
    const code = file.endsWith('.css') || file.endsWith('.svg') || file.endsWith('.html') ? text : withoutComments(text)
    const addresses = [...code.matchAll(/(?:https?:)?\/\/[\w[${<.-][^\s'"`)<>]*/g)].map(match => match[0])
    const foreign = addresses.filter(address => /^https?:/.test(address) && !knownAddress.test(address))
    assert.deepEqual(foreign, [], `${file} names ${foreign.join(', ')}: serve it from here`)
  }
})

test('no source writes markup from text, and no style element or attribute', () => {
  const forbidden =
    /dangerouslySetInnerHTML|\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|document\.write\(|<style\b/
  for (const [file, text] of portalSources()) {
    assert.doesNotMatch(withoutComments(text), forbidden, `${file} is refused by the policy or by prudence`)
  }
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '')
}

test('what is built has no source map and can be cached for ever', () => {
  for (const file of [...build.scripts, ...build.styles, ...build.fonts]) {
    assert.match(file, /^_built\/.+-[\w-]{8}\.\w+$/, `${file} has no hash in its name`)
    assert.doesNotMatch(file.endsWith('.woff2') ? '' : build.text(file), /sourceMappingURL/)
  }
})
