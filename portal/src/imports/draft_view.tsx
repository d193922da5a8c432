// An import that is not begun: the file as it is read, its columns and what they become, the choices, and the check of all rows, whose
// result stands here before anything is imported.
import type { Import } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { faultsOf } from '../forms/faults.ts'
import type { NounDescription } from '../nouns/noun.ts'
import { upper } from '../nouns/noun.ts'
import { useMayImport } from '../nouns/rights.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, ErrorNote, PageHeader, Time } from '../ui/index.ts'
import { CancelButton } from './cancel_button.tsx'
import { importKey, useChanged } from './data.ts'
import { FileCard } from './file_card.tsx'
import styles from './imports.module.css'
import { MappingTable } from './mapping_table.tsx'
import { OptionFields } from './option_fields.tsx'
import { Faults, Outcome, Progress } from './outcome.tsx'
import { isDraft, mappingFault, missingFields } from './rules.ts'
import { t } from './texts.ts'
import { useChoices } from './use_choices.ts'

type ViewProps = { found: Import; noun: NounDescription }

export const nameOf = ({ file_name: name }: Pick<Import, 'file_name'>, noun: NounDescription) =>
  name ?? t('fileOf', { things: noun.words.many })

export function DraftView({ found, noun }: ViewProps) {
  const choices = useChoices(found)
  const { chosen, error } = choices
  const mayRun = useMayImport(noun)
  const isOpen = mayRun && isDraft(found)
  const faults = faultsOf(error, shownFaults(chosen))
  return (
    <>
      <PageHeader
        title={t('import', { things: noun.words.many })}
        description={t.rich('draftBy', {
          name: nameOf(found, noun),
          who: () => <UserName id={found.user_id} />,
          time: () => <Time iso={found.created_at} />,
        })}
        actions={isOpen && <Discard found={found} />}
      />
      <div className={styles['stack']}>
        {error !== null && faults.general !== undefined && <ErrorNote text={faults.general} />}
        <FileCard found={chosen} mayChange={isOpen} onChange={choices.change} />
        <MappingTable found={chosen} faults={faults} mayChange={isOpen} onChange={choices.change} />
        <OptionFields noun={noun} found={chosen} faults={faults} mayChange={isOpen} onChange={choices.change} />
        <CheckCard noun={noun} found={found} chosen={chosen} choices={choices} mayRun={mayRun} />
      </div>
    </>
  )
}

/** Where an error can stand by itself. */
const shownFaults = ({ mapping }: Import) => mapping.map((_, at) => `mapping[${at}]`)

function Discard({ found }: { found: Import }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const changed = useChanged()
  return (
    <CancelButton
      label={t('discard')}
      cancel={async () => (await api.imports.cancel({ id: found.id })).import}
      onDone={canceled => {
        cache.setQueryData(importKey(mode, found.id), canceled)
        changed(found.noun)
      }}
    />
  )
}

type CheckCardProps = ViewProps & { chosen: Import; choices: ReturnType<typeof useChoices>; mayRun: boolean }

function CheckCard({ noun, found, chosen, choices, mayRun }: CheckCardProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const changed = useChanged()
  const act = useMutation({
    // Behind what was changed before.
    scope: { id: `import ${found.id}` },
    mutationFn: async (verb: 'dryRun' | 'run' | 'cancel') => (await api.imports[verb]({ id: found.id })).import,
    onSuccess(next) {
      cache.setQueryData(importKey(mode, found.id), next)
      changed(found.noun)
    },
    onError: () => void cache.invalidateQueries({ queryKey: importKey(mode, found.id) }),
  })
  const blocks = blocksOf(chosen, noun)
  const isChecked = found.state === 'checked' && !choices.isSaving
  const count = found.created + found.updated
  const isReady = mayRun && blocks.length === 0 && choices.error === null
  const region = useRef<HTMLDivElement>(null)
  return (
    <Card title={t('check')}>
      <div className={styles['stack']} ref={region}>
        {found.state === 'checking' ? (
          <Progress found={found} doing="checking" />
        ) : isChecked ? (
          <>
            <Outcome noun={noun} found={found} />
            <Faults found={found} />
          </>
        ) : (
          <p>{t('checkText', { things: noun.words.many })}</p>
        )}
        {blocks.map(text => (
          <ErrorNote key={text} text={text} />
        ))}
        {choices.error !== null && blocks.length === 0 && <ErrorNote text={t('choicesFailed')} />}
        {act.error !== null && !act.isPending && <ErrorNote text={faultText(act.error)} />}
        <div className={styles['actions']}>
          {mayRun && found.state === 'checking' && (
            <Button busy={act.isPending} onClick={() => act.mutate('cancel')}>
              {t('stopCheck')}
            </Button>
          )}
          {isReady && isDraft(found) && (
            <Button
              variant={isChecked ? 'secondary' : 'primary'}
              busy={act.isPending && act.variables === 'dryRun'}
              onClick={() => act.mutate('dryRun')}
            >
              {t(isChecked ? 'checkAgain' : 'checkFile')}
            </Button>
          )}
          {isReady && isChecked && count > 0 && (
            <Button variant="primary" busy={act.isPending && act.variables === 'run'} onClick={() => act.mutate('run')}>
              {t('importRows', { count })}
            </Button>
          )}
          {choices.error !== null && (
            <Button busy={choices.isSaving} onClick={choices.again}>
              {t('again')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

/** Why rows cannot be checked yet. */
function blocksOf(chosen: Import, noun: NounDescription): string[] {
  const missing = missingFields(noun, chosen.mapping)
  const isRepeated = chosen.mapping.some((_, at) => mappingFault(chosen, chosen.targets ?? [], at) !== undefined)
  return [
    ...missing.map(({ label }) => t('needs', { thing: upper(noun.words.one), field: label })),
    ...(isRepeated ? [t('repeated')] : []),
  ]
}
