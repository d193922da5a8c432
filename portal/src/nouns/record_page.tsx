// The page of one record: its facts, which are edited where they stand, the records that name it, what was changed when by whom, and
// what the API gives.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import record from '../data/record.module.css'
import { MissingRecord } from '../data/record_states.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { setMode, useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { Button, ButtonLink, Card, Chip, LoadingRows, PageHeader, TextLink, toast } from '../ui/index.ts'
import { Tabs } from '../ui/tabs.tsx'
import { mergedInto, useNounApi } from './api.ts'
import { DuplicatesNote } from './duplicates.tsx'
import { Facts } from './facts.tsx'
import type { EditFormProps } from './form.tsx'
import {
  fieldValue,
  type NounDescription,
  type NounRecord,
  pathOf,
  permissionOf,
  recordIdOf,
  titleOf,
  upper,
} from './noun.ts'
import styles from './nouns.module.css'
import { AttachedTab, EditForm, History, RecordTags } from './parts.ts'
import { RecordActions } from './record_actions.tsx'
import { useNounRecord } from './records.ts'
import { RelatedList } from './related_list.tsx'
import { useMayChange } from './rights.ts'
import { FieldValue } from './values.tsx'

export type NounPageProps = {
  noun: NounDescription
  id: string
  /** Beside "Edit" and "Delete". */
  actions?(shown: NounRecord): ReactNode
  /** A form of its own, in place of that of the fields. */
  editForm?: ComponentType<EditFormProps>
  /** Above the facts, where there is the most room: what the record is about. */
  main?(shown: NounRecord): ReactNode
  /** Fields that `main` shows, which the facts leave out. */
  apart?: readonly string[]
  /** Beside the facts: what is special about this noun. */
  children?(shown: NounRecord): ReactNode
}

const tabs = ['overview', 'notes', 'history', 'api'] as const
type TabName = (typeof tabs)[number]

export function NounPage(props: NounPageProps) {
  const { permissions } = useSession()
  const needed = permissionOf(props.noun, 'read')
  if (!permissions.has(needed)) return <Refused title={upper(props.noun.words.many)} permission={needed} />
  return <Page key={props.id} {...props} />
}

function Page(props: NounPageProps) {
  const { noun, id, actions, editForm: Edit = EditForm } = props
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const query = useNounRecord(noun, id)
  useSurvivor(noun, query.error)
  const [params, change] = useParamsOfAddress()
  const shown = query.data
  const put = (saved: NounRecord) => cache.setQueryData([mode, noun.one, id], saved)
  const mayChange = useMayChange(noun)
  const mayEdit = shown !== undefined && mayChange(shown)
  const isDeleted = shown?.deleted_at != null
  return (
    <>
      <PageHeader
        title={shown === undefined ? upper(noun.words.one) : titleOf(noun, shown)}
        description={
          <>
            <TextLink to={pathOf(noun) as '/leads'}>{`All ${noun.words.many}`}</TextLink>
            {` / ${upper(noun.words.one)}`} {shown !== undefined && <State noun={noun} record={shown} />}
            {isDeleted && <Chip tone="warn">In the trash</Chip>}
            {shown !== undefined && noun.holds === true && !isDeleted && permissions.has('tags:read') && (
              <RecordTags recordId={recordIdOf(noun, shown.id)} mayWrite={mayEdit} />
            )}
          </>
        }
        actions={
          shown !== undefined && (
            <>
              {actions?.(shown)}
              {mayEdit && (
                <Button icon={<Pencil size={14} />} onClick={() => change({ edit: '1' }, { push: true })}>
                  Edit
                </Button>
              )}
              <RecordActions noun={noun} record={shown} onChanged={put} />
            </>
          )
        }
      />
      {shown !== undefined && !isDeleted && <DuplicatesNote noun={noun} record={shown} />}
      {query.isPending ? (
        <LoadingRows label={`Loading the ${noun.words.one}`} />
      ) : shown === undefined ? (
        <Missing {...props} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Contents {...props} shown={shown} mayEdit={mayEdit} onSaved={put} />
      )}
      {shown !== undefined && params['edit'] !== undefined && mayEdit && (
        <Edit
          noun={noun}
          record={shown}
          onClose={() => change({ edit: undefined })}
          onSaved={({ record: saved }) => {
            put(saved)
            change({ edit: undefined })
            toast({ text: `${titleOf(noun, saved)} was saved.` })
          }}
        />
      )}
    </>
  )
}

