// The inbox: mail that came in, and what of it waits to be put on a lead or contact.
import type { InboundMailsListItem } from '@tandem/sdk'
import { useLiveRelated } from '../data/live_records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { AddressName } from '../people/party.tsx'
import { Chip, StatusChip } from '../ui/index.ts'
import { doorWords } from './words.ts'

const inbox: Resource<InboundMailsListItem> = {
  many: 'mails that came in',
  about:
    'Mail that came in over SMTP, from mailboxes, and from blind copies. What could not be put on one lead or contact by itself waits here as unmatched.',
  from: api => api.inboundMails.list,
  id: 'inboundId',
  nameOf: ({ subject }) => `the mail ${subject === '' ? '(without a subject)' : subject}`,
  filters: [{ name: 'state', label: 'State', options: ['unmatched', 'matched', 'ignored'] }],
  columns: [
    {
      name: 'from',
      label: 'From',
      px: 230,
      cell: mail => (
        <>
          {mail.from === null ? 'nobody' : <AddressName {...mail.from} />}{' '}
          {mail.sender === 'unverified' && <Chip tone="warn">unverified</Chip>}
        </>
      ),
    },
    {
      name: 'subject',
      label: 'Subject',
      cell: ({ subject, preview }) => `${subject === '' ? '(without a subject)' : subject} — ${preview}`,
    },
    { name: 'state', label: 'State', px: 120, cell: ({ state }) => <StatusChip status={state} /> },
    { name: 'door', label: 'Came', px: 130, atFirst: 'wide', cell: ({ door }) => doorWords[door] },
    { name: 'receivedAt', label: 'Received', kind: 'time' },
    { name: 'inboundId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  addressesOf: ({ from }) => (from === null ? [] : [from.address]),
  useNews: list =>
    useLiveRelated({
      eventPrefix: 'mail.',
      isMine: data => data['inboundId'] !== undefined,
      onChange: () => void list.query.refetch(),
    }),
  empty: {
    title: 'No mail yet',
    text: 'Set a mailbox up that is read, or forward one to the address that stands there.',
  },
}

export const MailInboxScreen = () => <ResourceScreen of={inbox} />
