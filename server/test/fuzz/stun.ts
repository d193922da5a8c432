// Mutated STUN without proof at the port of a live call and at one without calls, some of it in the name of a browser or by who has read its
// names on the way, some by who knows a password.
import { createHash } from 'node:crypto'
import type { Random } from '../crash/random.ts'
import { attribute, nomination, type Proof, writeStun } from '../rtc/stun.ts'
import { type MediaTarget, openMediaTarget } from './media.ts'
import { mutate, octets } from './mutate.ts'
import type { FuzzKind } from './runner.ts'

/** Classes of Binding, and the methods of TURN with the classes they have. */
const types = [0x0001, 0x0011, 0x0101, 0x0111, 0x0003, 0x0103, 0x0113, 0x0004, 0x0008, 0x0009, 0x0016, 0x0017, 0x0104]
/** Attributes of RFC 8489, RFC 8656 and RFC 8445. */
const names = [
  ...[0x0001, 0x0006, 0x0008, 0x0009, 0x000a, 0x000c, 0x000d, 0x0012, 0x0013, 0x0014, 0x0015, 0x0016, 0x0018, 0x0019],
  ...[0x001a, 0x001c, 0x001d, 0x001e, 0x0020, 0x0022, 0x0024, 0x0025, 0x8002, 0x8003, 0x8022, 0x8023, 0x8028, 0x8029],
  ...[0x802a, 0xc057, 0x7fff],
]
const anyFingerprint = `sha-256 ${createHash('sha256').digest('hex').toUpperCase().match(/../g)?.join(':')}`

function anything(random: Random, username: string, proof: Proof): Buffer {
  const attributes = Array.from({ length: random.below(8) }, () => {
    const name = random.pick(names) ?? 0
    if (name === 0x0006 && !random.oneIn(4)) return attribute(name, Buffer.from(username))
    const length = random.oneIn(20) ? random.below(1_200) : random.below(40)
    return attribute(name, octets(random, random.oneIn(3) ? 8 : length))
  })
  return writeStun(random.pick(types) ?? 1, octets(random, 12), attributes, proof)
}

/** By somebody who has read the names of a call on the way, or by who makes them up. */
function unproved(random: Random, { username, password }: { username: string; password: string }): Buffer {
  const proof = random.pick<Proof>(['none', 'garbage', { password: 'no password of anybody at all' }]) ?? 'none'
  // What the password proves is only ever made wrong afterwards.
  if (random.oneIn(3)) return mutate(random, nomination(username, { password }))
  const name = random.oneIn(2) ? username : `${octets(random, 24).toString('base64')}:abcd`
  const made = anything(random, name, proof)
  return random.oneIn(4) ? made : mutate(random, made)
}

async function send(target: MediaTarget, random: Random): Promise<'read'> {
  const way = random.below(10)
  if (way === 0) {
    const { rogue } = await target.expendable('passive', anyFingerprint)
    rogue.send(anything(random, rogue.username, { password: rogue.password }))
  } else if (way < 5) target.inName(unproved(random, target.named()))
  else target.asStranger(unproved(random, target.named()), way < 8 ? 'live' : 'idle')
  return 'read'
}

export const stunFuzz: FuzzKind = {
  name: 'stun',
  description: 'mutated STUN at a live call of a browser, at a port without calls, and by who knows a password',
  batch: 200,
  async open() {
    const target = await openMediaTarget()
    return { send: random => send(target, random), check: target.check, close: target.close }
  },
}
