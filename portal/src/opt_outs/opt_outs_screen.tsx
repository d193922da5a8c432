// Opt-outs: who asked not to be texted, by which word, and of what.
import type { OptOut } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { useServiceOptions } from '../data/messaging_lists.ts'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { ServiceName } from '../services/service_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { OptOutForm } from './opt_out_form.tsx'

const optOuts: Resource<OptOut> = {
  many: 'opt-outs',
  about:
    'Who asked not to be texted any more. A STOP adds one by itself, a START takes it away; what is sent all the same is refused.',
  from: api => api.optOuts.list,
  id: 'optOutId',
  nameOf: ({ recipient }) => `the opt-out of ${recipient}`,
  filters: [
    { name: 'recipient', label: 'Recipient', placeholder: '+1 500 555 0110' },
    { name: 'scope', label: 'Service', useOptions: useServiceOptions },
  ],
  columns: [
    {
      name: 'recipient',
      label: 'Recipient',
      px: 250,
      hasControls: true,
      cell: ({ recipient }) => <Party address={recipient} />,
    },
    {
      name: 'scope',
      label: 'Gets nothing from',
      px: 220,
      hasControls: true,
      cell: ({ scope }) => (scope.startsWith('msv_') ? <ServiceName id={scope} /> : <PhoneNumber number={scope} />),
    },
    {
      name: 'source',
      label: 'Because of',
      px: 200,
      cell: ({ source, keyword }) =>
        source === 'keyword' ? <Word word={keyword ?? 'STOP'} /> : 'Added by hand or API',
    },
    { name: 'createdAt', label: 'Since', kind: 'time' },
    { name: 'optOutId', label: 'Id', kind: 'id', atFirst: 'wide' },
  ],
  actions: { px: 110, needs: 'messages:erase', cell: optOut => <RemoveButton optOut={optOut} /> },
  create: {
    label: 'Create an opt-out',
    needs: 'messages:manage',
    Form: OptOutForm,
    saved: ({ recipient }) => `${recipient} gets nothing more from it.`,
  },
  useNews: list =>
    useLiveRelated({
      eventPrefix: 'opt_out.',
      isMine: () => true,
      onChange: () => void list.query.refetch(),
    }),
  addressesOf: ({ recipient }) => [recipient],
  empty: {
    title: 'Nobody has opted out',
    text: 'Anyone who answers STOP to one of your senders appears here within a second. Try it with the handset.',
  },
}

export const OptOutsScreen = () => <ResourceScreen of={optOuts} />

function Word({ word }: { word: string }) {
  return (
    <>
      The word <Chip>{word}</Chip>
    </>
  )
}

function RemoveButton({ optOut }: { optOut: OptOut }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={`Delete the opt-out of ${optOut.recipient}`}
      onClick={() => show(onDone => <RemoveDialog optOut={optOut} onClose={onDone} />)}
    >
      Remove
    </Button>
  )
}

function RemoveDialog({ optOut, onClose }: { optOut: OptOut; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.optOuts.delete({ optOutId: optOut.optOutId }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'opt-outs'] })
      toast({ text: `${optOut.recipient} can be texted again.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete the opt-out of ${optOut.recipient}`}
      description="They can be texted again. Do this only when they asked for it: many countries require their consent. A START from their phone does the same."
      confirmLabel="Delete"
      typeToConfirm={optOut.recipient}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
