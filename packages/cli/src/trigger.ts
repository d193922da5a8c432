// `tandem trigger`: does what causes an event, with test data. Nothing is pretended: the simulator carries texts and calls, records are
// created, so what arrives is what will arrive one day.
import type { Tandem } from '@tandem/sdk'
import { CliError, exitCodes } from './errors.ts'
import type { Output } from './output.ts'
import type { Connection } from './settings.ts'

type Made = { text: string; id: string | number }
type Cause = { about: string; make(tandem: Tandem): Promise<Made> }

const from = '+15005550006'

/** A text to a number of the simulator whose outcome is known. */
function text(about: string, to: string): Cause {
  return {
    about,
    async make(tandem) {
      const { messageId } = await tandem.messages.sms.send({ from, to, body: 'Hello from tandem trigger.' })
      return { text: `Sent a text to ${to}`, id: messageId }
    },
  }
}

function call(about: string, to: string): Cause {
  return {
    about,
    async make(tandem) {
      const { callId } = await tandem.calls.create({ from, to })
      return { text: `Called ${to}`, id: callId }
    },
  }
}

const person = () => ({ name: 'Ada Lovelace (trigger)', email: `ada.${Date.now().toString(36)}@example.com` })

async function makeLead(tandem: Tandem): Promise<number> {
  return (await tandem.leads.create(person())).lead.id
}

async function makeInvoice(tandem: Tandem): Promise<number> {
  const customer = { name: 'Analytical Engines (trigger)' }
  return (await tandem.invoices.create({ customer, amount: 120 })).invoice.id
}

async function sendInvoice(tandem: Tandem): Promise<number> {
  const id = await makeInvoice(tandem)
  await tandem.invoices.send({ id })
  return id
}

const causes: Record<string, Cause> = {
  'webhook.test': {
    about: 'a test to each listener of the mode',
    async make(tandem) {
      const { items } = await tandem.webhookListeners.list({ open: true })
      if (items.length === 0)
        throw new CliError('Nobody listens. Start tandem listen in another terminal first.', exitCodes.failed)
      for (const { listenerId } of items) await tandem.webhookListeners.test({ listenerId })
      return {
        text: `Sent a test to ${items.length === 1 ? 'the listener' : `${items.length} listeners`}`,
        id: items[0]!.listenerId,
      }
    },
  },
  'message.queued': text('a text that is delivered', '+15005550100'),
  'message.sent': text('a text that is delivered', '+15005550100'),
  'message.delivered': text('a text that is delivered', '+15005550100'),
  'message.undelivered': text('a text to an unknown subscriber', '+15005550101'),
  'message.expired': text('a text that expires', '+15005550107'),
  'message.failed': text('a text that the carrier refuses', '+15005550009'),
  'message.received': {
    about: 'a text comes in',
    async make(tandem) {
      const received = { from: '+15005550100', to: from, body: 'Hello from tandem trigger.' }
      const { messageId } = await tandem.messages.testInbound(received)
      return { text: `Let a text come in from ${received.from}`, id: messageId }
    },
  },
  'call.initiated': call('a call that a person answers', '+15005550200'),
  'call.ringing': call('a call that a person answers', '+15005550200'),
  'call.answered': call('a call that a person answers', '+15005550200'),
  'call.completed': call('a call that a person answers, who hangs up after 5 s', '+15005550200'),
  'call.busy': call('a call to a line that is busy', '+15005550201'),
  'call.no_answer': call('a call that nobody answers', '+15005550202'),
  'call.rejected': call('a call that is declined', '+15005550203'),
  'lead.created': {
    about: 'a lead is created',
    async make(tandem) {
      return { text: 'Created a lead', id: await makeLead(tandem) }
    },
  },
  'lead.updated': {
    about: 'a lead is created and changed',
    async make(tandem) {
      const id = await makeLead(tandem)
      await tandem.leads.update({ id, priority: 'Hot' })
      return { text: 'Created a lead and changed its priority', id }
    },
  },
  'lead.deleted': {
    about: 'a lead is created and deleted',
    async make(tandem) {
      const id = await makeLead(tandem)
      await tandem.leads.delete({ id })
      return { text: 'Created a lead and deleted it', id }
    },
  },
  'contact.created': {
    about: 'a contact is created',
    async make(tandem) {
      const { name } = person()
      return { text: 'Created a contact', id: (await tandem.contacts.create({ name })).contact.id }
    },
  },
  'company.created': {
    about: 'a company is created',
    async make(tandem) {
      const name = 'Analytical Engines (trigger)'
      return { text: 'Created a company', id: (await tandem.companies.create({ name })).company.id }
    },
  },
  'invoice.created': {
    about: 'an invoice is created',
    async make(tandem) {
      return { text: 'Created an invoice', id: await makeInvoice(tandem) }
    },
  },
  'invoice.sent': {
    about: 'an invoice is created and sent',
    async make(tandem) {
      return { text: 'Created an invoice and sent it', id: await sendInvoice(tandem) }
    },
  },
  'invoice.paid': {
    about: 'an invoice is created, sent and paid',
    async make(tandem) {
      const id = await sendInvoice(tandem)
      const { invoice } = await tandem.invoices.get({ id })
      await tandem.payments.create({ id, amount: invoice.amount })
      return { text: 'Created an invoice, sent it and recorded its payment', id }
    },
  },
}

/** The types of events that can be made. */
export const triggers: readonly string[] = Object.keys(causes)

/** Says what can be made. */
export function listTriggers(output: Output): void {
  const lines = Object.entries(causes).map(([type, { about }]) => `  ${type.padEnd(22)}${about}`)
  output.say('triggers', `Events that tandem trigger can make:\n${lines.join('\n')}`, { types: triggers })
}

/** @throws CliError for a type that cannot be made, or a key of the live mode */
export async function trigger({ tandem, key }: Connection, type: string, output: Output): Promise<void> {
  const cause = causes[type]
  if (cause === undefined)
    throw new CliError(
      `tandem trigger cannot make "${type}"${suggestionFor(type)}. tandem trigger lists what it can make.`,
      exitCodes.usage,
    )
  if (type !== 'webhook.test' && key.startsWith('tdm_live_'))
    throw new CliError(
      'This key is of live mode, where a trigger would reach real people and records. Use a test key.',
      exitCodes.refused,
    )
  const { text, id } = await cause.make(tandem)
  output.say('triggered', `${text}: ${id}. The event ${type} follows.`, { type, id })
}

function suggestionFor(type: string): string {
  const noun = type.split('.')[0]
  const near = triggers.filter(one => one.startsWith(`${noun}.`))
  return near.length === 0 ? '' : `, but ${near.slice(0, 4).join(', ')}`
}
