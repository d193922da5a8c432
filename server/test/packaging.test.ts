// The files by which others run a release: the unit of systemd is as closed as it can be, and the image and its compose file fit the
// archive. No container is run here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../src/commands/table.ts'
import { loadConfig, unknownSettings } from '../src/config/config.ts'
import { freshFolder } from './server_process.ts'

const root = join(import.meta.dirname, '../..')
const unitFile = join(root, 'docs/examples/tandem.service')
const unit = readFileSync(unitFile, 'utf8')

const hasAnalyze = spawnSync('systemd-analyze', ['security', '--help'], { encoding: 'utf8' }).stdout?.includes(
  '--offline',
)
const noAnalyze = hasAnalyze ? false : 'no systemd-analyze that reads units without a running systemd'

test('systemd finds no mistake in the unit, and rates its exposure below 3', { skip: noAnalyze }, () => {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unitFile], { encoding: 'utf8' })
  const [, exposure] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? assert.fail(stdout)
  assert.ok(Number(exposure) < 3, stdout)
  const copy = join(freshFolder(), 'tandem.service')
  // Its program is not installed here.
  writeFileSync(copy, unit.replace('/opt/tandem/current/bin/tandem', '/bin/true'))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' })
  const faults = verified.stderr.split('\n').filter(line => line.includes('tandem.service'))
  assert.deepEqual(faults, [])
})

/** Commands that a file runs, by the words behind the program's name. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/(?:bin\/tandem |"tandem", "|^CMD \[")([a-z-]+)/gm)].map(match => match[1]!)
}

test('what the files run are commands, and what they set are settings', () => {
  const dockerfile = readFileSync(join(root, 'packaging/Dockerfile'), 'utf8')
  const compose = readFileSync(join(root, 'packaging/compose.yaml'), 'utf8')
  const names = commands.map(({ name }) => name)
  for (const text of [unit, dockerfile]) {
    const found = commandsIn(text)
    assert.ok(found.includes('start'), text)
    for (const name of found) assert.ok(names.includes(name), name)
  }
  const set = [...`${unit}\n${dockerfile}\n${compose}`.matchAll(/\b(TANDEM_[A-Z_]+)(?==|:)/g)].map(match => match[1]!)
  assert.ok(set.length > 5)
  assert.deepEqual(unknownSettings(Object.fromEntries(set.map(name => [name, '1']))), [])
  const [, env = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? assert.fail(dockerfile)
  const image = loadConfig(Object.fromEntries(env.split(' ').map(pair => pair.split('=') as [string, string])))
  assert.deepEqual([image.host, image.port, image.dataDir], ['0.0.0.0', 3_000, '/data'])
  const known = /^(FROM|ADD|RUN|ENV|USER|WORKDIR|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) /
  const instructions = dockerfile.replaceAll(/\\\n/g, ' ').split('\n')
  for (const line of instructions.filter(text => text !== '' && !text.startsWith('#'))) assert.match(line, known)
})

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0
const noCompose = hasCompose ? false : 'no docker compose on this system'

test('docker compose takes the compose file', { skip: noCompose }, () => {
  const folder = join(freshFolder(), 'tandem')
  mkdirSync(folder)
  for (const name of ['Dockerfile', 'compose.yaml'])
    writeFileSync(join(folder, name), readFileSync(join(root, 'packaging', name)))
  const { status, stdout, stderr } = spawnSync('docker', ['compose', 'config', '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const { services } = JSON.parse(stdout) as { services: { tandem: { environment: Record<string, string> } } }
  assert.equal(services.tandem.environment['TANDEM_PUBLIC_URL'], 'http://127.0.0.1:3000')
})

test('what the image runs when it is built does what it says, in a shell', () => {
  const dockerfile = readFileSync(join(root, 'packaging/Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' ')
  const [, script = ''] = /^RUN (.*)$/m.exec(dockerfile) ?? assert.fail(dockerfile)
  const folder = freshFolder()
  for (const path of ['opt/tandem/tandem-1.2.3-linux-x64/bin', 'usr/local/bin'])
    mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(folder, 'opt/tandem/tandem-1.2.3-linux-x64/bin/tandem'), '#!/bin/sh\necho it runs\n', {
    mode: 0o755,
  })
  // Accounts and owners are for the image alone.
  const here = script
    .replaceAll(/(?<= )\/(opt|usr|data)/g, `${folder}/$1`)
    .replace(/useradd [^;]*;/, '')
    .replace('-o tandem -g tandem ', '')
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${here} && ${folder}/usr/local/bin/tandem`], {
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout, stderr], [0, 'it runs\n', ''])
})
