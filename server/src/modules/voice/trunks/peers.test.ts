// Which trunk a call came in by, also where several organizations have the same carrier.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPeerIndex, inboundTrunk, type Peer } from './peers.ts'

const peer = (trunkId: string, tenantId: number, sources: string[], inboundUsername: string | null = null): Peer => ({
  trunkId,
  tenantId,
  sources,
  inboundUsername,
})

function matchesOf(address: string, peers: readonly Peer[]) {
  const index = createPeerIndex()
  for (const one of peers) index.set(one)
  return index.match(address)
}

describe('a source address', () => {
  const ids = (address: string, ...peers: Peer[]) => matchesOf(address, peers).map(({ trunkId }) => trunkId)

  test('fits the closest range of each organization', () => {
    const wide = peer('a', 1, ['203.0.113.0/24'])
    const near = peer('b', 1, ['198.51.100.1', '203.0.113.8/29'])
    const other = peer('c', 2, ['203.0.0.0/16'])
    assert.deepEqual(ids('203.0.113.9', wide, near, other), ['b', 'c'])
    assert.deepEqual(ids('203.0.113.99', wide, near, other), ['a', 'c'])
    assert.deepEqual(ids('198.51.100.1', wide, near, other), ['b'])
    assert.deepEqual(ids('192.0.2.1', wide, near, other), [])
  })

  test('may stand in two trunks of one organization; the older one comes first', () => {
    assert.deepEqual(ids('192.0.2.1', peer('b', 1, ['192.0.2.1']), peer('a', 1, ['192.0.2.1/32'])), ['a', 'b'])
  })

  test('is read in either family, and compared within its own', () => {
    const both = peer('a', 1, ['192.0.2.0/24', '2001:db8::/32'])
    assert.deepEqual(ids('::ffff:192.0.2.1', both), ['a'])
    assert.deepEqual(ids('2001:db8::1', both), ['a'])
    assert.deepEqual(ids('2001:db9::1', both), [])
    assert.deepEqual(ids('192.0.2.1', peer('b', 1, ['::/0'])), [])
    assert.deepEqual(ids('no address', both), [])
    assert.deepEqual(ids('192.0.2.1', peer('b', 1, ['nonsense', ''])), [])
  })
})

describe('an index', () => {
  const ids = (index: ReturnType<typeof createPeerIndex>, address: string) =>
    index.match(address).map(({ trunkId }) => trunkId)

  test('follows trunks as they change and go', () => {
    const index = createPeerIndex()
    index.set(peer('a', 1, ['192.0.2.0/25', '192.0.2.200']))
    index.set(peer('b', 2, ['192.0.2.200', '192.0.2.200/32']))
    assert.deepEqual(ids(index, '192.0.2.200'), ['a', 'b'])
    assert.deepEqual(ids(index, '192.0.2.127'), ['a'])
    assert.deepEqual(ids(index, '192.0.2.128'), [])
    index.set(peer('a', 1, ['198.51.100.0/24']))
    assert.deepEqual(ids(index, '192.0.2.200'), ['b'])
    assert.deepEqual(ids(index, '198.51.100.7'), ['a'])
    index.remove('b')
    index.remove('b')
    index.remove('unknown')
    assert.deepEqual(ids(index, '192.0.2.200'), [])
    index.set(peer('c', 3, ['::/0', '0.0.0.0/0']))
    assert.deepEqual(ids(index, '198.51.100.7'), ['a', 'c'])
    assert.deepEqual(ids(index, '2001:db8::1'), ['c'])
  })

  test('finds one trunk among a thousand without looking at the others', () => {
    const index = createPeerIndex()
    let reads = 0
    for (let n = 0; n < 1_000; n++) {
      const sources = [`10.${n >> 8}.${n & 255}.1`, `10.${n >> 8}.${n & 255}.128/26`]
      index.set({
        ...peer(`trk_${n}`, n, []),
        get sources() {
          reads++
          return sources
        },
      })
    }
    reads = 0
    assert.deepEqual(ids(index, '10.2.3.1'), ['trk_515'])
    assert.deepEqual(ids(index, '10.2.3.191'), ['trk_515'])
    assert.deepEqual(ids(index, '10.2.3.192'), [])
    assert.equal(reads, 0)
  })
})

