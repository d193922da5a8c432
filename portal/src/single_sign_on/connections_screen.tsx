// Identity providers: set up, tested with a log that says what was wrong, switched on, enforced, switched off.
import type { SsoConnection } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import record from '../data/record.module.css'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, ConfirmDialog, Dialog, ErrorNote, Time } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { NewConnectionForm, UpdateConnectionForm } from './connection_form.tsx'
import styles from './single_sign_on.module.css'
import { Status } from './status.tsx'
import { t } from './texts.ts'

const connections = byLanguage(
  (): Resource<SsoConnection> => ({
    many: 'identity providers',
    things: t('provider.things'),
    about: t('provider.about'),
    from: api => api.ssoConnections.list,
    id: 'connectionId',
    nameOf: ({ name }) => t('provider.named', { name }),
    columns: [
      { name: 'name', label: t('name') },
      { name: 'status', label: t('state'), px: 100, cell: ({ status }) => <Status status={status} /> },
      { name: 'issuer', label: t('issuer'), atFirst: 'wide' },
      {
        name: 'test',
        label: t('lastTest'),
        px: 160,
        cell: ({ test }) =>
          test === null ? (
            t('test.none')
          ) : (
            <Chip tone={test.passed ? 'ok' : 'bad'}>{t(test.passed ? 'test.passed' : 'test.failed')}</Chip>
          ),
      },
    ],
    actions: {
      px: 140,
      needs: 'sso:manage',
      cell: connection => (
        <>
          <OpenButton connection={connection} />
          <RemoveButton
            many="identity providers"
            name={t('provider.named', { name: connection.name })}
            text={t('provider.deleteText')}
            remove={api => api.ssoConnections.delete({ connectionId: connection.connectionId })}
          />
        </>
      ),
    },
    create: {
      label: t('provider.create'),
      needs: 'sso:manage',
      Form: NewConnectionForm,
      saved: ({ name }) => t('provider.created', { name }),
    },
    empty: { title: t('provider.none'), text: t('provider.noneText') },
    Dialogs: Tested,
  }),
)

export const ConnectionsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={connections} />
  </InLiveMode>
)

function OpenButton({ connection }: { connection: SsoConnection }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={t('openNamed', { name: connection.name })}
      onClick={() => show(onDone => <SetUpDialog connection={connection} onClose={onDone} />)}
    >
      {t('open')}
    </Button>
  )
}

/** Where the browser comes back to from a test: its verdict is in the set-up, which opens. */
function Tested({ items }: { items: readonly SsoConnection[] }) {
  const show = useHeldDialog()
  const [{ tested }, change] = useParamsOfAddress()
  const connection = items.find(({ connectionId }) => connectionId === tested)
  useEffect(() => {
    if (connection === undefined) return
    show(onDone => <SetUpDialog connection={connection} onClose={onDone} />)
    change({ tested: undefined })
  }, [connection, show, change])
  return null
}

/** What leads on from each state. */
const moves: Record<
  SsoConnection['status'],
  readonly {
    to: 'active' | 'enforced' | 'disabled' | 'draft'
    verb: 'activate' | 'enforce' | 'disable' | 'relax' | 'draft'
  }[]
> = {
  draft: [],
  tested: [{ to: 'active', verb: 'activate' }],
  active: [
    { to: 'enforced', verb: 'enforce' },
    { to: 'disabled', verb: 'disable' },
  ],
  enforced: [
    { to: 'active', verb: 'relax' },
    { to: 'disabled', verb: 'disable' },
  ],
  disabled: [{ to: 'draft', verb: 'draft' }],
}

function useChange(connectionId: string, onDone: () => void) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (to: 'active' | 'enforced' | 'disabled' | 'draft') =>
      api.ssoConnections.update({ connectionId, status: to }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'identity providers'] })
      onDone()
    },
  })
}

/** It logs people out, and writes to them: not at one press. */
function EnforceDialog({
  connection: { connectionId, name },
  onClose,
}: {
  connection: SsoConnection
  onClose(): void
}) {
  const change = useChange(connectionId, onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('enforceTitle', { name })}
      description={t('enforceText')}
      confirmLabel={t('move.enforce')}
      busy={change.isPending}
      {...(change.error === null ? {} : { error: faultText(change.error) })}
      onConfirm={() => change.mutate('enforced')}
    />
  )
}

function SetUpDialog({ connection, onClose }: { connection: SsoConnection; onClose(): void }) {
  const api = useApi()
  const show = useHeldDialog()
  const { connectionId, name, status, test } = connection
  const change = useChange(connectionId, onClose)
  const run = useMutation({
    mutationFn: () => api.ssoConnections.test({ connectionId }),
    onSuccess: ({ testUrl }) => window.location.assign(testUrl),
  })
  const fault = change.error ?? run.error
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={name}
      description={t(`hint.${status}`)}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button onClick={() => show(onDone => <UpdateConnectionForm connection={connection} onClose={onDone} />)}>
            {t('edit')}
          </Button>
          {status !== 'disabled' && (
            <Button
              variant={status === 'draft' ? 'primary' : 'secondary'}
              busy={run.isPending}
              onClick={() => run.mutate()}
            >
              {t(test === null ? 'run' : 'runAgain')}
            </Button>
          )}
          {moves[status].map(({ to, verb }, index) => (
            <Button
              key={to}
              variant={status === 'tested' && index === 0 ? 'primary' : 'secondary'}
              busy={change.isPending}
              onClick={() =>
                to === 'enforced'
                  ? show(onDone => <EnforceDialog connection={connection} onClose={onDone} />)
                  : change.mutate(to)
              }
            >
              {t(`move.${verb}`)}
            </Button>
          ))}
        </>
      }
    >
      {fault !== null && <ErrorNote text={faultText(fault)} />}
      <p>
        <Status status={status} />
      </p>
      <div className={record['blocks']}>
        <CodeBlock label={t('redirectAddress')} code={connection.redirectUri} wrap />
        <CodeBlock label={t('startAddress')} code={connection.startUrl} wrap />
      </div>
      {test !== null && (
        <section aria-label={t('testLog')} className={styles['log']}>
          <h3>{t.rich('testAt', { time: () => <Time iso={test.at} /> })}</h3>
          <ul>
            {test.log.map(({ step, outcome, text }) => (
              <li key={step + text}>
                <Chip tone={outcome === 'ok' ? 'ok' : outcome === 'wrong' ? 'bad' : 'warn'}>
                  {t.of('outcome', outcome) ?? outcome}
                </Chip>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
