// The beginning of a day in one answer: what waits for the person who asks, what happened since yesterday, and their week in figures. Each
// part only where their role lets them see it, and do something about it.
import type { Static } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { hostOf } from '../../../kernel/noun/hosts.ts'
import { titlesOf } from '../../../kernel/noun/registry.ts'
import { addDays, dayStartIn, isoMs } from '../../../kernel/values/clock.ts'
import type { Permission } from '../../../kernel/values/permission.ts'
import { listWaiting } from '../../conversations/index.ts'
import { addUpInvoices, asOfToday, soonDays } from '../../finance/invoices/index.ts'
import { countCallsBetween, countTextsSince, listFallenDue, listLeadsSince, listPaymentsSince } from './news_store.ts'
import { callFigure, leadFigure, paymentFigures, textFigures } from './numbers_store.ts'
import {
  presentLead,
  presentMoneyFigure,
  presentNamedInvoices,
  presentNamedLeads,
  presentOwed,
  presentTask,
} from './present.ts'
import { type Stretches, shownItems, stretchesOf } from './rules.ts'
import { HomeReply, sampleHome } from './schemas.ts'
import { findBegun } from './setup_store.ts'
import { listDueTasks, listNewLeads, listOwedInvoices } from './waiting_store.ts'

type Home = Static<typeof HomeReply>

/** What the person has to do with; the rest costs nothing. */
function concerns({ permissions }: Principal) {
  const all = (...needed: Permission[]) => needed.every(permission => permissions.has(permission))
  return {
    leads: all('leads:read', 'leads:update'),
    conversations: all('conversations:read', 'conversations:write'),
    texts: all('messages:read', 'messages:send'),
    calls: all('calls:read', 'calls:create'),
    tasks: all('tasks:read'),
    invoices: all('invoices:read'),
  }
}
type Concerns = ReturnType<typeof concerns>

/** What is read where it concerns the person. */
async function where<Read>(concerns: boolean, read: () => Promise<Read>): Promise<Read | null> {
  return concerns ? read() : null
}

/** Undefined where invoices are not listed as of today yet. */
async function waitingOf(
  tx: Tx,
  principal: Principal,
  { today, nowMs }: Stretches,
  of: Concerns,
): Promise<Home['waiting'] | undefined> {
  const until = addDays(today, soonDays)
  const untilMs = dayStartIn(principal.settings.timeZone, addDays(today, 1))
  const [leads, conversations, tasks, invoices] = await Promise.all([
    where(of.leads, () => listNewLeads(tx, principal)),
    where(of.conversations, () => listWaiting(tx, principal, shownItems)),
    where(of.tasks, () => listDueTasks(tx, principal, { nowMs, untilMs })),
    where(of.invoices, () => listOwedInvoices(tx, principal, until)),
  ])
  const none = { statuses: null, customer: null, customerName: null, dates: [], numbers: null }
  const totals = invoices && (await addUpInvoices(tx, principal, none, { today, until }))
  if (totals === undefined) return undefined
  return {
    leads: leads && { count: leads.count, items: leads.items.map(presentLead) },
    conversations,
    tasks: tasks && { ...tasks, items: await withRecords(tx, principal, tasks.items) },
    invoices: totals && presentOwed(totals, invoices ?? []),
  }
}

async function withRecords(tx: Tx, principal: Principal, tasks: Parameters<typeof presentTask>[0][]) {
  const kindOf = (id: string | null) => (id === null ? undefined : hostOf(id)?.name)
  const named = Map.groupBy(
    tasks.flatMap(({ record_id: id }) => id ?? []),
    id => kindOf(id) ?? '',
  )
  named.delete('')
  const titles = await titlesOf(tx, principal, named)
  return tasks.map(task => {
    const { record_id: id } = task
    const kind = kindOf(id)
    const name = kind === undefined || id === null ? undefined : titles[kind]?.[id]?.title
    return presentTask(task, name === undefined ? null : { kind: kind!, id: id!.replace(/^\w+:/, ''), name })
  })
}

