// Dovecot as an independent IMAP server for tests: on a port of this machine, with folders that tests put mails into, and a way to it that
// can be made to go nowhere.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

const program = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot'].find(existsSync)

/** False, or why tests with it are skipped. */
export const noDovecot = program === undefined ? 'dovecot is not installed (scripts/system_tools.sh)' : false

export type Dovecot = {
  /** Of the way that can be cut. */
  port: number
  user: string
  password: string
  /** Puts a mail into the inbox. */
  deliver(...mails: string[]): void
  /** Has the server count its mails again: another UIDVALIDITY. */
  recount(): Promise<void>
  /** Lets nothing through from now on, without a word to either side; true for connections made until then only. */
  silence(): void
  /** Ends connections. */
  cut(): void
  /** How often somebody connected. */
  connections(): number
  close(): Promise<void>
}

const idOf = (flag: '-u' | '-g', name: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)

export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem_dovecot_'))
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  const own = userInfo().username
  const [uid, gid] = isRoot ? [idOf('-u', 'nobody'), idOf('-g', 'nobody')] : [process.getuid!(), process.getgid!()]
  const inbox = join(folder, 'mail')
  for (const part of ['', 'new', 'cur', 'tmp']) {
    mkdirSync(join(inbox, part), { recursive: true })
    chownSync(join(inbox, part), uid, gid)
  }
  const port = await freePort()
  const password = 'correct_horse'
  writeFileSync(
    join(folder, 'dovecot.conf'),
    configuration({ folder, port, uid, gid, password, own: isRoot ? undefined : own }),
  )
  let child: ChildProcess
  const start = async () => {
    child = spawn(program!, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
    await eventually('dovecot answers', () => answers(port))
  }
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await once(child, 'exit')
    clearTimeout(timer)
  }
  await start()
  const way = await openWay(port)
  let made = 0
  return {
    ...way,
    user: 'ada',
    password,
    deliver(...mails) {
      for (const mail of mails) {
        const name = `${Math.floor(Date.now() / 1_000)}.M${String(++made).padStart(6, '0')}.test`
        const file = join(inbox, 'new', name)
        writeFileSync(file, mail)
        chownSync(file, uid, gid)
      }
    },
    async recount() {
      await stop()
      const list = join(inbox, 'dovecot-uidlist')
      const validity = Number(/^3 V(\d+)/.exec(readFileSync(list, 'utf8'))?.[1])
      for (const file of [
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.log.2',
        'dovecot.index.cache',
        'dovecot.list.index.log',
      ])
        rmSync(join(inbox, file), { force: true })
      writeFileSync(list, `3 V${validity + 7} N1\n`)
      chownSync(list, uid, gid)
      await start()
    },
    async close() {
      await way.close()
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Given = { folder: string; port: number; uid: number; gid: number; password: string; own: string | undefined }

const configuration = ({ folder, port, uid, gid, password, own }: Given) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail
first_valid_uid = 1
mail_max_userip_connections = 1000
${own === undefined ? '' : `default_internal_user = ${own}\ndefault_login_user = ${own}\ndefault_internal_group =`}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function openWay(to: number) {
  const pairs = new Set<[Socket, Socket]>()
  let count = 0
  const server = createServer(near => {
    count++
    const far = connect(to, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far).pipe(near)
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          near.destroy()
          far.destroy()
        })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    cut,
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.resume()
        far.resume()
      }
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
