// Dials one call by an Asterisk: a channel is made and joined with its sound, and only then dialled, so that what is heard before the
// answer is heard here, and a call that fails before that rang nowhere.
import { randomBytes } from 'node:crypto'
import type { RunningClock } from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { EngineCall } from '../../modules/voice/engine/index.ts'
import { dialledForm, type FinalResponse } from '../../modules/voice/trunks/index.ts'
import type { AsteriskTrunk, Attempt, Outcome, Plan } from '../trunks/driver.ts'
import { part } from './ari.ts'
import { type ChannelEnd, openAsteriskCall, type StoredChannel } from './channel.ts'
import type { AriLink } from './link.ts'

type Parts = { services: Services; clock: RunningClock; link: AriLink; call: EngineCall; trunk: AsteriskTrunk }

/** Of a trunk that cannot be used now: "network out of order" (ITU-T Q.850). */
const outOfOrder: FinalResponse = { sipStatus: null, q850: 38, heard18x: false }
/** The Asterisk stops ringing by itself so long after we should have, should this process be gone. */
const lateSeconds = 10

export function planAsteriskCall(parts: Parts): Plan {
  const channelId = `tandem-${randomBytes(12).toString('hex')}`
  const stored: StoredChannel = { asterisk: { channelId } }
  return { stored, dial: attempt => dial(parts, channelId, attempt) }
}

async function dial(parts: Parts, channelId: string, { leg, made, answered }: Attempt): Promise<Outcome> {
  const { services, clock, link, call, trunk } = parts
  if (!link.isUp) return { type: 'refused', response: outOfOrder }
  const { ari } = link
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let isDialled = false
  let hasRung = false
  let isAnswered = false

  function over(end: ChannelEnd): void {
    if (leg.isOver) resolve({ type: 'over' })
    else if (!isAnswered) resolve({ type: 'refused', response: responseOf(end, { isDialled, hasRung }) })
    else {
      if (end.isLost) leg.emit({ type: 'ended', cause: 'network', by: 'carrier' })
      else leg.emit({ type: 'ended', cause: 'normal', by: 'callee', sipCode: 200, q850: causeOf(end.q850) ?? 16 })
      resolve({ type: 'over' })
    }
  }

  const channel = await openAsteriskCall({ services, clock, link, trunk, channelId, leg: () => leg })
  const path = `/channels/${part(channelId)}`
  try {
    channel.start({
      ringing(isEarlyMedia) {
        if (hasRung) {
          if (isEarlyMedia) leg.emit({ type: 'early_media' })
        } else {
          hasRung = true
          leg.emit({ type: 'ringing', ...(isEarlyMedia ? { earlyMedia: true } : {}) })
        }
      },
      answered() {
        if (!isDialled) return
        isAnswered = true
        answered()
        channel.talk()
        leg.emit({ type: 'answered' })
      },
      ended: over,
    })
    leg.use({ call: channel, sound: channel.sound })
    made({ end: q850 => channel.end(q850) })
    const failure = await setUp()
    if (failure !== undefined) fail(failure)
    return await promise
  } finally {
    await channel.close()
  }

  /** Answers what went wrong. */
  async function setUp(): Promise<string | undefined> {
    if (channel.isEnded) return undefined
    const created = ari.request('POST', '/channels/create', {
      endpoint: trunk.settings.endpoint.replace('{number}', dialledForm(call.to, trunk.settings)),
      app: link.application,
      channelId,
    })
    const connected = channel.connect()
    const { ok, message } = await created
    if (channel.isEnded) {
      // It came to be behind the request that ended it.
      await Promise.all([link.end([path]), connected])
      return undefined
    }
    if (!ok) return `the channel could not be made: ${message}`
    const failure = (await connected) ?? (await channel.join())
    if (failure !== undefined) return failure
    await sayWhoCalls(path, parts)
    if (channel.isEnded) return undefined
    isDialled = true
    const dialled = await ari.request('POST', `${path}/dial`, { timeout: String(call.timeoutSeconds + lateSeconds) })
    // Without an answer it is not known whether a phone rings: what comes of it is reported by events.
    if (dialled.ok || dialled.status === null) return undefined
    isDialled = false
    return `the channel could not be dialled: ${dialled.message}`
  }

  function fail(why: string): void {
    if (channel.isEnded) return
    services.log.warn({ call: call.callId, trunk: trunk.id, why }, 'an Asterisk did not take a call')
    resolve(leg.isOver ? { type: 'over' } : { type: 'refused', response: outOfOrder })
    channel.end(undefined)
  }
}

/** What a channel shows to its remote party is whom it is connected with. */
async function sayWhoCalls(path: string, { link: { ari }, call, trunk }: Parts): Promise<void> {
  const set = (variable: string, value: string) => ari.request('POST', `${path}/variable`, { variable, value })
  const number = dialledForm(call.from, trunk.settings)
  if (call.callerName !== null) await set('CONNECTEDLINE(name,i)', call.callerName)
  await set('CONNECTEDLINE(num,i)', number)
}

/** Causes that say why; 16 and 0 before an answer do not. */
function causeOf(q850: number | null): number | null {
  return q850 === null || q850 < 1 || q850 > 127 ? null : q850
}

function responseOf(
  { q850, sipStatus, isLost }: ChannelEnd,
  { isDialled, hasRung }: { isDialled: boolean; hasRung: boolean },
): FinalResponse {
  // A channel that was lost after it was dialled may have rung: no other trunk may try.
  if (isLost) return { sipStatus: null, q850: 38, heard18x: isDialled }
  return { sipStatus, q850: causeOf(q850), heard18x: hasRung }
}
