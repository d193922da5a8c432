// linphonec, the console of Linphone, run by a test: registered with an account, with a tone for its microphone, a file for its
// loudspeaker, and commands as a person types them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../../../scripts/testing/free_port.ts'
import { openFolder, start } from './agent_programs.ts'
import { wavOf } from './baresip.ts'

export type Linphone = {
  type(command: string): void
  /** What it has said. */
  output: { text: string }
  /** What it has heard since it was started. */
  heard(): Int16Array
}

export type LinphoneOptions = {
  user: string
  password: string
  /** The domain of its address. */
  domain: string
  /** Of 127.0.0.1, where its server is. */
  port: number
  transport?: 'udp' | 'tcp'
  /** What it says. */
  toneHz?: number
}

export async function openLinphone(
  context: TestContext,
  { user, password, domain, port, transport = 'udp', toneHz = 1_000 }: LinphoneOptions,
): Promise<Linphone> {
  const folder = openFolder(context)
  const [tone, heard] = [join(folder, 'tone.wav'), join(folder, 'heard.wav')]
  writeFileSync(tone, wavOf(toneHz, 30))
  const [own, media] = [await freePort(), await freePort()]
  const config = `[sip]
sip_port=${transport === 'udp' ? own : 0}
sip_tcp_port=${transport === 'tcp' ? own : 0}
sip_tls_port=0
use_ipv6=0
[rtp]
audio_rtp_port=${media}
[proxy_0]
reg_proxy=<sip:127.0.0.1:${port};transport=${transport}>
reg_route=<sip:127.0.0.1:${port};transport=${transport};lr>
reg_identity=sip:${user}@${domain}
reg_expires=60
reg_sendregister=1
publish=0
[auth_info_0]
username=${user}
passwd=${password}
realm="tandem"
`
  writeFileSync(join(folder, 'rc'), config)
  // Without a place for its database it opens no port, and does not say so.
  mkdirSync(join(folder, '.local/share/linphone'), { recursive: true })
  const { child, output } = start(context, 'linphonec', ['-c', join(folder, 'rc')], folder, true)
  // It may be gone when the test ends.
  child.stdin?.on('error', () => {})
  const type = (command: string) => void child.stdin?.write(`${command}\n`)
  for (const command of ['soundcard use files', `play ${tone}`, `record ${heard}`]) type(command)
  return {
    type,
    output,
    heard() {
      const bytes = readFileSync(heard).subarray(44)
      return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)))
    },
  }
}
