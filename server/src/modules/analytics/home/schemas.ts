// How the beginning of a day looks to clients: what waits, what happened, and the week in figures. A part is null for those who may not see
// it, or can do nothing about it.
import { type Static, Type } from 'typebox'
import { DateOnly, IntegerId, Nullable, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Conversation, sampleConversation } from '../../conversations/index.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Sum = Type.Object({
  currency: Type.String({ description: 'ISO 4217 code.' }),
  invoices: Count('How many.'),
  amount: Type.Number({ description: 'In the major unit of the currency.' }),
})

const NewLeads = Type.Object(
  {
    count: Count('How many there are; beyond 1,000 they are not counted.'),
    items: Type.Array(
      Type.Object({
        leadId: IntegerId,
        name: Type.String(),
        company: Nullable(Type.String()),
        phone: Nullable(Type.String()),
        priority: Type.String(),
        isMine: Type.Boolean({ description: 'False while nobody owns it.' }),
        createdAt: Timestamp,
      }),
    ),
  },
  { description: "Leads that are New, and one's own or nobody's; the newest first." },
)

const Conversations = Type.Object(
  {
    count: Count('How many there are; beyond 1,000 they are not counted.'),
    items: Type.Array(Conversation),
  },
  { description: 'Open conversations that nobody answered, as far as one sees them; who waits longest first.' },
)

const DueTasks = Type.Object(
  {
    count: Count('How many are due by the end of today.'),
    overdue: Count('How many of them were due by now.'),
    items: Type.Array(
      Type.Object({
        taskId: Type.String(),
        title: Type.String(),
        priority: Type.String(),
        dueOn: Nullable(DateOnly),
        dueAt: Timestamp,
        record: Nullable(
          Type.Object(
            { kind: Type.String(), id: Type.String(), name: Type.String() },
            { description: 'What it is about, where one sees that.' },
          ),
        ),
      }),
    ),
  },
  { description: "One's own open tasks, those longest due first." },
)

const OwedInvoices = Type.Object(
  {
    overdue: Type.Array(Sum),
    dueSoon: Type.Array(Sum, { description: 'Due within 7 days.' }),
    drafts: Count('How many are not sent yet.'),
    items: Type.Array(
      Type.Object({
        invoiceId: IntegerId,
        number: Type.String(),
        customer: Type.String(),
        amountDue: Type.Number(),
        currency: Type.String(),
        dueDate: DateOnly,
        isOverdue: Type.Boolean(),
      }),
    ),
  },
  { description: 'What is owed, by currency; those longest due by name.' },
)

const NamedLeads = Type.Object({
  count: Count('How many.'),
  items: Type.Array(Type.Object({ leadId: IntegerId, name: Type.String(), at: Timestamp })),
})

const NamedInvoices = Type.Object({
  sums: Type.Array(Sum),
  items: Type.Array(
    Type.Object({
      invoiceId: IntegerId,
      number: Type.String(),
      customer: Type.String(),
      amount: Type.Number(),
      currency: Type.String(),
    }),
  ),
})

const Figure = Type.Object({
  now: Type.Number({ description: 'This week, since Monday.' }),
  before: Type.Number({ description: 'In the week before, by the same moment.' }),
})

const Begun = (description: string) => Nullable(Type.Boolean({ description }))

export const HomeReply = Type.Object({
  today: { ...DateOnly, description: 'The day where the organization is.' },
  since: { ...Timestamp, description: 'When yesterday began: `news` is what happened since.' },
  weekSince: { ...Timestamp, description: 'When the week began, on Monday.' },
  waiting: Type.Object({
    leads: Nullable(NewLeads),
    conversations: Nullable(Conversations),
    tasks: Nullable(DueTasks),
    invoices: Nullable(OwedInvoices),
  }),
  news: Type.Object({
    leadsCreated: Nullable(NamedLeads),
    leadsWon: Nullable(NamedLeads),
    paymentsReceived: Nullable(NamedInvoices),
    invoicesOverdue: Nullable(NamedInvoices),
    textsReceived: Nullable(Count('Texts that came in.')),
    calls: Nullable(Count('Calls either way.')),
  }),
  numbers: Type.Object({
    leadsCreated: Nullable(Figure),
    leadsWon: Nullable(Figure),
    calls: Nullable(Figure),
    textsSent: Nullable(Figure),
    textsReceived: Nullable(Figure),
    payments: Nullable(Type.Array(Type.Object({ currency: Type.String(), ...Figure.properties }))),
  }),
  begun: Type.Object(
    {
      leads: Begun('Whether there is a lead.'),
      people: Begun('Whether anybody else is in the organization, or invited.'),
      carriers: Begun('Whether a carrier is connected; null in test mode, where the simulator carries.'),
      invoices: Begun('Whether there is an invoice.'),
    },
    { description: 'How far the organization is set up; null is what is for others to do.' },
  ),
})

export const sampleHome: Static<typeof HomeReply> = {
  today: '2026-11-26',
  since: '2026-11-25T00:00:00.000Z',
  weekSince: '2026-11-23T00:00:00.000Z',
  waiting: {
    leads: {
      count: 1,
      items: [
        {
          leadId: 17,
          name: 'Ada Lovelace',
          company: 'Analytical Engines',
          phone: '+15550100001',
          priority: 'Hot',
          isMine: true,
          createdAt: '2026-11-26T08:44:00.123Z',
        },
      ],
    },
    conversations: { count: 1, items: [sampleConversation] },
    tasks: { count: 0, overdue: 0, items: [] },
    invoices: null,
  },
  news: {
    leadsCreated: { count: 1, items: [{ leadId: 17, name: 'Ada Lovelace', at: '2026-11-26T08:44:00.123Z' }] },
    leadsWon: { count: 0, items: [] },
    paymentsReceived: null,
    invoicesOverdue: null,
    textsReceived: 3,
    calls: 2,
  },
  numbers: {
    leadsCreated: { now: 4, before: 3 },
    leadsWon: { now: 1, before: 0 },
    calls: { now: 12, before: 9 },
    textsSent: { now: 31, before: 28 },
    textsReceived: { now: 14, before: 17 },
    payments: null,
  },
  begun: { leads: true, people: null, carriers: null, invoices: null },
}
