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
import { Button, Chip, ConfirmDialog, Dialog, ErrorNote, StatusChip, Time } from '../ui/index.ts'
import { NewConnectionForm, UpdateConnectionForm } from './connection_form.tsx'
import styles from './single_sign_on.module.css'

const connections: Resource<SsoConnection> = {
  many: 'identity providers',
  about:
    'People of a verified domain log in by your identity provider (OpenID Connect). Set it up, run the test, switch it on, then enforce it if you want.',
  from: api => api.ssoConnections.list,
  id: 'connectionId',
  nameOf: ({ name }) => `the identity provider ${name}`,
  columns: [
    { name: 'name', label: 'Name' },
    { name: 'status', label: 'State', px: 100, cell: ({ status }) => <StatusChip status={status} /> },
    { name: 'issuer', label: 'Issuer', atFirst: 'wide' },
    {
      name: 'test',
      label: 'Last test',
      px: 160,
      cell: ({ test }) =>
        test === null ? 'none' : <Chip tone={test.passed ? 'ok' : 'bad'}>{test.passed ? 'passed' : 'failed'}</Chip>,
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
          name={`the identity provider ${connection.name}`}
          text="Nobody logs in by it any more. Anyone without a password sets one by a mail: Forgot the password? on the login page."
          remove={api => api.ssoConnections.delete({ connectionId: connection.connectionId })}
        />
      </>
    ),
  },
  create: {
    label: 'Add an identity provider',
    needs: 'sso:manage',
    Form: NewConnectionForm,
    saved: ({ name }) => `${name} was added. Open its set-up, register the redirect address, and run the test.`,
  },
  empty: { title: 'No identity provider yet', text: 'Everybody logs in with a password or a passkey.' },
  Dialogs: Tested,
}

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
      aria-label={`Set-up of ${connection.name}`}
      onClick={() => show(onDone => <SetUpDialog connection={connection} onClose={onDone} />)}
    >
      Open
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

/** What leads on from each state, in words of a button. */
const moves: Record<
  SsoConnection['status'],
  readonly { to: 'active' | 'enforced' | 'disabled' | 'draft'; label: string }[]
> = {
  draft: [],
  tested: [{ to: 'active', label: 'Switch on' }],
  active: [
    { to: 'enforced', label: 'Enforce' },
    { to: 'disabled', label: 'Switch off' },
  ],
  enforced: [
    { to: 'active', label: 'Stop enforcing' },
    { to: 'disabled', label: 'Switch off' },
  ],
  disabled: [{ to: 'draft', label: 'Make it a draft again' }],
}

const hints: Record<SsoConnection['status'], string> = {
  draft:
    'Register the redirect address at the provider, then run the test: you log in there, no session is opened here, and this page shows what was right and wrong.',
  tested: 'The test passed. Once it is switched on, people of your verified domains may log in by it.',
  active:
    'People may log in by it, or as before. Enforced, people of your verified domains must, and their other sessions end.',
  enforced: 'People of your verified domains log in by it only, but for those who are named for emergencies.',
  disabled: 'Nobody logs in by it.',
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
      title={`Enforce ${name}?`}
      description="From now on people at your verified domains log in by it only. Their other sessions end, and each gets a mail about it. Members for emergencies keep their password."
      confirmLabel="Enforce"
      busy={change.isPending}
      {...(change.error === null ? {} : { error: change.error.message })}
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
      description={hints[status]}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button onClick={() => show(onDone => <UpdateConnectionForm connection={connection} onClose={onDone} />)}>
            Change
          </Button>
          {status !== 'disabled' && (
            <Button
              variant={status === 'draft' ? 'primary' : 'secondary'}
              busy={run.isPending}
              onClick={() => run.mutate()}
            >
              {test === null ? 'Run the test' : 'Run the test again'}
            </Button>
          )}
          {moves[status].map(({ to, label }, index) => (
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
              {label}
            </Button>
          ))}
        </>
      }
    >
      {fault !== null && <ErrorNote text={fault.message} />}
      <p>
        <StatusChip status={status} />
      </p>
      <div className={record['blocks']}>
        <CodeBlock label="Redirect address, to be registered" code={connection.redirectUri} wrap />
        <CodeBlock label="Address where a login begins" code={connection.startUrl} wrap />
      </div>
      {test !== null && (
        <section aria-label="Log of the last test" className={styles['log']}>
          <h3>
            Last test, <Time iso={test.at} />
          </h3>
          <ul>
            {test.log.map(({ step, outcome, text }) => (
              <li key={step + text}>
                <Chip tone={outcome === 'ok' ? 'ok' : outcome === 'wrong' ? 'bad' : 'warn'}>{outcome}</Chip>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
