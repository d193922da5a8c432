// The parts of a message as the carrier had them: one row a segment, with the carrier's own id to ask the carrier about.
import type { Message } from '@tandem/sdk'
import { CopyButton } from '../ui/code.tsx'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, CodeLink, Moment, StatusChip } from '../ui/index.ts'
import styles from './messages.module.css'

type Part = Message['parts'][number]

function columns(carrierOf: (id: string) => string): Column<Part>[] {
  return [
    { key: 'part', header: 'Part', align: 'end', render: part => part.part },
    {
      key: 'state',
      header: 'State',
      render: part => (
        <>
          <StatusChip status={part.state} /> {part.code !== null && <CodeLink code={part.code} />}
          {part.carrierCode !== null && (
            <>
              {' '}
              <code title="The carrier's own code">{part.carrierCode}</code>
            </>
          )}
        </>
      ),
    },
    { key: 'carrier', header: 'Carrier', hideOnNarrow: true, render: part => carrierOf(part.carrier) },
    {
      key: 'id',
      header: "Carrier's id",
      render: part =>
        part.carrierMessageId === null ? (
          '–'
        ) : (
          <span className={styles['carrierId']}>
            <code>{part.carrierMessageId}</code>
            <CopyButton text={part.carrierMessageId} label={`Copy the carrier's id of part ${part.part}`} />
          </span>
        ),
    },
    { key: 'attempt', header: 'Attempt', align: 'end', hideOnNarrow: true, render: part => part.attempt },
    {
      key: 'answered',
      header: 'Answered',
      nowrap: true,
      hideOnNarrow: true,
      render: part => <Moment iso={part.answeredAt} />,
    },
    {
      key: 'receipt',
      header: 'Receipt',
      nowrap: true,
      hideOnNarrow: true,
      render: part => <Moment iso={part.receiptAt} />,
    },
  ]
}

export function MessageParts({ parts, carrierOf }: { parts: readonly Part[]; carrierOf(id: string): string }) {
  return (
    <Card title={parts.length === 1 ? 'At the carrier' : `At the carrier, ${parts.length} parts`} flush>
      <DataTable
        caption="Parts of the message"
        columns={columns(carrierOf)}
        rows={parts}
        rowKey={part => String(part.part)}
      />
    </Card>
  )
}