describe('a call', () => {
  type Claims = { holding?: string[]; verified?: string[]; registered?: string[]; proven?: string[] }
  const choose = (peers: Peer[], { holding = [], verified = [], registered = [], proven }: Claims) => {
    const choice = inboundTrunk(matchesOf('192.0.2.1', peers), {
      registered: new Set(registered),
      verified: new Set(verified),
      holding: new Set(holding),
      proven: proven && new Set(proven),
    })
    return choice.outcome === 'trunk' ? choice.match.trunkId : choice.outcome
  }
  const [one, two] = [peer('a', 1, ['192.0.2.1']), peer('b', 2, ['192.0.2.0/24'])]
  const asking = peer('d', 1, ['0.0.0.0/0'], 'carrier')

  test('goes to the organization that holds the number', () => {
    assert.equal(choose([one, two], { holding: ['a'] }), 'a')
    assert.equal(choose([one, two], { holding: ['b'] }), 'b')
    assert.equal(choose([one, peer('c', 1, ['192.0.2.1'])], { holding: ['a', 'c'] }), 'a')
    assert.equal(choose([one, two], {}), 'unknown_number')
    assert.equal(choose([], { holding: ['a'] }), 'unknown_peer')
  })

  test('goes to the trunk that its carrier has registered, no matter who else holds the number', () => {
    assert.equal(choose([one, two], { holding: ['a'], registered: ['b'] }), 'b')
    assert.equal(choose([one, two], { registered: ['a', 'b'] }), 'ambiguous')
    assert.equal(choose([one], { holding: ['a'], registered: ['b'] }), 'a', 'not one that is registered elsewhere')
  })

  test('goes to who has proved the number, where another reads the same digits as one of its own', () => {
    assert.equal(choose([one, two], { holding: ['a', 'b'] }), 'ambiguous')
    assert.equal(choose([one, two], { holding: ['a', 'b'], verified: ['a'] }), 'a')
    assert.equal(
      choose([asking, two], { holding: ['d', 'b'], verified: ['b'] }),
      'b',
      'nor is its carrier asked for a name',
    )
    assert.equal(choose([asking, two], { holding: ['d', 'b'], verified: ['d'] }), 'challenge')
  })

  test('proves its name where the trunk it is for asks for one, before anything else is disclosed', () => {
    assert.equal(choose([asking], { holding: ['d'] }), 'challenge')
    assert.equal(choose([asking], { holding: ['d'], proven: ['d'] }), 'd')
    assert.equal(choose([asking], { holding: ['d'], proven: [] }), 'unknown_peer')
    assert.equal(choose([asking], {}), 'challenge')
    assert.equal(choose([asking], { proven: ['d'] }), 'unknown_number')
    assert.equal(choose([asking], { proven: [] }), 'unknown_peer')
    assert.equal(choose([asking], { registered: ['d'] }), 'challenge')
  })

  test('never passes by a trunk that asks for a name', () => {
    // The address of one organization's carrier is enough for its own numbers only.
    assert.equal(choose([asking, two], { holding: ['b'] }), 'b')
    assert.equal(choose([asking, two], { holding: ['d'] }), 'challenge')
    assert.equal(choose([asking, two], { holding: ['d', 'b'] }), 'challenge')
    assert.equal(choose([asking, two], { holding: ['d', 'b'], proven: [] }), 'unknown_peer')
    assert.equal(choose([asking, two], { holding: ['d', 'b'], proven: ['d'] }), 'd')
    // Another trunk of the same organization, at the same address, is no way around it.
    const open = peer('e', 1, ['0.0.0.0/0'])
    assert.equal(choose([asking, open], { holding: ['d', 'e'] }), 'challenge')
    assert.equal(choose([asking, open], { holding: ['d', 'e'], proven: [] }), 'unknown_peer')
  })
})
