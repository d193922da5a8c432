// Codes with which operators let somebody make an organization: made, seen, taken back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useSignUpMode } from '../sign_up/mode.ts'
import { Button, Card, Chip, Moment, TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import styles from './operator.module.css'
import { ShownOnce } from './shown_once.tsx'

export function CodesCard({ acts }: { acts: boolean }) {
  const cache = useQueryClient()
  const [makes, setMakes] = useState(false)
  const mode = useSignUpMode()
  const codes = useQuery({
    queryKey: ['operator', 'codes'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.organizationCodes.list({ limit: 50 }, { signal }),
  })
  const remove = useMutation({
    mutationFn: (codeId: string) => operatorApi.organizationCodes.remove({ codeId }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['operator'] }),
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  const rows = codes.data?.items ?? []
  return (
    <>
      <Card title="Codes to sign up" actions={acts && <Button onClick={() => setMakes(true)}>Make a code</Button>}>
        {mode === 'closed' && <p>Sign-up is closed: codes are of use once TANDEM_SIGN_UP is invite or open.</p>}
        <ul className={styles['rows']}>
          {rows.map(({ codeId, note, expiresAt, usedAt, organizationId }) => (
            <li key={codeId}>
              <div>
                <b>{note ?? 'No note'}</b> <State {...{ expiresAt, usedAt }} />
                <small>
                  {usedAt === null ? (
                    <>
                      Good until <Moment iso={expiresAt} />
                    </>
                  ) : (
                    <>
                      Organization {organizationId}, <Moment iso={usedAt} />
                    </>
                  )}
                </small>
              </div>
              {acts && usedAt === null && (
                <Button aria-label={`Remove the code ${note ?? codeId}`} onClick={() => remove.mutate(codeId)}>
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
        {codes.isSuccess && rows.length === 0 && <p>No code was made yet.</p>}
      </Card>
      {makes && <MakeDialog onClose={() => setMakes(false)} />}
    </>
  )
}

function State({ expiresAt, usedAt }: { expiresAt: string; usedAt: string | null }) {
  if (usedAt !== null) return <Chip>Used</Chip>
  return Date.parse(expiresAt) < Date.now() ? <Chip tone="warn">Too old</Chip> : <Chip>Good</Chip>
}

function MakeDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ note: '', days: '14' })
  const make = useMutation({
    mutationFn: () => {
      const note = values.note.trim()
      return operatorApi.organizationCodes.create({ days: Number(values.days), ...(note === '' ? {} : { note }) })
    },
    gcTime: 0,
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['operator'] }),
  })
  const fields = useFormFields({ values, change: setValues }, make.error, ['note', 'days'])
  if (make.isSuccess) {
    return (
      <ShownOnce
        title="The code"
        text={`Anyone who has it makes one organization at ${window.location.origin}/sign-up. It is shown only now.`}
        label="Code"
        value={make.data.code}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Make a code"
      className={record['form']}
      faults={fields}
      action="Make it"
      busy={make.isPending}
      disabled={!/^[1-9]\d*$/.test(values.days)}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <TextField label="For whom" maxLength={200} {...fields.text('note')} />
      <TextField label="Good for how many days" inputMode="numeric" maxLength={3} {...fields.text('days')} />
    </FormDialog>
  )
}
