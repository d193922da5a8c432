// Who runs the installation, and what they did last.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { Button, Card, Chip, ConfirmDialog, Moment, SelectField, TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import styles from './operator.module.css'

const levels = [
  { value: 'support', label: 'Look only' },
  { value: 'full', label: 'Look and act' },
]

export function OperatorsCard({ acts }: { acts: boolean }) {
  const cache = useQueryClient()
  const [adds, setAdds] = useState(false)
  const operators = useQuery({
    queryKey: ['operator', 'operators'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.operators.list({}, { signal }),
  })
  const events = useQuery({
    queryKey: ['operator', 'events'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.operatorEvents.list({ limit: 20 }, { signal }),
  })
  const [removing, setRemoving] = useState<{ accountId: number; email: string }>()
  const remove = useMutation({
    mutationFn: (accountId: number) => operatorApi.operators.remove({ accountId }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      setRemoving(undefined)
    },
  })
  const rows = events.data?.items ?? []
  return (
    <>
      <Card title="Operators" actions={acts && <Button onClick={() => setAdds(true)}>Add an operator</Button>}>
        <ul className={styles['rows']}>
          {(operators.data?.operators ?? []).map(({ accountId, email, name, level, hasSecondFactor }) => (
            <li key={accountId}>
              <div>
                <b>{name}</b> <Chip>{level === 'full' ? 'Looks and acts' : 'Looks only'}</Chip>{' '}
                {!hasSecondFactor && <Chip tone="warn">No second factor yet</Chip>}
                <small>{email}</small>
              </div>
              {acts && (
                <Button aria-label={`Remove ${email}`} onClick={() => setRemoving({ accountId, email })}>
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="What operators did">
        {events.isSuccess && rows.length === 0 && <p>Nothing yet.</p>}
        <ul className={styles['rows']}>
          {rows.map(({ eventId, at, action, operator, organizationId, target, reason }) => (
            <li key={eventId}>
              <div>
                <code>{action}</code> {organizationId !== null && `organization ${organizationId} `}
                {target}
                <small>
                  {operator}, <Moment iso={at} />
                  {reason !== null && `: ${reason}`}
                </small>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {adds && <AddDialog onClose={() => setAdds(false)} />}
      {removing !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={open => !open && setRemoving(undefined)}
          title={`Remove the operator ${removing.email}`}
          description="The account stays, with the organizations it is a member of. It runs this installation no longer."
          confirmLabel="Remove"
          danger
          busy={remove.isPending}
          {...(remove.error === null ? {} : { error: remove.error.message })}
          onConfirm={() => remove.mutate(removing.accountId)}
        />
      )}
    </>
  )
}

function AddDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ email: '', level: 'support' })
  const add = useMutation({
    mutationFn: () => operatorApi.operators.set({ email: values.email, level: values.level as 'support' | 'full' }),
    onSuccess({ email }) {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: `${email} is an operator.` })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, add.error, ['email', 'level'])
  return (
    <FormDialog
      title="Add an operator"
      className={record['form']}
      faults={fields}
      action="Add"
      busy={add.isPending}
      disabled={values.email.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label="E-mail of the account"
        type="email"
        maxLength={254}
        {...fields.text('email')}
      />
      <SelectField
        label="May"
        options={levels}
        value={values.level}
        onChange={event => fields.put('level', event.target.value)}
      />
    </FormDialog>
  )
}
