// Second factors: an app that makes codes is added with a QR code and its first code, a passkey by the browser; each is renamed and
// removed; recovery codes are shown once.
import type { FactorsCreateTotpReply, FactorsListReply } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, EmptyState, ErrorState, LoadingRows, TextField, Time, toast } from '../ui/index.ts'
import styles from './account.module.css'
import { addPasskey, mayUsePasskeys } from './passkey.ts'
import { AppSetup } from './qr.tsx'
import { t } from './texts.ts'

const queryKey = ['live', 'factors']

/** What can be done with second factors, and what of it is open: an app being added, codes being shown. */
function useFactorActions() {
  const api = useApi()
  const cache = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const [adding, setAdding] = useState<FactorsCreateTotpReply>()
  const refused = (error: Error) => toast({ text: faultText(error), tone: 'bad' })
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
      if (recoveryCodes === undefined) toast({ text: t('passkeyAdded') })
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
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { factors, recoveryCodesLeft, passkeysAt } = query.data
  return (
    <Card
      title={t('factors')}
      actions={
        <>
          {passkeysAt === window.location.origin && mayUsePasskeys() && (
            <Button busy={addKey.isPending} onClick={() => addKey.mutate()}>
              {t('passkeyAdd')}
            </Button>
          )}
          <Button busy={add.isPending} onClick={() => add.mutate()}>
            {t('appAdd')}
          </Button>
        </>
      }
    >
      {factors.length === 0 ? (
        <EmptyState title={t('factorsNone')} text={t('factorsNoneText')} />
      ) : (
        <>
          <FactorRows factors={factors} onChanged={renew} />
          <p className={styles['codesLeft']}>
            {t('codesLeft', { count: recoveryCodesLeft })}
            <Button busy={replace.isPending} onClick={() => replace.mutate()}>
              {t('codesNew')}
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
            if (first === undefined) toast({ text: t('appAdded') })
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
      {at === null
        ? t('passkeyNone')
        : t.rich('passkeyElsewhere', { address: at, link: text => <a href={`${at}/account`}>{text}</a> })}
    </p>
  )
}

type Factor = FactorsListReply['factors'][number]

function FactorRows({ factors, onChanged }: { factors: FactorsListReply['factors']; onChanged(): void }) {
  const api = useApi()
  const [renamed, setRenamed] = useState<Factor>()
  const remove = useMutation({
    mutationFn: ({ factorId }: Factor) => api.factors.delete({ factorId }),
    onSuccess(_, { name }) {
      onChanged()
      toast({ text: t('factorRemoved', { name }) })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <>
      <ul className={styles['rows']}>
        {factors.map(factor => {
          const { factorId, kind, name, lastUsedAt } = factor
          return (
            <li key={factorId}>
              <div>
                {name}
                <small>
                  {lastUsedAt === null
                    ? t('factorNever', { kind })
                    : t.rich('factorUsed', { kind, time: () => <Time iso={lastUsedAt} /> })}
                </small>
              </div>
              <span className={styles['actions']}>
                <Button aria-label={t('factorRenameNamed', { name })} onClick={() => setRenamed(factor)}>
                  {t('factorRename')}
                </Button>
                <Button
                  aria-label={t('factorRemoveNamed', { name })}
                  busy={remove.isPending && remove.variables?.factorId === factorId}
                  onClick={() => remove.mutate(factor)}
                >
                  {t('factorRemove')}
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
      {renamed !== undefined && (
        <RenameDialog
          factor={renamed}
          onClose={() => setRenamed(undefined)}
          onRenamed={name => {
            setRenamed(undefined)
            onChanged()
            toast({ text: t('factorRenamed', { name }) })
          }}
        />
      )}
    </>
  )
}

type RenameDialogProps = { factor: Factor; onRenamed(name: string): void; onClose(): void }

function RenameDialog({ factor: { factorId, name }, onRenamed, onClose }: RenameDialogProps) {
  const api = useApi()
  const [values, setValues] = useState({ name })
  const typed = values.name.trim()
  const rename = useMutation({
    mutationFn: () => api.factors.update({ factorId, name: typed }),
    onSuccess: saved => onRenamed(saved.name),
  })
  const fields = useFormFields({ values, change: setValues }, rename.error, ['name'])
  return (
    <FormDialog
      title={t('factorRenameNamed', { name })}
      className={record['form']}
      faults={fields}
      action={t('factorRename')}
      busy={rename.isPending}
      disabled={typed === '' || typed === name}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={t('name')}
        hint={t('factorNameHint')}
        maxLength={100}
        {...fields.text('name')}
      />
    </FormDialog>
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
      title={t('appAdd')}
      description={t('appText')}
      className={record['form']}
      faults={faults}
      action={t('appConfirm')}
      busy={confirm.isPending}
      disabled={code === ''}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <AppSetup secret={made.secret} uri={made.uri} />
      <TextField
        className={record['wide']}
        label={t('appCode')}
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
      title={t('codesTitle')}
      description={t('codesText')}
      secret={codes.join('\n')}
      hint={t('codesHint')}
      onDone={onDone}
    />
  )
}
