// Mail: what was sent and what is kept in the outbox, like the list of a mail program.
import type { MailsListItem } from '@tandem/sdk'
import { useLiveRelated } from '../data/live_records.ts'
import { examples } from '../forms/examples.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen, Status } from '../lists/resource_list.tsx'
import { byLanguage } from '../words/words.ts'
import { Recipients } from './recipients.tsx'
import { t } from './texts.ts'
import { stateWord, streamOptions, streamText } from './words.ts'

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

/** That it is kept is said beside it (`stateWord`). */
function State({ state, code }: MailsListItem) {
  return <Status status={state} code={code === 'kept_in_outbox' ? null : code} />
}

const mails = byLanguage(
  (): Resource<MailsListItem> => ({
    many: 'mails',
    things: t('things'),
    about: t('about'),
    from: api => api.mails.list,
    id: 'mailId',
    nameOf: ({ subject }) => subject || t('noSubject'),
    filters: [
      { name: 'to', label: t('to'), placeholder: examples.person },
      { name: 'state', label: t('state'), options: states },
      { name: 'stream', label: t('sort'), options: streamOptions() },
    ],
    columns: [
      { name: 'to', label: t('to'), px: 240, cell: mail => <Recipients mail={mail} /> },
      { name: 'subject', label: t('subject') },
      { name: 'state', label: t('state'), px: 150, cell: State },
      { name: 'where', label: t('where'), px: 150, atFirst: 'wide', cell: mail => stateWord(mail) },
      { name: 'stream', label: t('sort'), px: 120, atFirst: 'wide', cell: ({ stream }) => streamText(stream) },
      { name: 'createdAt', label: t('created'), kind: 'time' },
      { name: 'mailId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    addressesOf: ({ to, cc, bcc }) => [...to, ...cc, ...bcc].slice(0, 2).map(({ address }) => address),
    useNews: list =>
      useLiveRelated({ events: ['mail.*'], isMine: () => true, onChange: () => void list.query.refetch() }),
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

export const MailsScreen = () => <ResourceScreen of={mails} />
