// A real Asterisk for tests: found, and run on free ports of this machine, configured as docs/voice.md says with a SIP peer behind it, or
// as a test wants it.
// `TANDEM_TEST_ASTERISK` names an asterisk program, or a folder made by scripts/asterisk_chroot.sh.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../scripts/testing/free_port.ts'

/** Where there is an Asterisk: a program, or a tree to change the root to. */
export type Found = { program: string; root: string | null }

export const howToGetOne =
  'NO ASTERISK: the tests against a real one are skipped. Make one as root by `bash scripts/asterisk_chroot.sh /var/tmp/tandem-asterisk`, or name a program or such a folder in TANDEM_TEST_ASTERISK.'

/** Undefined where there is none; says so where a name leads to none. */
export function findAsterisk(named: string | undefined): Found | undefined {
  if (named !== undefined && named !== '') {
    const found = foundAt(named)
    if (found === undefined) throw new Error(`TANDEM_TEST_ASTERISK=${named} has no Asterisk that can be run here`)
    return found
  }
  return ['/usr/sbin/asterisk', '/usr/local/sbin/asterisk', '/var/tmp/tandem-asterisk']
    .map(foundAt)
    .find(found => found !== undefined)
}

function foundAt(path: string): Found | undefined {
  if (!existsSync(path)) return undefined
  if (!statSync(path).isDirectory()) return { program: path, root: null }
  // Only root may change the root.
  if (!existsSync(join(path, 'usr/sbin/asterisk')) || process.getuid?.() !== 0) return undefined
  return { program: '/usr/sbin/asterisk', root: path }
}

export type RealAsterisk = {
  readonly version: string
  readonly httpPort: number
  readonly sipPort: number
  /** What a command of its console answers. */
  command(text: string): Promise<string>
  /** Ends it at once, as a crash would, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** @param peerPort where the SIP peer behind it listens, which plays the carrier */
export function startAsterisk(found: Found, peerPort: number): Promise<RealAsterisk> {
  return runAsterisk(found, ports => documented({ ...ports, peerPort }), isAnswering)
}

/** Whether one that was just started is ready. */
type IsReady = (asterisk: Pick<RealAsterisk, 'httpPort' | 'command'>) => Promise<boolean>
const isBooted: IsReady = async ({ command }) => (await command('core waitfullybooted')).includes('fully booted')

/** @param configure its files, but for those that say where it may write */
export async function runAsterisk(
  { program, root }: Found,
  configure: (ports: Pick<RealAsterisk, 'httpPort' | 'sipPort'>) => Record<string, string>,
  isReady: IsReady = isBooted,
): Promise<RealAsterisk> {
  const inside = (path: string) => join(root ?? '/', path)
  const place = mkdtempSync(join(root === null ? tmpdir() : inside('tmp'), 'asterisk-'))
  const own = root === null ? place : place.slice(root.replace(/\/$/, '').length)
  const modules = globSync('usr/{lib,lib64,lib/*-linux-gnu,local/lib}/asterisk/modules', { cwd: inside('/') })[0]
  const [httpPort, sipPort] = [await freePort(), await freePort()]
  mkdirSync(join(place, 'etc'))
  mkdirSync(join(place, 'run'))
  const version = execFileSync(...commandOf(program, root, ['-V']), { encoding: 'utf8' }).trim()
  const files = { ...configuration(own, `/${modules}`), ...configure({ httpPort, sipPort }) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, 'etc', name), text)
  let running: ChildProcess | undefined
  let output = ''

  async function start(): Promise<void> {
    const [name, args] = commandOf(program, root, ['-f', '-C', `${own}/etc/asterisk.conf`])
    const started = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    running = started
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', bytes => {
        output = (output + String(bytes)).slice(-20_000)
      })
    const untilMs = performance.now() + 60_000
    for (;;) {
      if (await isReady({ httpPort, command }).catch(() => false)) return
      if (started.exitCode !== null || performance.now() > untilMs)
        throw new Error(`Asterisk did not start: ${output.slice(-2_000)}`)
      await sleep(100)
    }
  }

  async function command(text: string): Promise<string> {
    const [name, args] = commandOf(program, root, ['-C', `${own}/etc/asterisk.conf`, '-rx', text])
    return (await promisify(execFile)(name, args, { encoding: 'utf8', timeout: 20_000 })).stdout
  }

  async function stop(): Promise<void> {
    const ending = running
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise(resolve => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    version,
    httpPort,
    sipPort,
    command,
    async restart() {
      await stop()
      await start()
    },
    async close() {
      await stop()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

function commandOf(program: string, root: string | null, args: string[]): [string, string[]] {
  return root === null ? [program, args] : ['chroot', [root, program, ...args]]
}

/** Where it has ARI, it is ready when its PJSIP endpoint is there. */
const isAnswering: IsReady = async ({ httpPort }) => {
  const authorization = `Basic ${Buffer.from('tandem:secret').toString('base64')}`
  const response = await fetch(`http://127.0.0.1:${httpPort}/ari/endpoints/PJSIP/carrier`, {
    headers: { authorization },
  })
  return response.ok
}

/** Says where it may write, and what it need not load. */
function configuration(own: string, modules: string): Record<string, string> {
  return {
    'asterisk.conf': `[directories]
astetcdir => ${own}/etc
astmoddir => ${modules}
astdatadir => /usr/share/asterisk
astvarlibdir => /var/lib/asterisk
astdbdir => ${own}/run
astspooldir => ${own}/run
astrundir => ${own}/run
astlogdir => ${own}/run
`,
    'logger.conf': '[general]\n[logfiles]\nconsole => notice,warning,error\n',
    'modules.conf': `[modules]
autoload = yes
noload = chan_sip.so
noload = chan_iax2.so
noload = chan_skinny.so
noload = chan_mgcp.so
noload = chan_unistim.so
noload = chan_ooh323.so
noload = chan_dahdi.so
noload = res_phoneprov.so
noload = cdr_sqlite3_custom.so
noload = res_http_media_cache.so
`,
    'rtp.conf': '[general]\nrtpstart = 20000\nrtpend = 29999\nstrictrtp = no\n',
    'stasis.conf': '[threadpool]\n',
  }
}

/** The files that docs/voice.md shows, at the ports and addresses of this test. */
function documented({ httpPort, sipPort, peerPort }: { httpPort: number; sipPort: number; peerPort: number }) {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/voice.md'), 'utf8')
  const blocks = [...text.matchAll(/```ini\n; (\w+\.conf)\n([\s\S]*?)```/g)]
  const files = blocks.map(([, name = '', body = '']) => [
    name,
    body
      .replace('8088', String(httpPort))
      .replace('0.0.0.0:5060', `127.0.0.1:${sipPort}`)
      .replace('a-long-password', 'secret')
      .replace('contact = sip:sip.example.com', `contact = sip:127.0.0.1:${peerPort}`)
      .replaceAll('sip.example.com', '127.0.0.1'),
  ])
  if (files.length !== 4) throw new Error(`docs/voice.md shows ${files.length} files of an Asterisk, and not 4`)
  const found = Object.fromEntries(files) as Record<string, string>
  // A dialplan of one's own that calls go out by.
  const outgoing = `\n[outgoing]\nexten => _[+0-9].,1,Dial(PJSIP/\${EXTEN}@carrier)\n`
  return { ...found, 'extensions.conf': `${found['extensions.conf']}${outgoing}` }
}
