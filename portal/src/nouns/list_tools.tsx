// What a list is kept, filled and taken away by: its saved views, the import of a file, and its export.
import { FileUp } from 'lucide-react'
import type { ColumnChoice } from '../lists/columns.ts'
import type { Params } from '../navigation/params.ts'
import { Button } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { ExportButton } from './export_button.tsx'
import type { NounDescription } from './noun.ts'
import { useMayImport } from './rights.ts'
import { t } from './texts.ts'
import { Views } from './views.tsx'

const StartImport = readyPart(() => import('../imports/start_dialog.tsx').then(module => module.StartImport))

export type ListToolsProps = {
  noun: NounDescription
  params: Params
  columns: readonly ColumnChoice[]
  query: Readonly<Record<string, string>>
  onParams(patch: Params, options?: { push?: boolean }): void
  onColumns(columns: readonly ColumnChoice[] | undefined): void
}

export function ListTools({ noun, params, columns, query, onParams, onColumns }: ListToolsProps) {
  const mayImport = useMayImport(noun)
  return (
    <>
      <Views
        noun={noun}
        params={params}
        columns={columns}
        onApply={(patch, chosen) => {
          onParams(patch, { push: true })
          onColumns(chosen)
        }}
      />
      {mayImport && (
        <Button icon={<FileUp size={14} />} onClick={() => onParams({ import: '1' }, { push: true })}>
          {t('import')}
        </Button>
      )}
      {noun.verbs.includes('export') && <ExportButton noun={noun} query={query} columns={columns} />}
      {mayImport && params['import'] !== undefined && (
        <StartImport noun={noun} onClose={() => onParams({ import: undefined })} />
      )}
    </>
  )
}