/** Goes to the record that the one of this address was merged into. */
function useSurvivor(noun: NounDescription, error: unknown): void {
  const navigate = useNavigate()
  const into = mergedInto(noun, error)
  useEffect(() => {
    if (into === undefined) return
    toast({ text: `That ${noun.words.one} was merged into this one.` })
    void navigate({ to: `${pathOf(noun)}/$id` as '/leads/$id', params: { id: into }, replace: true })
  }, [into, noun, navigate])
}

function State({ noun, record: shown }: { noun: NounDescription; record: NounRecord }) {
  const field = noun.fields.find(({ kind }) => kind === 'state')
  return field === undefined ? null : <FieldValue field={field} value={fieldValue(field, shown)} />
}

function Missing({ noun, id, error, onRetry }: NounPageProps & { error: unknown; onRetry(): void }) {
  const { mode } = useSession()
  const other = mode === 'live' ? 'test' : 'live'
  const elsewhere = useNounApi(noun, other)
  return (
    <MissingRecord
      word={noun.words.one}
      home={{ to: pathOf(noun), name: noun.words.many }}
      id={id}
      error={error}
      read={signal => elsewhere.get(id, signal)}
      onRetry={onRetry}
    />
  )
}

type ContentsProps = NounPageProps & { shown: NounRecord; mayEdit: boolean; onSaved(saved: NounRecord): void }

function Contents({ noun, id, shown, mayEdit, onSaved, main, apart = [], children }: ContentsProps) {
  const { permissions, mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const tab = tabs.find(name => name === params['tab']) ?? 'overview'
  const lists = noun.related.filter(({ permission }) => permissions.has(permission))
  const overview = (
    <div className={record['columns']}>
      <div className={styles['stack']}>
        {main?.(shown)}
        <Facts noun={noun} record={shown} mayEdit={mayEdit} apart={apart} onSaved={onSaved} />
      </div>
      <div className={styles['stack']}>
        {children?.(shown)}
        {lists.map(one => (
          <RelatedList key={`${one.noun} ${one.field}`} related={one} id={id} />
        ))}
      </div>
    </div>
  )
  const api = (
    <Card
      title="As the API gives it"
      actions={
        <ButtonLink to="/logs" onClick={() => setMode(mode)} search={{ resourceId: recordIdOf(noun, id) }}>
          Requests about it
        </ButtonLink>
      }
    >
      <CodeBlock
        code={JSON.stringify(shown, null, 2)}
        language="json"
        label={`${upper(noun.words.one)} as the API gives it`}
      />
    </Card>
  )
  const contents: Record<TabName, { label: string; content: ReactNode }> = {
    overview: { label: 'Overview', content: overview },
    notes: {
      label: 'Notes, tasks, files',
      content: <AttachedTab noun={noun} record={shown} mayWrite={mayEdit} />,
    },
    history: {
      label: 'History',
      content: <History noun={noun} id={id} version={shown.version} />,
    },
    api: { label: 'API', content: api },
  }
  const isOffered = {
    overview: true,
    notes: noun.holds === true && shown.deleted_at == null && permissions.has('notes:read'),
    history: noun.verbs.includes('history'),
    api: true,
  }
  const offered = tabs.filter(name => isOffered[name])
  return (
    <Tabs
      label={`Parts of the ${noun.words.one}`}
      tabs={offered.map(value => ({ value, ...contents[value] }))}
      value={tab}
      onChange={value => change({ tab: value === 'overview' ? undefined : value })}
    />
  )
}