async function newsOf(tx: Tx, principal: Principal, stretches: Stretches, of: Concerns): Promise<Home['news']> {
  const { today, yesterdayMs: sinceMs, nowMs } = stretches
  // What was due the day before yesterday has become overdue yesterday.
  const fallen = [addDays(today, -2), addDays(today, -1)] as const
  const [created, won, payments, overdue, texts, calls] = await Promise.all([
    where(of.leads, () => listLeadsSince(tx, principal, 'created_at', sinceMs)),
    where(of.leads, () => listLeadsSince(tx, principal, 'converted_at', sinceMs)),
    where(of.invoices, () => listPaymentsSince(tx, principal, sinceMs)),
    where(of.invoices, () => listFallenDue(tx, principal, fallen)),
    where(of.texts, () => countTextsSince(tx, principal, sinceMs)),
    where(of.calls, () => countCallsBetween(tx, principal, sinceMs, nowMs + 1)),
  ])
  return {
    leadsCreated: created && presentNamedLeads(created),
    leadsWon: won && presentNamedLeads(won),
    paymentsReceived: payments && presentNamedInvoices(payments),
    invoicesOverdue: overdue && presentNamedInvoices(overdue),
    textsReceived: texts,
    calls,
  }
}

async function numbersOf(tx: Tx, principal: Principal, stretches: Stretches, of: Concerns): Promise<Home['numbers']> {
  const [created, won, calls, texts, payments] = await Promise.all([
    where(of.leads, () => leadFigure(tx, principal, 'created_at', stretches)),
    where(of.leads, () => leadFigure(tx, principal, 'converted_at', stretches)),
    where(of.calls, () => callFigure(tx, principal, stretches)),
    where(of.texts, () => textFigures(tx, principal, stretches)),
    where(of.invoices, () => paymentFigures(tx, principal, stretches)),
  ])
  return {
    leadsCreated: created,
    leadsWon: won,
    calls,
    textsSent: texts?.sent ?? null,
    textsReceived: texts?.received ?? null,
    payments: payments?.map(presentMoneyFigure) ?? null,
  }
}

async function begunOf(tx: Tx, principal: Principal): Promise<Home['begun']> {
  const { permissions, mode } = principal
  const begun = await findBegun(tx, principal)
  const known = (permission: Permission, is: boolean) => (permissions.has(permission) ? is : null)
  return {
    leads: known('leads:create', begun.leads),
    people: known('users:manage', begun.people),
    carriers: mode === 'live' ? known('carriers:manage', begun.carriers) : null,
    invoices: known('invoices:create', begun.invoices),
  }
}

export const getHome = endpoint({
  id: 'home.get',
  version: 'v2',
  category: 'Analytics',
  method: 'GET',
  path: '/home',
  name: 'Get what waits',
  description:
    "What waits for the person who asks (new leads, conversations that nobody answered, tasks and invoices that are due), what happened since yesterday, and the week in figures beside the week before. Days are those of the organization's time zone. A part is null where the role or the key may not see it, or could do nothing about it; leads are those that one sees.",
  permission: 'profile:read',
  logBody: 'refusals',
  reply: HomeReply,
  envelope: 'data',
  transaction: 'none',
  sample: { reply: sampleHome },
  handle({ principal, now, services }) {
    const stretches = stretchesOf(principal.settings.timeZone, now)
    const of = concerns(principal)
    const read = (today: string) =>
      services.db.inTenant(principal, async tx => {
        const at = { ...stretches, today }
        const [waiting, news, numbers, begun] = await Promise.all([
          waitingOf(tx, principal, at, of),
          newsOf(tx, principal, at, of),
          numbersOf(tx, principal, at, of),
          begunOf(tx, principal),
        ])
        if (waiting === undefined) return undefined
        const since = isoMs(stretches.yesterdayMs)
        return { today, since, weekSince: isoMs(stretches.weekMs), waiting, news, numbers, begun }
      })
    return asOfToday(services, principal, now, read)
  },
})

export const endpoints = [getHome]
