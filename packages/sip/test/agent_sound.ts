// Sound for the agents of tests: RTP at real ports, an echo or a tone, what was heard, and how loud a tone is in it.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { AudioStream, LocalAudio } from '../src/offer_answer.ts'
import { agreementOf, createSrtpKeeper } from '../src/rtp/agreement.ts'
import { startFrameClock } from '../src/rtp/clock.ts'
import { decodeG711, encodeSample } from '../src/rtp/g711.ts'
import type { RunningSession } from '../src/rtp/udp.ts'
import { openRtpPorts, runRtpSession } from '../src/rtp/udp.ts'

export type Sound = {
  local: LocalAudio
  /** To be called at each change of the media. */
  onMedia(stream: AudioStream): void
  digits: string[]
  /** Samples heard so far. */
  heard: Int16Array[]
  session: RunningSession | undefined
  streams: AudioStream[]
}

const random = () => randomBytes(4).readUInt32BE() / 2 ** 32

/** `toneHz`: what it says; left out, it says what it hears. */
export async function openSound(
  context: TestContext,
  { toneHz, srtp }: { toneHz?: number; srtp?: LocalAudio['srtp'] } = {},
): Promise<Sound> {
  const clock = startFrameClock()
  const ports = await openRtpPorts({ address: '127.0.0.1', minPort: 20_000, maxPort: 40_000, random })
  const srtpOf = createSrtpKeeper()
  let position = 0
  const frame = Buffer.alloc(160)
  const sound: Sound = {
    local: {
      sessionId: String(randomBytes(4).readUInt32BE()),
      address: { family: 'IP4', address: '127.0.0.1' },
      port: ports.port,
      ...(srtp && { srtp, cryptos: [{ suite: 'AES_CM_128_HMAC_SHA1_80', key: randomBytes(30) }] }),
    },
    digits: [],
    heard: [],
    streams: [],
    session: undefined,
    onMedia(stream) {
      sound.streams.push(stream)
      const agreement = agreementOf(stream, srtpOf(stream))
      if (sound.session !== undefined) {
        sound.session.change(agreement)
        return
      }
      const session = runRtpSession(ports, clock, {
        agreement,
        cname: 'test',
        wallMs: Date.now(),
        random,
        onDigit(change) {
          if (change.type === 'started' && change.digit !== null) sound.digits.push(change.digit)
        },
      })
      sound.session = session
      session.setSource(into => {
        const kind = session.read(frame)
        if (kind === 'audio') sound.heard.push(decodeG711(stream.codec, frame))
        if (toneHz === undefined) into.set(frame)
        else for (let at = 0; at < into.length; at++) into[at] = encodeSample(stream.codec, toneAt(toneHz, position++))
        return true
      })
    },
  }
  context.after(async () => {
    if (sound.session === undefined) await ports.close()
    else await sound.session.close()
    clock.stop()
  })
  return sound
}

export const toneAt = (hz: number, sample: number) => Math.round(8_000 * Math.sin((2 * Math.PI * hz * sample) / 8_000))

/** The share of the power of some samples that is at a frequency (Goertzel), 0 to 1. */
export function shareOf(hz: number, blocks: readonly Int16Array[]): number {
  const samples = blocks.flatMap(block => [...block])
  let power = 0
  let share = 0
  // In blocks of 50 ms, so that a slip of the other clock does no harm.
  for (let start = 0; start + 400 <= samples.length; start += 400) {
    const block = samples.slice(start, start + 400)
    const factor = 2 * Math.cos((2 * Math.PI * hz) / 8_000)
    let [last, before] = [0, 0]
    for (const sample of block) [last, before] = [sample + factor * last - before, last]
    share += (last * last + before * before - factor * last * before) / 200
    power += block.reduce((sum, sample) => sum + sample * sample, 0)
  }
  return power === 0 ? 0 : share / power
}
