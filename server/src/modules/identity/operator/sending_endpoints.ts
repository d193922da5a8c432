// Whether anything leaves the installation: after a restore nothing does, until those who run it say what becomes of what waits.
import { type Static, Type } from 'typebox'
import { findHold } from '../../../kernel/backup/hold_store.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { eventOf } from './acts.ts'
import { hold, listWaiting, release, waitingKinds } from './sending_store.ts'
import { actingOf, own } from './shared.ts'
import { addEvent } from './store.ts'

const Sending = Type.Object({
  held: Type.Boolean({ description: 'Whether texts, mails, webhooks and calls of all organizations wait.' }),
  reason: Nullable(Type.String()),
  since: Nullable(Timestamp),
  waiting: Type.Array(
    Type.Object({
      kind: OneOf(waitingKinds, { description: 'Texts, mails, events for webhooks, or calls that are to be dialled.' }),
      count: Type.Integer({ minimum: 0 }),
      oldestAt: Nullable(
        Type.String({
          format: 'date-time',
          description: 'When the oldest was accepted; null where that is not known.',
        }),
      ),
    }),
    { description: 'What has not left yet, held or not.' },
  ),
})

const sampleHeld: Static<typeof Sending> = {
  held: true,
  reason: 'Restored from the backup of 2026-11-21T02:17:00Z.',
  since: '2026-11-21T08:44:00.123Z',
  waiting: [
    { kind: 'messages', count: 12, oldestAt: null },
    { kind: 'mails', count: 3, oldestAt: '2026-11-21T02:16:41.000Z' },
    { kind: 'events', count: 40, oldestAt: null },
    { kind: 'calls', count: 0, oldestAt: null },
  ],
}
const sampleFree = { ...sampleHeld, held: false, reason: null, since: null }

async function presentSending({ db }: Services): Promise<Static<typeof Sending>> {
  const [held, waiting] = await Promise.all([findHold(db), listWaiting(db)])
  return {
    held: held !== undefined,
    reason: held?.because ?? null,
    since: held?.since ?? null,
    waiting: waiting.map(({ kind, waiting: count, oldest }) => ({ kind, count, oldestAt: oldest })),
  }
}

export const getSending = endpoint({
  ...own,
  id: 'operator_sending.get',
  method: 'GET',
  path: '/operator/sending',
  operator: 'support',
  name: 'Get what is held and what waits',
  description:
    'Whether anything leaves the installation, and how much waits to leave it, over all organizations. After a restore nothing leaves: some of what waits may have been sent by the server that the backup is of.',
  reply: Sending,
  envelope: 'data',
  sample: { reply: sampleHeld },
  handle: ({ services }) => presentSending(services),
})

export const holdSending = endpoint({
  ...own,
  id: 'operator_sending.hold',
  method: 'POST',
  path: '/operator/sending/hold',
  operator: 'full',
  name: 'Hold everything that leaves',
  description:
    'No text, mail, webhook or call of any organization leaves any more, until it is released. What is accepted waits, and what comes in is taken. Of one that is held already the reason changes.',
  body: Type.Object({
    reason: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S', description: 'Why, for others who run it.' }),
  }),
  reply: Sending,
  envelope: 'data',
  sample: { body: { reason: 'A carrier bills each text twice.' }, reply: sampleHeld },
  async handle({ body: { reason }, services, ...context }) {
    await services.db.outside(async tx => {
      await hold(tx, reason)
      await addEvent(tx, eventOf(actingOf(context), 'sending.hold', { reason }))
    })
    return presentSending(services)
  },
})

export const releaseSending = endpoint({
  ...own,
  id: 'operator_sending.release',
  method: 'POST',
  path: '/operator/sending/release',
  operator: 'full',
  name: 'Release what is held',
  description:
    'All of it is sent as usual again. `send` sends what waits; with `expire` texts and mails from before the hold end as expired, and the rest is sent. Where nothing is held it changes nothing. What a suspended organization has waits on.',
  body: Type.Object({
    waiting: OneOf(['send', 'expire'], { description: 'What becomes of texts and mails that waited before the hold.' }),
  }),
  reply: Sending,
  envelope: 'data',
  sample: { body: { waiting: 'expire' }, reply: sampleFree },
  async handle({ body: { waiting }, services, ...context }) {
    await services.db.outside(async tx => {
      if (await release(tx, waiting === 'expire'))
        await addEvent(tx, eventOf(actingOf(context), 'sending.release', { target: waiting }))
    })
    return presentSending(services)
  },
})

export const endpoints = [getSending, holdSending, releaseSending]
