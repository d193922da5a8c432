// `npm run release -- <version>`: makes a version of what is checked in: the number in all package.json and the lock file, a section of the
// changelog in place of "Unreleased", one commit and the tag v<version>. Nothing is pushed. `npm run package` makes the archive of it.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogFor, isNewer, withVersion } from './packaging/version.ts'

const root = join(import.meta.dirname, '..')

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function change(file: string, changed: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, changed(readFileSync(path, 'utf8')))
}

function main([version, ...more]: readonly string[]): void {
  const { version: former } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  if (version === undefined || more.length > 0) throw new Error('say the version: npm run release -- 0.2.0')
  const isTagged = git('tag', '--list', `v${version}`) !== ''
  if (isTagged) throw new Error(`there is a tag v${version} already`)
  // The first release has the number that stands there.
  if (version !== former && !isNewer(version, former))
    throw new Error(`"${version}" is no version after ${former}: it takes three numbers, as in 0.2.0`)
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not checked in')
  // The day of the release, in UTC.
  const day = new Date().toISOString().slice(0, 10)
  change('CHANGELOG.md', text => changelogFor(text, version, day))
  const manifests = globSync(['package.json', 'package-lock.json', '{packages/*,server,portal,sdk}/package.json'], {
    cwd: root,
  })
  for (const file of manifests) change(file, text => withVersion(text, former, version))
  git('commit', '--quiet', '--all', '--message', `release: version ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Tandem ${version}`)
  console.log(
    `v${version} is committed and tagged. Push both (git push --follow-tags), and make its archive: npm run package`,
  )
}

try {
  main(process.argv.slice(2))
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exitCode = 1
}
