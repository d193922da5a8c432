// What a release changes in texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { changelogFor, isNewer, withVersion } from './version.ts'

const root = join(import.meta.dirname, '../..')

test('versions are three numbers that go up', () => {
  for (const version of ['0.1.1', '0.2.0', '1.0.0', '0.1.10']) assert.ok(isNewer(version, '0.1.0'), version)
  for (const version of ['0.1.0', '0.0.9', '1.0', 'v1.0.0', '1.0.0-beta', ''])
    assert.ok(!isNewer(version, '0.1.0'), version)
})

test('the changelog gets a section by version, and an empty one for what comes', () => {
  const text =
    '# Changelog\n\nWritten by hand.\n\n## Unreleased\n\n- A thing.\n\n## 0.1.0 (2026-11-01)\n\n- The first.\n'
  const changed = changelogFor(text, '0.2.0', '2026-11-28')
  assert.equal(
    changed,
    '# Changelog\n\nWritten by hand.\n\n## Unreleased\n\n## 0.2.0 (2026-11-28)\n\n- A thing.\n\n## 0.1.0 (2026-11-01)\n\n- The first.\n',
  )
  assert.throws(() => changelogFor(changed, '0.3.0', '2026-11-29'), /says nothing/)
  assert.throws(() => changelogFor('# Changelog\n', '0.3.0', '2026-11-29'), /no section/)
})

test('all packages of this repository have one version, and their files are written as npm writes them', () => {
  const files = globSync(['package.json', 'package-lock.json', '{packages/*,server,portal,sdk}/package.json'], {
    cwd: root,
  })
  assert.ok(files.length >= 8, files.join())
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    assert.equal(withVersion(text, version, version), text, file)
    const next = withVersion(text, version, '99.0.0')
    assert.equal((JSON.parse(next) as { version: string }).version, '99.0.0', file)
    const left = next.split('\n').filter(line => new RegExp(`"@tandem/\\w+": "${version}"`).test(line))
    assert.deepEqual(left, [], file)
  }
})

test('the changelog has a section of what is unreleased, and versions go down from there', () => {
  const titles = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, title]) => title!,
  )
  assert.equal(titles[0], 'Unreleased')
  const versions = titles
    .slice(1)
    .map(title => /^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/.exec(title)?.[1] ?? assert.fail(title))
  for (const [index, version] of versions.slice(1).entries()) assert.ok(isNewer(versions[index]!, version), version)
})
