// Second factors: an app that makes codes is added with a QR code and its first code, a passkey by the browser; recovery codes are shown
// once.
import type { FactorsCreateTotpReply, FactorsListReply } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { Button, Card, EmptyState, ErrorState, LoadingRows, TextField, Time, toast } from '../ui/index.ts'
import styles from './account.module.css'
import { addPasskey, mayUsePasskeys } from './passkey.ts'
import { AppSetup } from './qr.tsx'

const queryKey = ['live', 'factors']

/** What can be done with second factors, and what of it is open: an app being added, codes being shown. */
function useFactorActions() {
  const api = useApi()
  const cache = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const [adding, setAdding] = useState<FactorsCreateTotpReply>()
  const refused = (error: Error) => toast({ text: error.message, tone: 'bad' })
  const renew = () => void cache.invalidateQueries({ queryKey })
  const add = useMutation({
    mutationFn: () => api.factors.createTotp({}),
    gcTime: 0,
    onSuccess: setAdding,
    onError: refused,
  })
  const replace = useMutation({
    mutationFn: () => api.factors.createRecoveryCodes({}),
    gcTime: 0,
    onSuccess({ recoveryCodes }) {
      renew()
      setCodes(recoveryCodes)
    },
    onError: refused,
  })
  const addKey = useMutation({
    mutationFn: () => addPasskey('Passkey'),
    gcTime: 0,
    onSuccess({ recoveryCodes }) {
      renew()
      if (recoveryCodes === undefined) toast({ text: 'The passkey was added.' })
      else setCodes(recoveryCodes)
    },
    // The person said no, or the device has one already: the browser said so.
    onError: error => {
      if (error.name !== 'NotAllowedError') refused(error)
    },
  })
  return { codes, setCodes, adding, setAdding, renew, add, replace, addKey }
}

export function FactorsCard() {
  const api = useApi()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.factors.list({}, { signal }) })
  const { codes, setCodes, adding, setAdding, renew, add, replace, addKey } = useFactorActions()
  if (query.isPending) return <LoadingRows label="Loading your second factors" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { factors, recoveryCodesLeft, passkeysAt } = query.data
  return (
    <Card
      title="Second factors"
      actions={
        <>
          {passkeysAt === window.location.origin && mayUsePasskeys() && (
            <Button busy={addKey.isPending} onClick={() => addKey.mutate()}>
              Add a passkey
            </Button>
          )}
          <Button busy={add.isPending} onClick={() => add.mutate()}>
            Add an authenticator app
          </Button>
        </>
      }
    >
      {factors.length === 0 ? (
        <EmptyState
          title="A password alone protects your account"
          text="With a passkey or an app that makes codes, nobody gets in by your password alone."
        />
      ) : (
        <>
          <FactorRows factors={factors} onRemoved={renew} />
          <p className={styles['codesLeft']}>
            {recoveryCodesLeft === 1 ? 'One recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`}
            <Button busy={replace.isPending} onClick={() => replace.mutate()}>
              Make new recovery codes
            </Button>
          </p>
        </>
      )}
      <PasskeysElsewhere at={passkeysAt} />
      {adding !== undefined && (
        <AddAppDialog
          made={adding}
          onClose={() => setAdding(undefined)}
          onAdded={first => {
            setAdding(undefined)
            renew()
            if (first === undefined) toast({ text: 'The app was added.' })
            else setCodes(first)
          }}
        />
      )}
      {codes !== undefined && <CodesDialog codes={codes} onDone={() => setCodes(undefined)} />}
    </Card>
  )
}

/** Where passkeys can be had, when that is not here. */
function PasskeysElsewhere({ at }: { at: string | null }) {
  if (at === window.location.origin) return null
  return (
    <p>
      {at === null ? (
        'There are no passkeys here: they need an https address with a host name, which TANDEM_PUBLIC_URL sets.'
      ) : (
        <>
          Passkeys are bound to a host name. To add or use one, open <a href={`${at}/account`}>{at}</a>.
        </>
      )}
    </p>
  )
}

function FactorRows({ factors, onRemoved }: { factors: FactorsListReply['factors']; onRemoved(): void }) {
  const api = useApi()
  const remove = useMutation({
    mutationFn: (factorId: string) => api.factors.delete({ factorId }),
    onSuccess() {
      onRemoved()
      toast({ text: 'The second factor was removed.' })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <ul className={styles['rows']}>
      {factors.map(({ factorId, kind, name, lastUsedAt }) => (
        <li key={factorId}>
          <div>
            {name}
            <small>
              {kind === 'passkey' ? 'passkey, ' : 'app, '}
              {lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <Time iso={lastUsedAt} />
                </>
              )}
            </small>
          </div>
          <Button
            aria-label={`Remove ${name}`}
            busy={remove.isPending && remove.variables === factorId}
            onClick={() => remove.mutate(factorId)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

type AddAppDialogProps = { made: FactorsCreateTotpReply; onAdded(codes?: readonly string[]): void; onClose(): void }

function AddAppDialog({ made, onAdded, onClose }: AddAppDialogProps) {
  const api = useApi()
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => api.factors.confirmTotp({ factorId: made.factorId, code: code.replaceAll(/\s/g, '') }),
    gcTime: 0,
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  const faults = useFormFaults(confirm.error, ['code'])
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan the code with an app such as that of your password manager, then type the six digits that it shows."
      className={record['form']}
      faults={faults}
      action="Add the app"
      busy={confirm.isPending}
      disabled={code === ''}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <AppSetup secret={made.secret} uri={made.uri} />
      <TextField
        className={record['wide']}
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        error={faults.fields['code']}
        onChange={event => {
          faults.mend('code')
          setCode(event.target.value)
        }}
      />
    </FormDialog>
  )
}

function CodesDialog({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <SecretDialog
      wide
      title="Your recovery codes"
      description="Each logs you in once, without the app. Those there were before do not work any more."
      secret={codes.join('\n')}
      hint="On paper, or where you keep passwords: not on the phone that has the app."
      onDone={onDone}
    />
  )
}
