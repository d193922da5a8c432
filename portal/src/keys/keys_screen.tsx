// API keys: what each may do, when it was last used and how that went; create, rotate with overlap, revoke.
import type { ApiKey, ApiKeysCreateReply, ApiKeysListParams } from '@tandem/sdk'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import {
  Button,
  Card,
  Chip,
  type Column,
  IdLink,
  PageHeader,
  relativeTime,
  StatusChip,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { KeyActions } from './key_actions.tsx'
import { KeyForm } from './key_form.tsx'
import { isForgotten, maskedKey, scopesText, stateOfKey } from './key_state.ts'
import { type KeyOutcomes, Outcome, useKeyOutcomes } from './key_usage.tsx'
import styles from './keys.module.css'

const filterNames = ['mode', 'active'] as const

/** What a row says below its key's name, if anything needs doing. */
function hintOf(key: ApiKey, nowMs: number): string | undefined {
  if (isForgotten(key, nowMs)) return 'Unused for 30 days. Revoke it if nothing needs it.'
  const state = stateOfKey(key, nowMs)
  if (state === 'ending') return 'Rotated: bring the new secret to every program before it ends.'
  if (state === 'active' && key.expiresAt !== null && Date.parse(key.expiresAt) - nowMs < soonMs) {
    return `Expires ${relativeTime(key.expiresAt, nowMs)}. Rotate it in time.`
  }
  return undefined
}
const soonMs = 7 * 86_400_000

/** A moment to come or past, relative, with the exact one beside the pointer. */
function Ends({ iso, nowMs }: { iso: string; nowMs: number }) {
  return (
    <time className={styles['nowrap']} dateTime={iso} title={new Date(iso).toLocaleString()}>
      {relativeTime(iso, nowMs)}
    </time>
  )
}

type ColumnsOptions = {
  userId: number
  outcomes: Record<Mode, KeyOutcomes>
  onRotated(reply: ApiKeysCreateReply): void
}
function columnsOf({ userId, outcomes, onRotated }: ColumnsOptions): Column<ApiKey>[] {
  const nowMs = Date.now()
  return [
    {
      key: 'name',
      header: 'Name and key',
      render: key => (
        <span className={styles['name']}>
          <strong>{key.name}</strong>
          <span>
            <IdLink id={key.keyId}>{maskedKey(key)}</IdLink>
            {key.userId !== userId && (
              <span className={styles['faint']}>
                {' of '}
                <UserName id={key.userId} />
              </span>
            )}
            {key.parentId !== null && (
              <span className={styles['faint']} title={key.parentId}>
                {' '}
                made with another key
              </span>
            )}
          </span>
          {hintOf(key, nowMs) !== undefined && <span className={styles['hint']}>{hintOf(key, nowMs)}</span>}
        </span>
      ),
    },
    {
      key: 'mode',
      header: 'Mode',
      hideOnNarrow: true,
      render: key => <Chip tone={key.mode === 'live' ? 'bad' : 'warn'}>{key.mode.toUpperCase()}</Chip>,
    },
    { key: 'state', header: 'State', render: key => <StatusChip status={stateOfKey(key, nowMs)} /> },
    {
      key: 'scopes',
      header: 'May',
      hideOnNarrow: true,
      render: key => (
        <span className={styles['scopeText']} title={scopesText(key.scopes)}>
          {scopesText(key.scopes)}
        </span>
      ),
    },
    {
      key: 'used',
      header: 'Last used',
      hideOnNarrow: true,
      render: key =>
        key.lastUsedAt === null ? <span className={styles['faint']}>Never</span> : <Time iso={key.lastUsedAt} />,
    },
    {
      key: 'outcome',
      header: 'Last 24 hours',
      hideOnNarrow: true,
      render: key => <Outcome keyId={key.keyId} name={key.name} mode={key.mode} outcomes={outcomes[key.mode]} />,
    },
    {
      key: 'ends',
      header: 'Ends',
      hideOnNarrow: true,
      render: key => {
        const end = key.revokedAt ?? key.expiresAt
        return end === null ? <span className={styles['faint']}>Never</span> : <Ends iso={end} nowMs={nowMs} />
      },
    },
    { key: 'created', header: 'Created', hideOnNarrow: true, render: key => <Time iso={key.createdAt} /> },
    { key: 'actions', header: 'Actions', render: key => <KeyActions apiKey={key} onRotated={onRotated} /> },
  ]
}

export function KeysScreen() {
  const api = useApi()
  const [params, change] = useParamsOfAddress()
  const { user } = useSession()
  const [created, setCreated] = useState<ApiKeysCreateReply>()
  const filters: ApiKeysListParams = {
    ...(params['mode'] === 'live' || params['mode'] === 'test' ? { mode: params['mode'] } : {}),
    ...(params['active'] === 'any' ? {} : { active: params['active'] !== 'no' }),
  }
  const list = useCursorList<ApiKey>('keys', filters, (cursor, signal) =>
    api.apiKeys.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const outcomes = {
    live: useKeyOutcomes('live', filters.mode !== 'test'),
    test: useKeyOutcomes('test', filters.mode !== 'live'),
  }
  const createButton = (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create an API key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs use these to act with your rights, or with fewer. The secret of a key is shown once and never stored."
        actions={createButton}
      />
      <Toolbar label="Filters of keys">
        <SelectFilter
          name="mode"
          label="Mode"
          all="Live and test"
          params={params}
          onChange={change}
          options={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Test' },
          ]}
        />
        <SelectFilter
          name="active"
          label="State"
          all="Working"
          params={params}
          onChange={change}
          options={[
            { value: 'no', label: 'Revoked or expired' },
            { value: 'any', label: 'All' },
          ]}
        />
      </Toolbar>
      <Card flush>
        <CursorTable
          list={list}
          noun="keys"
          isFiltered={filterNames.some(name => params[name] !== undefined)}
          onClearFilters={() => change({ mode: undefined, active: undefined })}
          empty={{
            icon: <KeyRound size={20} />,
            title: 'No API keys yet',
            text: 'A program needs one to call the API. Begin with a test key: it reaches only the simulator.',
            action: createButton,
          }}
          caption="API keys"
          columns={columnsOf({ userId: user.id, outcomes, onRotated: setCreated })}
          rowKey={key => key.keyId}
        />
      </Card>
      {params['create'] !== undefined && (
        <KeyForm
          onClose={() => change({ create: undefined })}
          onCreated={reply => {
            change({ create: undefined })
            setCreated(reply)
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={`The secret of ${created.name}`}
          description="Copy it now. It is not stored, and nobody can show it to you again."
          secret={created.secret}
          onDone={() => setCreated(undefined)}
        />
      )}
    </>
  )
}
