// Opt-outs: who asked not to be texted, by which word, and of what.
import type { OptOut } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { useServiceOptions } from '../data/messaging_lists.ts'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party, usePartyName } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { ServiceName } from '../services/service_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { OptOutForm } from './opt_out_form.tsx'
import { t } from './texts.ts'

const optOuts = byLanguage(
  (): Resource<OptOut> => ({
    many: 'opt-outs',
    things: t('things'),
    about: t('about'),
    from: api => api.optOuts.list,
    id: 'optOutId',
    nameOf: ({ recipient }) => recipient,
    filters: [
      { name: 'recipient', label: t('recipient'), placeholder: '+1 500 555 0110' },
      { name: 'scope', label: t('service'), useOptions: useServiceOptions },
    ],
    columns: [
      {
        name: 'recipient',
        label: t('recipient'),
        px: 250,
        hasControls: true,
        cell: ({ recipient }) => <Party address={recipient} />,
      },
      {
        name: 'scope',
        label: t('scope'),
        px: 220,
        hasControls: true,
        cell: ({ scope }) => (scope.startsWith('msv_') ? <ServiceName id={scope} /> : <PhoneNumber number={scope} />),
      },
      {
        name: 'source',
        label: t('source'),
        px: 200,
        cell: ({ source, keyword }) => (source === 'keyword' ? <Word said={keyword ?? 'STOP'} /> : t('byHand')),
      },
      { name: 'createdAt', label: t('createdAt'), kind: 'time' },
      { name: 'optOutId', label: t('id'), kind: 'id', atFirst: 'wide' },
    ],
    actions: { px: 110, needs: 'messages:erase', cell: optOut => <RemoveButton optOut={optOut} /> },
    create: {
      label: t('create'),
      needs: 'messages:manage',
      Form: OptOutForm,
    },
    useNews: list =>
      useLiveRelated({
        events: ['opt_out.*'],
        isMine: () => true,
        onChange: () => void list.query.refetch(),
      }),
    addressesOf: ({ recipient }) => [recipient],
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

export const OptOutsScreen = () => <ResourceScreen of={optOuts} />

function Word({ said }: { said: string }) {
  return t.rich('byWord', { word: () => <Chip>{said}</Chip> })
}

function RemoveButton({ optOut }: { optOut: OptOut }) {
  const show = useHeldDialog()
  const name = usePartyName(optOut.recipient)
  return (
    <Button
      size="sm"
      aria-label={t('removeName', { name })}
      onClick={() => show(onDone => <RemoveDialog optOut={optOut} onClose={onDone} />)}
    >
      {t('remove')}
    </Button>
  )
}

function RemoveDialog({ optOut, onClose }: { optOut: OptOut; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const name = usePartyName(optOut.recipient)
  const remove = useMutation({
    mutationFn: () => api.optOuts.delete({ optOutId: optOut.optOutId }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'opt-outs'] })
      toast({ text: t('removed', { name }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('removeTitle', { name })}
      description={t('removeText')}
      confirmLabel={t('remove')}
      typeToConfirm={optOut.recipient}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}
