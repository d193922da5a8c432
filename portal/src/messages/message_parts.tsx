// The parts of a message as the carrier had them: one row a segment, with the carrier's own id to ask the carrier about.
import type { Message } from '@tandem/sdk'
import { CopyButton } from '../ui/code.tsx'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, CodeLink, Moment, StatusChip } from '../ui/index.ts'
import styles from './messages.module.css'
import { t } from './texts.ts'

type Part = Message['parts'][number]

function columns(carrierOf: (id: string) => string): Column<Part>[] {
  return [
    { key: 'part', header: t('part'), align: 'end', render: part => part.part },
    {
      key: 'state',
      header: t('state'),
      render: part => (
        <>
          <StatusChip status={part.state} /> {part.code !== null && <CodeLink code={part.code} />}
          {part.carrierCode !== null && (
            <>
              {' '}
              <code title={t('carrierCode')}>{part.carrierCode}</code>
            </>
          )}
        </>
      ),
    },
    { key: 'carrier', header: t('carrier'), hideOnNarrow: true, render: part => carrierOf(part.carrier) },
    {
      key: 'id',
      header: t('carrierId'),
      render: part =>
        part.carrierMessageId === null ? (
          '–'
        ) : (
          <span className={styles['carrierId']}>
            <code title={part.carrierMessageId}>{part.carrierMessageId}</code>
            <CopyButton text={part.carrierMessageId} label={t('carrierIdCopy', { part: part.part })} />
          </span>
        ),
    },
    { key: 'attempt', header: t('attempt'), align: 'end', hideOnNarrow: true, render: part => part.attempt },
    {
      key: 'answered',
      header: t('answered'),
      hideOnNarrow: true,
      render: part => <Moment iso={part.answeredAt} />,
    },
    {
      key: 'receipt',
      header: t('receipt'),
      hideOnNarrow: true,
      render: part => <Moment iso={part.receiptAt} />,
    },
  ]
}

export function MessageParts({ parts, carrierOf }: { parts: readonly Part[]; carrierOf(id: string): string }) {
  return (
    <Card title={t('parts', { count: parts.length })} flush>
      <DataTable caption={t('partsOf')} columns={columns(carrierOf)} rows={parts} rowKey={part => String(part.part)} />
    </Card>
  )
}
