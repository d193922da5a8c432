// Mail senders: addresses that mails are from, and which sorts of mails each is the default for.
import type { MailSender } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { streamText } from '../mails/words.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { EditSenderForm, NewSenderForm } from './sender_form.tsx'
import { t } from './texts.ts'

const senders = byLanguage(
  (): Resource<MailSender> => ({
    many: 'mail senders',
    things: t('things'),
    about: t('about'),
    from: api => api.mailSenders.list,
    id: 'senderId',
    nameOf: ({ address }) => address,
    columns: [
      { name: 'address', label: t('address') },
      { name: 'name', label: t('name'), px: 200 },
      {
        name: 'defaultFor',
        label: t('defaultFor'),
        px: 240,
        cell: ({ defaultFor }) => listText(defaultFor.map(streamText)) || null,
      },
      { name: 'replyTo', label: t('replyTo'), px: 200, atFirst: 'wide' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time' },
    ],
    actions: {
      px: 110,
      needs: 'mail:manage',
      cell: ({ senderId, address }) => (
        <RemoveButton
          many="mail senders"
          name={address}
          text={t('removeText')}
          remove={api => api.mailSenders.delete({ senderId })}
        />
      ),
    },
    edit: 'mail:manage',
    Dialogs: EditDialog,
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: NewSenderForm,
      saved: ({ address }) => t('added', { address }),
    },
    empty: { title: t('empty'), text: t('emptyText') },
  }),
)

export const MailSendersScreen = () => <ResourceScreen of={senders} />

function EditDialog({ items }: { items: readonly MailSender[] }) {
  const [params, change] = useParamsOfAddress()
  const { permissions } = useSession()
  const sender = items.find(({ senderId }) => senderId === params['edit'])
  if (sender === undefined || !permissions.has('mail:manage')) return null
  return <EditSenderForm key={sender.senderId} sender={sender} onClose={() => change({ edit: undefined })} />
}
