// The driver to Asterisks that are there already, over ARI: one connection for each trunk and process, under an application name that
// nobody else has; calls that come in are taken by the one process that leads the trunk.
import { randomBytes } from 'node:crypto'
import { startFrameClock } from '@tandem/sip'
import type { EngineHost } from '../../modules/voice/engine/index.ts'
import { openTrunk } from '../../modules/voice/trunks/index.ts'
import type { AsteriskTrunk } from '../trunks/driver.ts'
import type { DriverMaker } from '../trunks/engine.ts'
import { createAri } from './ari.ts'
import { pathsOf, type StoredChannel } from './channel.ts'
import { acceptChannel } from './incoming.ts'
import { type AriLink, openLink } from './link.ts'
import { planAsteriskCall } from './outgoing.ts'
import { whySilent } from './reach.ts'

export const asteriskDriver: DriverMaker = services => {
  const { log, outbound, db } = services
  const clock = startFrameClock()
  const links = new WeakMap<AsteriskTrunk, AriLink>()
  let host: EngineHost | undefined

  const stored = (given: object) => given as StoredChannel

  return {
    kind: 'asterisk',
    start(_trunks, given) {
      host = given
    },
    async open() {},
    isOpen: true,
    keep(trunk, { changed, onError }) {
      if (trunk.kind !== 'asterisk') throw new Error('this is no Asterisk')
      const link = openLink({
        ari: createAri(outbound, trunk.settings),
        application: `${trunk.settings.application}-${randomBytes(6).toString('hex')}`,
        settings: trunk.settings,
        whySilent: () => whySilent(trunk.settings.url, services.sip.address),
        changed,
        onChannel(event) {
          const taking = host
          if (taking === undefined) return
          acceptChannel({ services, clock, link, trunk, host: taking }, event).catch(onError)
        },
        onError,
      })
      links.set(trunk, link)
      return link
    },
    plan(call, trunk) {
      const link = trunk?.kind === 'asterisk' ? links.get(trunk) : undefined
      if (link === undefined || trunk?.kind !== 'asterisk') return undefined
      return planAsteriskCall({ services, clock, link, call, trunk })
    },
    owns: given => 'asterisk' in given,
    async endStored(ref, given, trunkId) {
      const trunk =
        trunkId === null
          ? undefined
          : await db.inTenant(ref, tx => openTrunk(services, tx, ref, trunkId, { evenOff: true }))
      if (trunk === undefined || typeof trunk.opened === 'string' || trunk.opened.kind !== 'asterisk') {
        log.warn({ call: ref.callId }, 'a call by an Asterisk cannot be ended: its trunk is gone')
        return
      }
      const ari = createAri(outbound, trunk.opened.settings)
      for (const path of pathsOf(stored(given).asterisk.channelId)) {
        const reply = await ari.request('DELETE', path)
        if (reply.status === null || reply.status >= 500)
          throw new Error(`the Asterisk did not end it: ${reply.message}`)
      }
    },
    forget() {},
    async close() {
      clock.stop()
    },
  }
}
