// The page of one record, as a place to work at: its head, what is going on with it in the middle, its facts beside that, edited where
// they stand, with the records that name it; what was changed when by whom; and for developers what the API gives.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import record from '../data/record.module.css'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Button, LoadingRows, toast } from '../ui/index.ts'
import { Tabs } from '../ui/tabs.tsx'
import { useLanguage } from '../words/language.ts'
import { mergedInto, useNounApi } from './api.ts'
import { spoken } from './described/spoken.ts'
import { Facts } from './facts.tsx'
import type { EditFormProps } from './form.tsx'
import { type NounDescription, type NounRecord, pathOf, permissionOf, recordIdOf, titleOf, upper } from './noun.ts'
import styles from './nouns.module.css'
import {
  AttachedTab,
  DeveloperTab,
  DuplicatesNote,
  EditForm,
  History,
  MissingRecord,
  RecordTags,
  RelatedList,
} from './parts.ts'
import { RecordActions } from './record_actions.tsx'
import { RecordHeader, type RecordHeaderProps } from './record_header.tsx'
import { useNounRecord } from './records.ts'
import { useMayChange } from './rights.ts'
import { t } from './texts.ts'

export type NounPageProps = Pick<RecordHeaderProps, 'mark'> & {
  noun: NounDescription
  id: string
  /** Under the name: the company of a person. */
  about?(shown: NounRecord): ReactNode
  /** What to do next, before "Edit". */
  actions?(shown: NounRecord): ReactNode
  /** Below the head: where it stands on its way. */
  steps?(shown: NounRecord): ReactNode
  /** A form of its own, in place of that of the fields. */
  editForm?: ComponentType<EditFormProps>
  /** In the middle, where there is the most room: what is going on with it, and what it is about. The facts stand beside that. */
  main?(shown: NounRecord, mayEdit: boolean): ReactNode
  /** Fields that are shown elsewhere, which the facts leave out. */
  apart?: readonly string[]
  /** Below the facts, or beside them where there is no `main`: what is special about this noun. */
  children?(shown: NounRecord): ReactNode
  /** For developers, above what the API gives: what happened to it. */
  developer?(shown: NounRecord): ReactNode
}

const tabs = ['overview', 'notes', 'history', 'api'] as const
type TabName = (typeof tabs)[number]

export function NounPage(props: NounPageProps) {
  const { permissions } = useSession()
  useLanguage()
  const noun = spoken(props.noun)
  const needed = permissionOf(noun, 'read')
  if (!permissions.has(needed)) return <Refused title={upper(noun.words.many)} />
  return <Page key={props.id} {...props} noun={noun} />
}

function Page(props: NounPageProps) {
  const { noun, id, mark, editForm: Edit = EditForm } = props
  const { mode } = useSession()
  const cache = useQueryClient()
  const query = useNounRecord(noun, id)
  useSurvivor(noun, query.error)
  const [params, change] = useParamsOfAddress()
  const shown = query.data
  const put = (saved: NounRecord) => cache.setQueryData([mode, noun.one, id], saved)
  const mayChange = useMayChange(noun)
  const mayEdit = shown !== undefined && mayChange(shown)
  const isThere = shown !== undefined && shown.deleted_at == null
  return (
    <>
      <RecordHeader
        noun={noun}
        record={shown}
        {...(mark !== undefined && { mark })}
        about={shown !== undefined && props.about?.(shown)}
        tags={isThere && <Tags noun={noun} record={shown} mayEdit={mayEdit} />}
        actions={
          shown !== undefined && (
            <>
              {props.actions?.(shown)}
              {mayEdit && (
                <Button
                  variant="ghost"
                  icon={<Pencil size={14} />}
                  onClick={() => change({ edit: '1' }, { push: true })}
                >
                  {t('edit')}
                </Button>
              )}
              <RecordActions noun={noun} record={shown} onChanged={put} />
            </>
          )
        }
      />
      {isThere && props.steps?.(shown)}
      {isThere && <DuplicatesNote noun={noun} record={shown} />}
      {query.isPending ? (
        <LoadingRows label={t('loadingOne', { one: noun.words.one })} />
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
            toast({ text: t('saved', { name: titleOf(noun, saved) }) })
          }}
        />
      )}
    </>
  )
}

function Tags({ noun, record: shown, mayEdit }: { noun: NounDescription; record: NounRecord; mayEdit: boolean }) {
  const { permissions } = useSession()
  if (noun.holds !== true || !permissions.has('tags:read')) return null
  return <RecordTags recordId={recordIdOf(noun, shown.id)} mayWrite={mayEdit} />
}

/** Goes to the record that the one of this address was merged into. */
function useSurvivor(noun: NounDescription, error: unknown): void {
  const navigate = useNavigate()
  const into = mergedInto(noun, error)
  useEffect(() => {
    if (into === undefined) return
    toast({ text: t('mergedHere', { one: noun.words.one }) })
    void navigate({ to: `${pathOf(noun)}/$id` as '/leads/$id', params: { id: into }, replace: true })
  }, [into, noun, navigate])
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

/** Who is shown what only makes sense to those who build on the API. */
const developerPermission = 'events:read'

function Contents(props: ContentsProps) {
  const { noun, id, shown, mayEdit } = props
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const contents: Record<TabName, { label: string; content: ReactNode }> = {
    overview: { label: t('tab.overview'), content: <Overview {...props} /> },
    notes: {
      label: t('tab.notes'),
      content: <AttachedTab noun={noun} record={shown} mayWrite={mayEdit} />,
    },
    history: {
      label: t('tab.history'),
      content: <History noun={noun} id={id} version={shown.version} />,
    },
    api: {
      label: t('tab.api'),
      content: (
        <DeveloperTab noun={noun} record={shown}>
          {props.developer?.(shown)}
        </DeveloperTab>
      ),
    },
  }
  const isOffered = {
    overview: true,
    notes: noun.holds === true && shown.deleted_at == null && permissions.has('notes:read'),
    history: noun.verbs.includes('history'),
    api: permissions.has(developerPermission),
  }
  const offered = tabs.filter(name => isOffered[name])
  const tab = offered.find(name => name === params['tab']) ?? 'overview'
  return (
    <Tabs
      label={t('tabs', { one: noun.words.one })}
      tabs={offered.map(value => ({ value, ...contents[value] }))}
      value={tab}
      onChange={value => change({ tab: value === 'overview' ? undefined : value })}
    />
  )
}

function Overview({ noun, id, shown, mayEdit, onSaved, main, apart = [], children }: ContentsProps) {
  const { permissions } = useSession()
  const facts = <Facts noun={noun} record={shown} mayEdit={mayEdit} apart={apart} onSaved={onSaved} />
  const related = noun.related
    .filter(({ permission }) => permissions.has(permission))
    .map(one => <RelatedList key={`${one.noun} ${one.field}`} related={one} id={id} />)
  if (main === undefined)
    return (
      <div className={record['columns']}>
        {facts}
        <div className={styles['stack']}>
          {children?.(shown)}
          {related}
        </div>
      </div>
    )
  return (
    <div className={styles['workplace']}>
      <div className={styles['stack']}>{main(shown, mayEdit)}</div>
      <div className={styles['stack']}>
        {facts}
        {related}
        {children?.(shown)}
      </div>
    </div>
  )
}
