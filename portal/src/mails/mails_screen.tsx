// Mail: what was sent and what is kept in the outbox, like the list of a mail program.
import type { MailsListItem } from '@tandem/sdk'
import { useLiveRelated } from '../data/live_records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Recipients } from './recipients.tsx'
import { stateWord } from './words.ts'

const states = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'canceled',
  'expired',
  'failed',
  'unconfirmed',
]

const mails: Resource<MailsListItem> = {
  many: 'mails',
  about:
    'Everything that was sent or waits. Until a mail server is set up nothing leaves: mails are kept here, with their words and links.',
  from: api => api.mails.list,
  id: 'mailId',
  nameOf: ({ subject }) => `the mail ${subject}`,
  filters: [
    { name: 'to', label: 'To', placeholder: 'ada@example.com' },
    { name: 'state', label: 'State', options: states },
    { name: 'stream', label: 'Sort', options: ['security', 'transactional', 'conversation', 'marketing'] },
  ],
  columns: [
    { name: 'to', label: 'To', px: 240, cell: mail => <Recipients mail={mail} /> },
    { name: 'subject', label: 'Subject' },
    { name: 'state', label: 'State', px: 130, kind: 'status', code: 'code' },
    { name: 'where', label: 'Where', px: 150, atFirst: 'wide', cell: mail => stateWord(mail) },
    { name: 'stream', label: 'Sort', px: 120, atFirst: 'wide' },
    { name: 'createdAt', label: 'Written', kind: 'time' },
    { name: 'mailId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  addressesOf: ({ to, cc, bcc }) => [...to, ...cc, ...bcc].slice(0, 2).map(({ address }) => address),
  useNews: list =>
    useLiveRelated({ eventPrefix: 'mail.', isMine: () => true, onChange: () => void list.query.refetch() }),
  empty: {
    title: 'No mail yet',
    text: 'Send one with POST /v2/mails, for instance from the Playground: it appears here at once, whether or not it leaves.',
  },
}

export const MailsScreen = () => <ResourceScreen of={mails} />
