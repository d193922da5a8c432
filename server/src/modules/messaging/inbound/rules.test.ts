// Parts find together in whatever order they come, however often, and however many messages use one reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ArrivingPart, joined, keyOf, type Part, partOf, placeParts, storable } from './rules.ts'

let made = 0
const newGroupId = () => `inb_${String(++made).padStart(8, '0')}`

/** The parts of one message, as a carrier delivers them. */
function partsOf(name: string, texts: string[], more: Partial<ArrivingPart> = {}): ArrivingPart[] {
  return texts.map((text, index) => ({
    ...{ carrier_reference: `${name}.${index}`, from_address: '+491', to_address: '+492', reference: 7 },
    ...{ total: texts.length, part: index + 1, text },
    ...more,
  }))
}

/** Hands parts over in batches as the database would keep them between; the texts of the messages they made. */
function receive(batches: ArrivingPart[][]): string[] {
  let waiting: Part[] = []
  const known = new Set<string>()
  const messages: string[] = []
  for (const batch of batches) {
    const keys = new Set(batch.map(keyOf))
    const looked = waiting.filter(part => keys.has(keyOf(part)))
    const { fresh, whole } = placeParts(looked, batch, known, newGroupId)
    for (const part of fresh) known.add(part.carrier_reference)
    const done = new Set(whole.flat().map(part => part.carrier_reference))
    waiting = [...waiting, ...fresh].filter(part => part.text !== null && !done.has(part.carrier_reference))
    waiting.sort((a, b) => (a.group_id < b.group_id ? -1 : 1))
    messages.push(...whole.map(parts => joined(parts).body))
  }
  return messages
}

test('in any order', () => {
  const [one, two, three] = partsOf('a', ['A', 'B', 'C']) as [ArrivingPart, ArrivingPart, ArrivingPart]
  for (const order of [
    [one, two, three],
    [three, two, one],
    [two, three, one],
  ])
    assert.deepEqual(receive(order.map(part => [part])), ['ABC'])
  assert.deepEqual(receive([[three, one, two]]), ['ABC'])
  assert.deepEqual(receive([[one], [three]]), [])
})

test('a repeated part is passed over: by its id, and while it waits by its text', () => {
  const [one, two] = partsOf('a', ['A', 'B']) as [ArrivingPart, ArrivingPart]
  const reported = { ...one, carrier_reference: 'again' }
  assert.deepEqual(receive([[one], [one, reported], [two], [one], [two, reported]]), ['AB'])
})

test('a reference that is used again, before and after the first message was whole', () => {
  const first = partsOf('a', ['A', 'B'])
  const second = partsOf('b', ['C', 'D'])
  assert.deepEqual(receive([first, second]), ['AB', 'CD'])
  // The first lost a part; the second is not torn by it.
  assert.deepEqual(receive([[first[0]!], [second[0]!], [second[1]!]]), ['CD'])
})

test('what says something impossible is a message by itself', () => {
  const message = { tenantId: 1, reference: 'r', from: '+491', to: '+492', body: 'x' }
  assert.equal(partOf(message), undefined)
  for (const part of [
    { reference: 1, part: 1, total: 1 },
    { reference: 1, part: 3, total: 2 },
    { reference: 1, part: 0, total: 2 },
    { reference: 70_000, part: 1, total: 2 },
    { reference: 1, part: 1, total: 256 },
    { reference: 1, part: 1.5, total: 2 },
  ])
    assert.equal(partOf({ ...message, part }), undefined)
  assert.equal(partOf({ ...message, part: { reference: 0, part: 2, total: 2 } })?.part, 2)
})

test('a character cut in two by the parts is whole again; what is none becomes a sign of that', () => {
  const [high, low] = ['\ud83d', '\ude00']
  const { whole } = placeParts([], partsOf('a', [`x${high}`, `${low}y`]), new Set(), newGroupId)
  assert.equal(joined(whole[0]!).body, 'x😀y')
  assert.equal(storable(`a\0b${high}`), 'a\ufffdb\ufffd')
})

test('whatever order, repetition, interleaving and batches: each message once, and nothing else', () => {
  const message = fc.record({
    from: fc.constantFrom('+491', '+493'),
    reference: fc.constantFrom(0, 1, 255),
    texts: fc.array(fc.string({ maxLength: 3 }), { minLength: 2, maxLength: 5 }),
  })
  const scenario = fc
    .uniqueArray(message, {
      selector: ({ from, reference, texts }) => `${from} ${reference} ${texts.length}`,
      maxLength: 6,
    })
    .chain(messages => {
      const parts = messages.flatMap(({ from, reference, texts }, index) =>
        partsOf(`m${index}`, texts, { from_address: from, reference }),
      )
      const repeats = parts.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...parts), { maxLength: 8 })
      return fc.record({
        messages: fc.constant(messages),
        order: repeats.chain(more =>
          fc.shuffledSubarray([...parts, ...more], { minLength: parts.length + more.length }),
        ),
        cuts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 40, maxLength: 40 }),
      })
    })
  fc.assert(
    fc.property(scenario, ({ messages, order, cuts }) => {
      const rest = [...order]
      const batches = cuts.map(size => rest.splice(0, size)).filter(batch => batch.length > 0)
      const got = receive([...batches, rest])
      assert.deepEqual(got.toSorted(), messages.map(({ texts }) => texts.join('')).toSorted())
    }),
    { numRuns: 300 },
  )
})
