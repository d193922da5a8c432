// The process whose connections with browsers are attacked: it opens and closes them on request, and counts what it receives.
import { isRtcp } from '@tandem/sip'
import { openPeer, type Peer } from '../../src/engines/client/webrtc.ts'

export type MediaOrder =
  | { type: 'open'; call: string; offer: string; ports: { minPort: number; maxPort: number } }
  | { type: 'report'; call: string }
  | { type: 'close'; call: string }
export type MediaState = { answer: string; heard: number; isConnected: boolean; isGone: boolean }

const calls = new Map<string, MediaState & { peer: Peer }>()

async function obey(order: MediaOrder): Promise<MediaState> {
  if (order.type === 'open') {
    const state = { answer: '', heard: 0, isConnected: false, isGone: false }
    const settings = { address: '127.0.0.1', advertise: null, ports: order.ports, iceServers: [], turnSecret: null }
    const peer = await openPeer(order.offer, settings, {
      onPacket: packet => {
        if (!isRtcp(packet)) state.heard += 1
      },
      onConnected: () => {
        state.isConnected = true
      },
      onGone: () => {
        state.isGone = true
      },
    })
    state.answer = peer.answer(7)
    calls.set(order.call, Object.assign(state, { peer }))
  }
  const call = calls.get(order.call)
  if (call === undefined) throw new Error(`no call ${order.call}`)
  if (order.type === 'close') {
    call.peer.close()
    calls.delete(order.call)
  }
  const { peer: _peer, ...state } = call
  return state
}

process.on('disconnect', () => process.exit())
process.on('message', ({ id, order }: { id: number; order: MediaOrder }) => {
  obey(order).then(
    state => process.send?.({ id, state }),
    (error: Error) => process.send?.({ id, fault: error.message }),
  )
})
process.send?.('ready')
